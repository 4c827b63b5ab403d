//! The outlines of the walls.

use game::pacman::{Board, Cell, Direction};

use crate::viewer::theme::LINES;

/// The lines that meet in a wall cell: bit `d` is set when one leads in direction `d`.
///
/// A line joins two walls side by side where it has a corridor on either side, so that walls one
/// cell thick become lines and thicker ones outlines. Edges are no ends: a line that leads off
/// the board comes back on the other side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Outline(u8);

impl Outline {
    /// The lines of a wall cell.
    pub(super) fn of(board: &Board, cell: Cell) -> Self {
        let mut lines = 0;
        for direction in Direction::ALL {
            let next = board.neighbour(cell, direction);
            let beside = sides(direction)
                .into_iter()
                .any(|side| board.is_open(cell, side) || board.is_open(next, side));
            if board.is_wall(next) && beside {
                lines |= 1 << direction.index();
            }
        }
        Self(lines)
    }

    /// Tests if a line leads in a direction.
    pub(super) fn leads(self, direction: Direction) -> bool {
        self.0 >> direction.index() & 1 == 1
    }

    /// The sign of the cell. A wall on its own is a pillar; one among others has none.
    pub(super) fn sign(self, board: &Board, cell: Cell) -> char {
        let inside = || Direction::ALL.into_iter().any(|d| !board.is_open(cell, d));
        match self.0 {
            0 if !inside() => '▪',
            lines => LINES[usize::from(lines)],
        }
    }
}

/// The directions to the left and to the right of one.
fn sides(direction: Direction) -> [Direction; 2] {
    match direction {
        Direction::North | Direction::South => [Direction::West, Direction::East],
        Direction::East | Direction::West => [Direction::North, Direction::South],
    }
}

#[cfg(test)]
mod tests {
    use game::pacman::{Map, Pos};
    use insta::assert_snapshot;

    use super::*;

    fn drawn(map: &str) -> String {
        let map: Map = map.parse().unwrap();
        let board = map.board();
        let mut text = String::new();
        for row in 0..board.dims().rows() {
            for col in 0..board.dims().cols() {
                let cell = board.dims().cell(Pos { row, col }).unwrap();
                text.push(if board.is_wall(cell) {
                    Outline::of(board, cell).sign(board, cell)
                } else {
                    '·'
                });
            }
            text.push('\n');
        }
        text
    }

    #[test]
    fn thin_walls_are_lines_and_thick_ones_outlines() {
        assert_snapshot!(drawn(
            "8;12\n            \n ### ##### #\n  #  ##### #\n     ##### #\n ### ##### #\n #         #\n # # ### # #\n            "
        ));
    }

    #[test]
    fn lines_go_on_across_the_edges() {
        assert_snapshot!(drawn(
            "6;9\n#### ####\n#       #\n  ## ##  \n#  # #  #\n#  # #  #\n#### ####"
        ));
    }
}
