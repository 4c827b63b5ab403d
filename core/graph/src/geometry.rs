//! Directions, positions, dimensions and neighbouring cells of a grid.

use std::fmt;

/// One of the four directions (*nord, est, sud, ouest*).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Direction {
    /// Towards the row above.
    North,
    /// Towards the column to the right.
    East,
    /// Towards the row below.
    South,
    /// Towards the column to the left.
    West,
}

impl Direction {
    /// All directions, clockwise from north, at their [`index`](Self::index).
    pub const ALL: [Self; 4] = [Self::North, Self::East, Self::South, Self::West];

    /// 0 for north to 3 for west.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The opposite direction.
    #[must_use]
    pub const fn opposite(self) -> Self {
        match self {
            Self::North => Self::South,
            Self::East => Self::West,
            Self::South => Self::North,
            Self::West => Self::East,
        }
    }
}

/// A place as row and column, both from 0 at the top left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pos {
    /// Row, from the top.
    pub row: u16,
    /// Column, from the left.
    pub col: u16,
}

impl fmt::Display for Pos {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.row, self.col)
    }
}

/// A cell (*case*) by its row-major number: `row · cols + col`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell(pub(crate) u32);

impl Cell {
    /// The number as an index into tables with one entry per cell.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Rows and columns of a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dims {
    rows: u16,
    cols: u16,
}

impl Dims {
    /// The dimensions; `None` if there is no cell.
    pub const fn new(rows: u16, cols: u16) -> Option<Self> {
        if rows == 0 || cols == 0 { None } else { Some(Self { rows, cols }) }
    }

    /// Number of rows.
    #[inline]
    pub const fn rows(self) -> u16 {
        self.rows
    }

    /// Number of columns.
    #[inline]
    pub const fn cols(self) -> u16 {
        self.cols
    }

    /// Number of cells.
    #[expect(clippy::len_without_is_empty, reason = "never empty")]
    #[inline]
    pub const fn len(self) -> usize {
        self.rows as usize * self.cols as usize
    }

    /// All cells, row-major.
    pub fn cells(self) -> impl ExactSizeIterator<Item = Cell> + Clone {
        (0..u32::from(self.rows) * u32::from(self.cols)).map(Cell)
    }

    /// The cell with this number, if there is one.
    pub fn nth(self, index: usize) -> Option<Cell> {
        u32::try_from(index).ok().filter(|_| index < self.len()).map(Cell)
    }

    /// The cell at this position, if it lies on the grid.
    #[inline]
    pub fn cell(self, pos: Pos) -> Option<Cell> {
        (pos.row < self.rows && pos.col < self.cols)
            .then(|| Cell(u32::from(pos.row) * u32::from(self.cols) + u32::from(pos.col)))
    }

    /// The position of a cell of this grid.
    #[inline]
    pub fn pos(self, cell: Cell) -> Pos {
        let cols = u32::from(self.cols);
        // Both fit: a cell of this grid lies below rows · cols.
        Pos { row: (cell.0 / cols) as u16, col: (cell.0 % cols) as u16 }
    }

    /// The next cell in a direction; `None` beyond the edge.
    pub fn contiguous(self, cell: Cell, direction: Direction) -> Option<Cell> {
        self.around(cell)[direction.index()]
    }

    /// The next cell in each direction, `None` beyond the edge.
    pub fn around(self, cell: Cell) -> [Option<Cell>; 4] {
        let Pos { row, col } = self.pos(cell);
        let cols = u32::from(self.cols);
        [
            (row > 0).then(|| Cell(cell.0 - cols)),
            (col + 1 < self.cols).then(|| Cell(cell.0 + 1)),
            (row + 1 < self.rows).then(|| Cell(cell.0 + cols)),
            (col > 0).then(|| Cell(cell.0 - 1)),
        ]
    }

