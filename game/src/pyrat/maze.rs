//! The maze of a game.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use arrayvec::ArrayVec;
use graph::{Distances, Grid, Shape};

use crate::pyrat::{Cell, Dims, Direction, Pos};

/// The neighbours of a cell with the turns that it takes to walk there, in an order that searches
/// depend on.
pub type Links = ArrayVec<(Cell, u16), 4>;

/// The cells and passages of a game (*labyrinthe*), shared and never changed.
///
/// Its cells, and the neighbours of each, are in the order in which PyRat has them.
#[derive(Clone, PartialEq, Eq)]
pub struct Maze(Arc<Inner>);

#[derive(PartialEq, Eq)]
struct Inner {
    grid: Grid,
    cells: Vec<Cell>,
    links: Vec<Links>,
}

impl fmt::Debug for Maze {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Maze({}, {} cells)", self.dims(), self.cells().len())
    }
}

/// Why passages make no maze.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MazeError {
    /// A width of 0, or more places than a game is played on.
    #[error("expected 1 to {most} rows and columns, got {rows} rows and {width} columns", most = Maze::MAX_SIDE)]
    Size {
        /// Rows that the cells need.
        rows: u64,
        /// Columns.
        width: u16,
    },
    /// A game needs a cell for a rat and one for cheese.
    #[error("expected at least two cells, got {0}")]
    TooFewCells(usize),
    /// No way leads from a cell.
    #[error("cell {0} has no neighbour")]
    Lonely(u64),
    /// A passage leads to no cell.
    #[error("cell {from} has the neighbour {to}, which is no cell")]
    NoCell {
        /// Where the passage begins.
        from: u64,
        /// Where it ends.
        to: u64,
    },
    /// A passage between cells that do not lie side by side.
    #[error("cells {from} and {to} do not lie side by side when a row has {width} places")]
    Apart {
        /// Where the passage begins.
        from: u64,
        /// Where it ends.
        to: u64,
        /// Places in a row.
        width: u16,
    },
    /// A passage that leads one way only, or takes longer one way.
    #[error("the passage from {from} to {to} takes {weight} turns, the way back {back}",
        back = back.map_or("does not exist".to_owned(), |back| back.to_string()))]
    OneWay {
        /// Where the passage begins.
        from: u64,
        /// Where it ends.
        to: u64,
        /// How long it takes.
        weight: i64,
        /// How long the way back takes.
        back: Option<i64>,
    },
    /// A passage takes no time, or too much.
    #[error("expected 1 to {} turns, the passage from {from} to {to} takes {weight}", u16::MAX)]
    Weight {
        /// Where the passage begins.
        from: u64,
        /// Where it ends.
        to: u64,
        /// How long it takes.
        weight: i64,
    },
}

impl Maze {
    /// Most rows, and most columns.
    pub const MAX_SIDE: u16 = 1000;

    /// A maze with these cells in this order; the links, by place, go both ways between cells that
    /// lie side by side.
    pub(super) fn new(dims: Dims, cells: Vec<Cell>, links: Vec<Links>) -> Self {
        let grid = Grid::linked(dims, Shape::Bounded, |cell, direction| {
            let next = dims.contiguous(cell, direction);
            let link = links[cell.index()].iter().find(|(to, _)| Some(*to) == next);
            link.map_or(0, |(_, weight)| *weight)
        });
        Self(Arc::new(Inner { grid, cells, links }))
    }

    /// The place in the middle of so many rows and columns, be it a cell or not.
    #[must_use]
    pub fn centre(dims: Dims) -> Cell {
        let pos = Pos { row: dims.rows() / 2, col: dims.cols() / 2 };
        dims.cell(pos).expect("the middle lies inside")
    }

    /// The cells in order.
    #[must_use]
    pub fn cells(&self) -> &[Cell] {
        &self.0.cells
    }

    /// The neighbours of a cell in order, with the turns that it takes to walk there.
    #[must_use]
    pub fn links(&self, cell: Cell) -> &[(Cell, u16)] {
        &self.0.links[cell.index()]
    }

    /// The direction in which a neighbour of a cell lies.
    #[must_use]
    pub fn direction(&self, cell: Cell, neighbour: Cell) -> Option<Direction> {
        Direction::ALL.into_iter().find(|&d| self.dims().contiguous(cell, d) == Some(neighbour))
    }

    /// Whether every cell can be reached from every other one.
    #[must_use]
    pub fn is_connected(&self) -> bool {
        let reached = |first| Distances::new().fill(self, first).reached().len();
        self.cells().first().is_none_or(|&first| reached(first) == self.cells().len())
    }
}

impl Deref for Maze {
    type Target = Grid;

    fn deref(&self) -> &Grid {
        &self.0.grid
    }
}
