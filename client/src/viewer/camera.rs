//! Which part of a board is seen.

use graph::{Dims, Pos};
use ratatui::layout::Size;

use crate::viewer::BoardSize;

/// The part of a board that is seen, and how large its cells are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Camera {
    pub(super) scale: Scale,
    /// The first row and column that are seen.
    pub(super) from: Pos,
    /// Numbers of visible rows and columns.
    pub(super) rows: u16,
    pub(super) cols: u16,
}

/// Room that a board takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Scale {
    pub(super) size: BoardSize,
    /// The width and the height of a cell.
    pub(super) cell: (u16, u16),
    /// Rows and columns around the cells.
    pub(super) frame: (u16, u16),
}

impl BoardSize {
    /// Largest first.
    pub(super) const ALL: [Self; 3] = [Self::Large, Self::Medium, Self::Small];
}

impl Scale {
    /// Room of a whole board.
    pub(super) fn of(self, board: Dims) -> Size {
        self.room_of(board.rows(), board.cols())
    }

    /// Room of the whole board, or of the cells that fit into `room`.
    pub(super) fn within(self, board: Dims, room: Size) -> Size {
        let (rows, cols) = self.cells(room);
        self.room_of(rows.min(board.rows()), cols.min(board.cols()))
    }

    fn room_of(self, rows: u16, cols: u16) -> Size {
        let length = |cells: u16, cell, frame| cells.saturating_mul(cell).saturating_add(frame);
        Size::new(length(cols, self.cell.0, self.frame.0), length(rows, self.cell.1, self.frame.1))
    }

    /// The largest at which a whole board fits into `room`, or else the one to scroll at.
    pub(super) fn fitting(board: Dims, room: Size, scale: impl Fn(BoardSize) -> Self) -> Self {
        let fits = |scale: &Self| {
            let Size { width, height } = scale.of(board);
            width <= room.width && height <= room.height
        };
        let fitting = BoardSize::ALL.into_iter().map(&scale).find(fits);
        fitting.unwrap_or_else(|| scale(BoardSize::Medium))
    }

    /// Numbers of rows and columns of cells that fit.
    fn cells(self, room: Size) -> (u16, u16) {
        let fitting = |room: u16, cell, frame| room.saturating_sub(frame) / cell;
        let cols = fitting(room.width, self.cell.0, self.frame.0);
        (fitting(room.height, self.cell.1, self.frame.1), cols)
    }
}

impl Camera {
    /// Sees as much of a board as fits into `room`, with the cell `on` well inside.
    ///
    /// It moves in strides, so that the board mostly stands still while a piece walks.
    pub(super) fn new(board: Dims, scale: Scale, room: Size, on: Pos) -> Self {
        let (rows, cols) = scale.cells(room);
        let (from_row, rows) = window(board.rows(), rows, on.row);
        let (from_col, cols) = window(board.cols(), cols, on.col);
        Self { scale, from: Pos { row: from_row, col: from_col }, rows, cols }
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

    fn scale(size: BoardSize) -> Scale {
        let cell = match size {
            BoardSize::Small => (1, 1),
            BoardSize::Medium => (2, 1),
            BoardSize::Large => (4, 2),
        };
        Scale { size, cell, frame: (0, 0) }
    }

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
            let fitting = Scale::fitting(plan1, Size::new(width, height), scale);
            assert_eq!(fitting.size, expected);
        }
    }

    #[test]
    fn camera_keeps_the_followed_cell_inside_its_margins() {
        let board = Dims::new(41, 61).unwrap();
        for (width, height) in [(60, 22), (20, 5), (2, 1), (200, 30)] {
            for (row, col) in (0..41).flat_map(|row| (0..61).map(move |col| (row, col))) {
                let on = Pos { row, col };
                let room = Size::new(width, height);
                let camera = Camera::new(board, scale(BoardSize::Medium), room, on);
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
