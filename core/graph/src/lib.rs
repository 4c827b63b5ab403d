//! Geometry of grids and graph search, independent of any game.
//!
//! - [`geometry`]: directions, positions, dimensions and neighbouring cells.
//! - [`grid`]: grids, torus or bounded, with walls and mud.
//! - [`cell_set`]: sets of cells with fast access to the k-th member.
//! - [`distances`]: distances on a grid, from one cell to all.
//! - [`distance_table`]: distances between any two cells, computed on demand.
//! - [`cheapest`]: cheapest paths on a grid whose cells have costs.
//! - [`draws`]: random draws, identical on every machine.
//! - [`maze`]: generating, reading, drawing, solving and comparing mazes.
//! - [`traversal`]: breadth-first search, Dijkstra's algorithm and others, on any graph given by its successors.
//! - [`weighted_graph`]: graphs as lists of weighted edges, read from dictionaries.
//! - [`state_space`]: search among states discovered during the search, such as those of a puzzle.

mod bucket_queue;
pub mod cell_set;
pub mod cheapest;
pub mod distance_table;
pub mod distances;
pub mod draws;
pub mod geometry;
pub mod grid;
pub mod maze;
pub mod state_space;
pub mod traversal;
mod union_find;
pub mod weighted_graph;

pub use cell_set::CellSet;
pub use cheapest::Cheapest;
pub use distance_table::DistanceTable;
pub use distances::Distances;
pub use draws::Draws;
pub use geometry::{Cell, Dims, Direction, Pos};
pub use grid::{Grid, Shape};
pub use maze::Maze;
pub use weighted_graph::WeightedGraph;
