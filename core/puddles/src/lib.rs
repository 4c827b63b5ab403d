//! *Sauter dans les flaques*: a puzzle of jumps on a grid of counters, and its solvers.
//!
//! A jump onto a cell subtracts its number of neighbours from its counter and adds 1 to the counter of
//! each neighbour. The first jump is onto a given cell, without a condition; every further one goes to a
//! neighbour of the last cell, if the neighbour's counter does not become negative. The goal is a grid of
//! distinct counters, in the fewest jumps.
//!
//! - [`Board`]: the cells and their neighbours.
//! - [`Puzzle`]: the rules, and a necessary condition for a solution.
//! - [`JumpCounts`]: numbers of jumps onto each cell, regardless of their order.
//! - [`Lookahead`]: the lower bound (heuristic) of A*.
//! - [`solve`]: the seed's search, breadth first, and A*.
//! - [`state_space`]: searches among states that are only discovered on the way.

#![allow(
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "bounds, and counts that are not negative"
)]

mod board;
mod jump_counts;
mod lookahead;
mod puzzle;
mod solver;
pub mod state_space;

pub use board::{Board, BoardError};
pub use jump_counts::JumpCounts;
pub use lookahead::Lookahead;
pub use puzzle::{Puzzle, PuzzleError};
pub use solver::{Proof, PuzzleAlgorithm, PuzzleAnswer, SearchReport, solve};
