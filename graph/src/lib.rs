//! Geometry of grids and search in them; no word of a game.
//!
//! - [`geometry`]: directions, positions, dimensions, and the torus.
//! - [`grid`]: walls and corridors on a torus, with the neighbours of every cell at hand.
//! - [`cell_set`]: sets of cells that find their k-th member fast.
//! - [`bfs`]: breadth-first search on any graph given by its successors.

pub mod bfs;
pub mod cell_set;
pub mod geometry;
pub mod grid;

pub use cell_set::CellSet;
pub use geometry::{Cell, Dims, Direction, Pos};
pub use grid::Grid;
