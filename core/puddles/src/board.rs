//! The cells of a puzzle and their neighbours.

use std::str::FromStr;

use graph::{Cell, Dims, Pos};
use language::said;

/// A board (*plateau*) of rows × columns, bounded; cells are numbered row-major.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    dims: Dims,
    /// The neighbours of each cell, in the order west, north, east, south.
    neighbours: Vec<Vec<usize>>,
}

/// A fault in the size of a board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BoardError {
    /// The text is neither of the two forms.
    #[error("{}", said!(
        "expected a size as `3` or `3x4`, found {_0:?}",
        "une taille comme `3` ou `3x4` est attendue, et non {_0:?}"
    ))]
    Form(String),
    /// The length of a side is out of range.
    #[error("{}", said!(
        "each side has {min} to {max} cells, found {_0}",
        "chaque côté a de {min} à {max} cases, et non {_0}",
        min = Board::SHORTEST, max = Board::LONGEST
    ))]
    Side(usize),
}

impl Board {
    /// Minimum length of a side.
    pub const SHORTEST: usize = 2;
    /// Maximum length of a side; no search ends on a board that is nearly as large.
    pub const LONGEST: usize = 32;

    /// An empty board.
    ///
    /// # Errors
    ///
    /// The length of a side is out of range.
    pub fn new(rows: usize, columns: usize) -> Result<Self, BoardError> {
        for side in [rows, columns] {
            if !(Self::SHORTEST..=Self::LONGEST).contains(&side) {
                return Err(BoardError::Side(side));
            }
        }
        // Sides are at most `LONGEST`.
        let dims = Dims::new(rows as u16, columns as u16).expect("sides are at least `SHORTEST`");
        let neighbours = |cell| {
            // The grid has them clockwise from north.
            let mut around = dims.around(cell);
            around.rotate_right(1);
            around.into_iter().flatten().map(Cell::index).collect()
        };
        Ok(Self { dims, neighbours: dims.cells().map(neighbours).collect() })
    }

    /// Rows.
    pub fn rows(&self) -> usize {
        self.dims.rows().into()
    }

    /// Columns.
    pub fn columns(&self) -> usize {
        self.dims.cols().into()
    }

    /// Number of cells.
    pub fn cells(&self) -> usize {
        self.neighbours.len()
    }

    /// The cells beside a cell, in the order west, north, east, south.
    pub fn neighbours(&self, cell: usize) -> &[usize] {
        &self.neighbours[cell]
    }

    /// Number of neighbours of a cell, which a jump onto the cell subtracts.
    pub fn degree(&self, cell: usize) -> i32 {
        i32::try_from(self.neighbours[cell].len()).expect("there are at most four")
    }

    /// The colour of a cell on a chequerboard: 0 or 1.
    pub fn colour(&self, cell: usize) -> usize {
        let Pos { row, col } = self.pos(cell);
        usize::from((row + col) % 2)
    }

    /// The row and column of a cell.
    pub fn pos(&self, cell: usize) -> Pos {
        self.dims.pos(self.dims.nth(cell).expect("a cell of the board"))
    }

    /// The cell at a place; `None` off the board.
    pub fn cell(&self, pos: Pos) -> Option<usize> {
        self.dims.cell(pos).map(Cell::index)
    }

    /// A reflection of the board that fixes a cell, as the image of each cell; `None` if there is none. On
    /// squares, diagonals come first.
    pub fn reflection(&self, fixed: usize) -> Option<Vec<usize>> {
        let (rows, columns) = (self.rows(), self.columns());
        let square = rows == columns;
        let image = |reflection: u8, cell: usize| {
            let (row, column) = (cell / columns, cell % columns);
            match reflection {
                0 => column * columns + row,
                1 => (columns - 1 - column) * columns + (rows - 1 - row),
                2 => (rows - 1 - row) * columns + column,
                _ => row * columns + (columns - 1 - column),
            }
        };
        (if square { 0 } else { 2 }..4)
            .find(|&reflection| image(reflection, fixed) == fixed)
            .map(|reflection| (0..self.cells()).map(|cell| image(reflection, cell)).collect())
    }
}

impl FromStr for Board {
    type Err = BoardError;

    /// Reads `3` as 3 × 3, and `3x4` as 3 rows of 4.
    fn from_str(text: &str) -> Result<Self, BoardError> {
        let (rows, columns) = text.split_once(['x', 'X', '×']).unwrap_or((text, text));
        let side = |side: &str| side.trim().parse().map_err(|_| BoardError::Form(text.to_owned()));
        Self::new(side(rows)?, side(columns)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read() {
        let sides = |text: &str| text.parse::<Board>().map(|board| (board.rows(), board.columns()));
        assert_eq!(sides("3"), Ok((3, 3)));
        assert_eq!(sides("2x5"), Ok((2, 5)));
        for wrong in ["", "x", "3x", "3x4x5", "-3", "3 4", "three"] {
            assert_eq!(sides(wrong), Err(BoardError::Form(wrong.to_owned())));
        }
        assert_eq!(sides("1"), Err(BoardError::Side(1)));
        assert_eq!(sides("3x33"), Err(BoardError::Side(33)));
        assert_eq!(sides("99999999999999999999"), Err(BoardError::Form("9".repeat(20))));
    }

    #[test]
    fn neighbours_come_west_north_east_south() {
        let board = Board::new(3, 4).unwrap();
        assert_eq!(board.neighbours(5), [4, 1, 6, 9]);
        assert_eq!(board.neighbours(0), [1, 4]);
        assert_eq!(board.neighbours(7), [6, 3, 11]);
        assert_eq!((board.degree(11), board.colour(11)), (2, 1));
    }

    #[test]
    fn reflections_keep_neighbours_and_the_fixed_cell() {
        for (rows, columns) in [(2, 2), (3, 3), (4, 4), (2, 3), (3, 5), (4, 2)] {
            let board = Board::new(rows, columns).unwrap();
            let fixed = (0..board.cells()).filter(|&fixed| {
                let Some(image) = board.reflection(fixed) else { return false };
                assert_eq!(image[fixed], fixed);
                assert!(image.iter().enumerate().any(|(cell, &image)| cell != image));
                for cell in 0..board.cells() {
                    assert_eq!(image[image[cell]], cell);
                    for &other in board.neighbours(cell) {
                        assert!(board.neighbours(image[cell]).contains(&image[other]));
                    }
                }
                true
            });
            let expected = match (rows, columns) {
                (2, 2) => 4,
                (3, 3) => 9,
                (4, 4) => 8,
                (2, 3) => 2,
                (3, 5) => 7,
                _ => 0,
            };
            assert_eq!(fixed.count(), expected, "{rows}×{columns}");
        }
    }
}
