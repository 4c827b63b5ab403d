//! Positions of the search: two sets of cells, turned so that the player to move goes up.

use crate::{Configuration, Side, Size};

/// The pawns of the player to move, which go towards bit 0, and those of the other player.
///
/// A half-turn of the board exchanges the players, so that a position equals itself with exchanged
/// colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Position {
    pub(super) mover: u64,
    pub(super) other: u64,
}

/// The size and the masks of a board of at least two lines, for moves of sets of cells.
#[derive(Clone, Debug)]
pub(super) struct Geometry {
    lines: u32,
    columns: u32,
    all: u64,
    not_left: u64,
    not_right: u64,
    /// The line on which the player to move wins.
    pub(super) goal: u64,
    /// Pairs of columns that a mirror exchanges: the left column, and the distance in columns to the right one.
    mirrored: Vec<(u64, u32)>,
}

/// Targets of the moves of some pawns, by the kind of move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moves {
    /// Straight on.
    pub(super) pushes: u64,
    /// Captures towards lower columns.
    pub(super) left: u64,
    /// Captures towards higher columns.
    pub(super) right: u64,
}

impl Position {
    pub(super) fn new(geometry: &Geometry, configuration: &Configuration) -> Self {
        let pawns = |player| configuration.board.pawns(player);
        let (mover, other) = (configuration.player, configuration.player.opponent());
        let position = Self { mover: pawns(mover), other: pawns(other) };
        match mover {
            Side::White => position,
            Side::Black => Self {
                mover: geometry.turned(position.mover),
                other: geometry.turned(position.other),
            },
        }
    }

    pub(super) fn occupied(self) -> u64 {
        self.mover | self.other
    }

    /// The smaller one of this position and its mirror image.
    pub(super) fn canonical(self, geometry: &Geometry) -> Self {
        self.min(Self { mover: geometry.mirror(self.mover), other: geometry.mirror(self.other) })
    }

    pub(super) fn moves(self, geometry: &Geometry) -> Moves {
        Moves {
            pushes: geometry.up(self.mover) & !self.occupied(),
            left: geometry.up_left(self.mover) & self.other,
            right: geometry.up_right(self.mover) & self.other,
        }
    }

    /// The positions after each move, each with the target of the move as a set of one cell.
    pub(super) fn successors(
        self,
        geometry: &Geometry,
    ) -> impl Iterator<Item = (u64, Self)> + use<> {
        let Moves { pushes, left, right } = self.moves(geometry);
        let columns = geometry.columns;
        let turn = 64 - geometry.lines * columns;
        [(left, columns + 1), (right, columns - 1), (pushes, columns)].into_iter().flat_map(
            move |(targets, distance)| {
                cells(targets).map(move |to| {
                    let mover = self.mover ^ to ^ (to << distance);
                    let other = self.other & !to;
                    let next = Self {
                        mover: other.reverse_bits() >> turn,
                        other: mover.reverse_bits() >> turn,
                    };
                    (to, next)
                })
            },
        )
    }
}

impl Moves {
    pub(super) fn targets(self) -> u64 {
        self.pushes | self.left | self.right
    }

    pub(super) fn count(self) -> u32 {
        self.pushes.count_ones() + self.left.count_ones() + self.right.count_ones()
    }
}

impl Geometry {
    /// The geometry of a board. A single line has no moves, and its geometry is never used.
    pub(super) fn new(size: Size) -> Self {
        // Both numbers are at most 64.
        let (lines, columns) = (size.lines() as u32, size.columns() as u32);
        let all = !0 >> (64 - lines * columns);
        let left = (0..lines).fold(0, |left, line| left | 1 << (line * columns));
        let right = left << (columns - 1);
        Self {
            lines,
            columns,
            all,
            not_left: all & !left,
            not_right: all & !right,
            goal: all >> ((lines - 1) * columns),
            mirrored: (0..columns / 2).map(|at| (left << at, columns - 1 - 2 * at)).collect(),
        }
    }

    pub(super) fn up(&self, cells: u64) -> u64 {
        cells >> self.columns
    }

