//! Geometry of grids and graph search, independent of any game.
//!
//! - [`geometry`]: directions, positions, dimensions and neighbouring cells.
//! - [`grid`]: grids, torus or bounded, with walls and mud.
//! - [`cell_set`]: sets of cells with fast access to the k-th member.
//! - [`distances`]: distances on a grid, from one cell to all.
//! - [`distance_table`]: distances between any two cells, computed on demand.
//! - [`cheapest`]: cheapest paths on a grid whose cells have costs.
//! - [`traversal`]: breadth-first search, Dijkstra's algorithm and others, on any graph given by its successors.
//! - [`weighted_graph`]: graphs as lists of weighted edges, read from dictionaries.

mod bucket_queue;
pub mod cell_set;
pub mod cheapest;
pub mod distance_table;
pub mod distances;
pub mod geometry;
pub mod grid;
pub mod traversal;
pub mod weighted_graph;

pub use cell_set::CellSet;
pub use cheapest::Cheapest;
pub use distance_table::DistanceTable;
pub use distances::Distances;
pub use geometry::{Cell, Dims, Direction, Pos};
pub use grid::{Grid, Shape};
pub use weighted_graph::WeightedGraph;
