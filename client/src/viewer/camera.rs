//! Which part of a board is seen.

use game::pacman::{Dims, Pos};
use ratatui::layout::Size;

use crate::viewer::BoardSize;

/// The part of a board that is seen, and how large its cells are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Camera {
    pub(super) size: BoardSize,
    /// The first row and column that are seen.
    pub(super) from: Pos,
    /// How many rows and columns are seen.
    pub(super) rows: u16,
    pub(super) cols: u16,
}

impl BoardSize {
    /// Largest first.
    const ALL: [Self; 3] = [Self::Large, Self::Medium, Self::Small];

    /// The width and the height of a cell.
    pub(super) const fn cell(self) -> (u16, u16) {
        match self {
            Self::Small => (1, 1),
            Self::Medium => (2, 1),
            Self::Large => (4, 2),
        }
    }

    /// What a whole board takes.
    pub(super) fn of(self, board: Dims) -> Size {
        let (width, height) = self.cell();
        Size::new(board.cols().saturating_mul(width), board.rows().saturating_mul(height))
    }

    /// The largest at which a whole board fits into `room`, or else the one to scroll at.
    pub(super) fn fitting(board: Dims, room: Size) -> Self {
        let fits = |size: &Self| {
            let Size { width, height } = size.of(board);
            width <= room.width && height <= room.height
        };
        Self::ALL.into_iter().find(fits).unwrap_or(Self::Medium)
    }
}

impl Camera {
    /// Sees as much of a board as fits into `room`, with the cell `on` well inside.
    ///
    /// It moves in strides, so that the board mostly stands still while a piece walks.
    pub(super) fn new(board: Dims, size: BoardSize, room: Size, on: Pos) -> Self {
        let (width, height) = size.cell();
        let (from_row, rows) = window(board.rows(), room.height / height, on.row);
        let (from_col, cols) = window(board.cols(), room.width / width, on.col);
        Self { size, from: Pos { row: from_row, col: from_col }, rows, cols }
    }
}

/// The start and the length of what is seen of `len` when `room` fits.
fn window(len: u16, room: u16, on: u16) -> (u16, u16) {
    if room >= len {
        return (0, len);
    }
    let stride = (room / 3).max(1);
    let start = (on.saturating_sub(room / 2) + stride / 2) / stride * stride;
    (start.min(len - room), room)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_size_that_fits_is_taken() {
        let plan1 = Dims::new(20, 30).unwrap();
        for (width, height, expected) in [
            (120, 40, BoardSize::Large),
            (119, 40, BoardSize::Medium),
            (120, 39, BoardSize::Medium),
            (60, 20, BoardSize::Medium),
            (59, 20, BoardSize::Small),
            (30, 20, BoardSize::Small),
            (60, 19, BoardSize::Medium),
        ] {
            assert_eq!(BoardSize::fitting(plan1, Size::new(width, height)), expected);
        }
    }

    #[test]
    fn what_is_looked_at_is_well_inside() {
        let board = Dims::new(41, 61).unwrap();
        for (width, height) in [(60, 22), (20, 5), (2, 1), (200, 30)] {
            for (row, col) in (0..41).flat_map(|row| (0..61).map(move |col| (row, col))) {
                let on = Pos { row, col };
                let camera = Camera::new(board, BoardSize::Medium, Size::new(width, height), on);
                for (start, seen, len, at) in [
                    (camera.from.row, camera.rows, 41, row),
                    (camera.from.col, camera.cols, 61, col),
                ] {
                    assert!(start + seen <= len);
                    let margin = if seen < 6 { 0 } else { seen / 4 };
                    assert!(start + margin <= at || start == 0, "{camera:?} {on}");
                    assert!(at + margin < start + seen || start + seen == len, "{camera:?} {on}");
                }
            }
        }
    }
}
