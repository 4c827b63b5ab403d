//! Geometry of grids and search in them; no word of a game.
//!
//! - [`geometry`]: directions, positions and dimensions, and which cells lie side by side.
//! - [`grid`]: grids, torus or bounded, with walls and mud.
//! - [`cell_set`]: sets of cells that find their k-th member fast.
//! - [`distances`]: distances on a grid, from one cell to all.
//! - [`distance_table`]: distances between any two cells, worked out when asked for.
//! - [`cheapest`]: cheapest ways on a grid whose cells cost more than the walk.
//! - [`nearest`]: the nearest of several targets.
//! - [`bfs`]: breadth-first search on any graph given by its successors.

pub mod bfs;
mod bucket_queue;
pub mod cell_set;
pub mod cheapest;
pub mod distance_table;
pub mod distances;
pub mod geometry;
pub mod grid;
pub mod nearest;

pub use cell_set::CellSet;
pub use cheapest::Cheapest;
pub use distance_table::DistanceTable;
pub use distances::Distances;
pub use geometry::{Cell, Dims, Direction, Pos};
pub use grid::{Grid, Shape};
pub use nearest::Nearest;
