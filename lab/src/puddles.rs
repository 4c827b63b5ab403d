//! *Sauter dans les flaques*: a puzzle of jumps on a grid of counters, and what solves it.
//!
//! Jumping onto a cell takes from its counter as many as it has neighbours and gives 1 to each of
//! them. The first jump is onto a given cell, without a condition; every further one goes to a
//! neighbour of the last whose counter can afford it. The goal is a grid of distinct counters, in the
//! fewest jumps.
//!
//! - [`Board`]: the cells and their neighbours.
//! - [`Puzzle`]: the rules, and a condition without which there is no solution.
//! - [`JumpCounts`]: how often each cell is jumped on, without a walk in mind.
//! - [`Lookahead`]: the lower bound that A* is guided by.
//! - [`solve`]: the seed's search, breadth first, and A*.
//! - [`picture`](mod@picture): grids as text.

mod board;
mod jump_counts;
mod lookahead;
pub mod picture;
mod puzzle;
mod solver;

pub use board::{Board, BoardError};
pub use jump_counts::JumpCounts;
pub use lookahead::Lookahead;
pub use puzzle::{Puzzle, PuzzleError};
pub use solver::{Proof, PuzzleAlgorithm, PuzzleAnswer, SearchReport, solve};