    /// The next cell in a direction on the torus (*tore*), on which opposite edges of the grid are joined.
    pub fn neighbour(self, cell: Cell, direction: Direction) -> Cell {
        let Pos { row, col } = self.pos(cell);
        let (row, col) = match direction {
            Direction::North => (row.checked_sub(1).unwrap_or(self.rows - 1), col),
            Direction::East => (row, if col + 1 == self.cols { 0 } else { col + 1 }),
            Direction::South => (if row + 1 == self.rows { 0 } else { row + 1 }, col),
            Direction::West => (row, col.checked_sub(1).unwrap_or(self.cols - 1)),
        };
        Cell(u32::from(row) * u32::from(self.cols) + u32::from(col))
    }

    /// Chebyshev distance on the torus: the larger of the row and the column distance, each
    /// taken the shorter way round.
    #[inline]
    pub fn chebyshev(self, a: Cell, b: Cell) -> u16 {
        let (a, b) = (self.pos(a), self.pos(b));
        let around = |x: u16, y: u16, len: u16| {
            let straight = x.abs_diff(y);
            straight.min(len - straight)
        };
        around(a.row, b.row, self.rows).max(around(a.col, b.col, self.cols))
    }
}

impl fmt::Display for Dims {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}×{}", self.rows, self.cols)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(dims: Dims, row: u16, col: u16) -> Cell {
        dims.cell(Pos { row, col }).expect("inside")
    }

    #[test]
    fn neighbours_cross_the_edges() {
        let dims = Dims::new(3, 5).unwrap();
        assert_eq!(dims.neighbour(at(dims, 0, 2), Direction::North), at(dims, 2, 2));
        assert_eq!(dims.neighbour(at(dims, 2, 2), Direction::South), at(dims, 0, 2));
        assert_eq!(dims.neighbour(at(dims, 1, 0), Direction::West), at(dims, 1, 4));
        assert_eq!(dims.neighbour(at(dims, 1, 4), Direction::East), at(dims, 1, 0));
    }

    #[test]
    fn a_step_and_its_opposite_lead_back() {
        let dims = Dims::new(4, 7).unwrap();
        for cell in dims.cells() {
            assert_eq!(dims.cell(dims.pos(cell)), Some(cell));
            for direction in Direction::ALL {
                let next = dims.neighbour(cell, direction);
                assert_eq!(dims.neighbour(next, direction.opposite()), cell);
                assert_eq!(dims.chebyshev(cell, next), 1);
            }
        }
    }

    #[test]
    fn chebyshev_takes_the_short_way_round() {
        let dims = Dims::new(10, 20).unwrap();
        assert_eq!(dims.chebyshev(at(dims, 0, 0), at(dims, 9, 19)), 1);
        assert_eq!(dims.chebyshev(at(dims, 0, 0), at(dims, 5, 3)), 5);
        assert_eq!(dims.chebyshev(at(dims, 2, 1), at(dims, 8, 11)), 10);
    }

    #[test]
    fn contiguous_cells_end_at_the_edge() {
        let dims = Dims::new(4, 7).unwrap();
        for cell in dims.cells() {
            let Pos { row, col } = dims.pos(cell);
            for direction in Direction::ALL {
                let at_the_edge = match direction {
                    Direction::North => row == 0,
                    Direction::East => col == 6,
                    Direction::South => row == 3,
                    Direction::West => col == 0,
                };
                let expected = (!at_the_edge).then(|| dims.neighbour(cell, direction));
                assert_eq!(dims.contiguous(cell, direction), expected);
            }
        }
    }

    #[test]
    fn positions_outside_have_no_cell() {
        let dims = Dims::new(3, 5).unwrap();
        assert_eq!(dims.cell(Pos { row: 3, col: 0 }), None);
        assert_eq!(dims.cell(Pos { row: 0, col: 5 }), None);
        assert_eq!(dims.nth(15), None);
        assert_eq!(Dims::new(0, 5), None);
    }
}
