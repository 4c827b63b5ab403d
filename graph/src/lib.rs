//! Geometry of grids and search in them; no word of a game.
//!
//! - [`geometry`]: directions, positions, dimensions, and the torus.
//! - [`grid`]: walls and corridors on a torus, with the neighbours of every cell at hand.
//! - [`cell_set`]: sets of cells that find their k-th member fast.
//! - [`distances`]: distances on a grid, from one cell to all.
//! - [`distance_table`]: distances between any two cells, worked out when asked for.
//! - [`cheapest`]: cheapest ways on a grid, from one cell to all.
//! - [`bfs`]: breadth-first search on any graph given by its successors.
//! - [`state_space`]: search among states that are discovered on the way, as those of a puzzle.

pub mod bfs;
pub mod cell_set;
pub mod cheapest;
pub mod distance_table;
pub mod distances;
pub mod geometry;
pub mod grid;
pub mod state_space;

pub use cell_set::CellSet;
pub use cheapest::{Cheapest, Way};
pub use distance_table::DistanceTable;
pub use distances::Distances;
pub use geometry::{Cell, Dims, Direction, Pos};
pub use grid::Grid;
