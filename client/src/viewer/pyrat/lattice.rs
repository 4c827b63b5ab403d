//! The lines between the cells of a maze.

use game::pyrat::{Direction, Maze};
use graph::Pos;

use crate::viewer::theme::LINES;

/// Border between two places of a maze.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Border {
    /// Cells that one walks between in a turn.
    Open,
    /// Mud between two cells: the turns that the step takes.
    Mud(u16),
    /// A wall: between cells, or around a hole.
    Wall,
    /// Holes.
    Holes,
    /// The edge of the maze.
    Edge,
    /// Outside the maze.
    Outside,
}

/// The borders of a maze. A border lies above or to the left of a place, those of the places just
/// beyond the edges included; they meet in the junction at the upper left of a place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lattice<'a>(pub(super) &'a Maze);

impl Border {
    /// Character of a horizontal border.
    pub(super) fn across(self) -> char {
        [' ', '┄', '─', '░', '━'][self.sign()]
    }

    /// Character of a vertical border.
    pub(super) fn along(self) -> char {
        [' ', '┆', '│', '░', '┃'][self.sign()]
    }

    fn sign(self) -> usize {
        match self {
            Self::Open | Self::Outside => 0,
            Self::Mud(_) => 1,
            Self::Wall => 2,
            Self::Holes => 3,
            Self::Edge => 4,
        }
    }
}

impl Lattice<'_> {
    /// The border above a place.
    pub(super) fn above(self, pos: Pos) -> Border {
        let above = pos.row.checked_sub(1).map(|row| Pos { row, ..pos });
        self.between(above, pos, Direction::South)
    }

    /// The border to the left of a place.
    pub(super) fn left_of(self, pos: Pos) -> Border {
        let left = pos.col.checked_sub(1).map(|col| Pos { col, ..pos });
        self.between(left, pos, Direction::East)
    }

    /// The sign of the junction at the upper left of a place.
    pub(super) fn junction(self, pos: Pos) -> char {
        let up = pos.row.checked_sub(1).map(|row| self.left_of(Pos { row, ..pos }));
        let left = pos.col.checked_sub(1).map(|col| self.above(Pos { col, ..pos }));
        let borders = [up, Some(self.above(pos)), Some(self.left_of(pos)), left];
        let [north, east, south, west] = borders.map(|border| match border {
            Some(Border::Edge) => 2,
            Some(Border::Wall) => 1,
            _ => 0,
        });
        match [north, east, south, west] {
            [0, 2, 2, 0] => '┏',
            [0, 0, 2, 2] => '┓',
            [2, 2, 0, 0] => '┗',
            [2, 0, 0, 2] => '┛',
            [0, 2, 0, 2] => '━',
            [0, 2, _, 2] => '┯',
            [_, 2, 0, 2] => '┷',
            [2, 0, 2, 0] => '┃',
            [2, _, 2, 0] => '┠',
            [2, 0, 2, _] => '┨',
            _ if borders == [Some(Border::Holes); 4] => '░',
            _ => LINES[north | east << 1 | south << 2 | west << 3],
        }
    }

    /// The border between a place and the next one in a direction.
    fn between(self, from: Option<Pos>, to: Pos, direction: Direction) -> Border {
        let dims = self.0.dims();
        match (from.and_then(|from| dims.cell(from)), dims.cell(to)) {
            (None, None) => Border::Outside,
            (None, _) | (_, None) => Border::Edge,
            (Some(from), Some(to)) => match self.0.weight(from, direction) {
                0 if self.0.is_wall(from) && self.0.is_wall(to) => Border::Holes,
                0 => Border::Wall,
                1 => Border::Open,
                turns => Border::Mud(turns),
            },
        }
    }
}