    pub(super) fn down(&self, cells: u64) -> u64 {
        (cells << self.columns) & self.all
    }

    fn up_left(&self, cells: u64) -> u64 {
        (cells & self.not_left) >> (self.columns + 1)
    }

    fn up_right(&self, cells: u64) -> u64 {
        (cells & self.not_right) >> (self.columns - 1)
    }

    /// The cells that pawns attack if they go up.
    pub(super) fn up_aside(&self, cells: u64) -> u64 {
        self.up_left(cells) | self.up_right(cells)
    }

    /// The cells that pawns attack if they go down.
    pub(super) fn down_aside(&self, cells: u64) -> u64 {
        let left = (cells & self.not_left) << (self.columns - 1);
        let right = (cells & self.not_right) << (self.columns + 1);
        (left | right) & self.all
    }

    /// Number of lines above the highest one of some cells.
    pub(super) fn lines_above(&self, cells: u64) -> u32 {
        cells.trailing_zeros() / self.columns
    }

    /// Number of lines below the lowest one of some cells.
    pub(super) fn lines_below(&self, cells: u64) -> u32 {
        self.lines - 1 - cells.ilog2() / self.columns
    }

    fn turned(&self, cells: u64) -> u64 {
        cells.reverse_bits() >> (64 - self.lines * self.columns)
    }

    fn mirror(&self, cells: u64) -> u64 {
        let mut image = cells;
        for &(left, distance) in &self.mirrored {
            // Exchanges the bits of two columns.
            let different = (image ^ (image >> distance)) & left;
            image ^= different | different << distance;
        }
        image
    }
}

/// The cells of a set, each as a set of one cell, from bit 0 on.
fn cells(mut set: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let lowest = set & set.wrapping_neg();
        set ^= lowest;
        (lowest != 0).then_some(lowest)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Board;

    /// Compares the successors with those of the rules, on random boards of all shapes.
    #[test]
    fn successors_are_those_of_the_rules() {
        let mut seed = 1_u64;
        for (lines, columns) in
            [(2, 1), (2, 2), (3, 3), (4, 7), (7, 4), (8, 8), (21, 3), (2, 32), (64, 1)]
        {
            let size = Size::new(lines, columns).unwrap();
            let geometry = Geometry::new(size);
            for player in [Side::White, Side::Black].repeat(20) {
                let mut board = Board::empty(size);
                // No pawn has arrived.
                for cell in columns..columns * (lines - 1) {
                    seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    let pawn =
                        [None, Some(Side::White), Some(Side::Black)][(seed >> 60) as usize % 3];
                    board.set(cell / columns, cell % columns, pawn);
                }
                let configuration = Configuration { board, player };
                let position = Position::new(&geometry, &configuration);
                let expected = configuration.successors();
                let mut expected: Vec<_> =
                    expected.iter().map(|next| Position::new(&geometry, next)).collect();
                let mut found: Vec<_> =
                    position.successors(&geometry).map(|(_, next)| next).collect();
                assert_eq!(found.len(), position.moves(&geometry).count() as usize);
                found.sort();
                expected.sort();
                assert_eq!(found, expected, "{board}");
            }
        }
    }

    #[test]
    fn a_position_and_its_mirror_image_are_one() {
        for columns in 1..=8 {
            let size = Size::new(3, columns).unwrap();
            let geometry = Geometry::new(size);
            for set in [0b1, 0b110, 0b0101_1001, 0b1111_0010_1100_1010_0110] {
                let set = set & geometry.all;
                let mut image = 0;
                for cell in (0..size.cells()).filter(|cell| set >> cell & 1 != 0) {
                    let (line, column) = (cell / columns, cell % columns);
                    image |= 1 << (line * columns + columns - 1 - column);
                }
                assert_eq!(geometry.mirror(set), image);
                let one = Position { mover: set, other: geometry.down(set) };
                let two = Position { mover: image, other: geometry.down(image) };
                assert_eq!(one.canonical(&geometry), two.canonical(&geometry));
            }
        }
    }
}
