//! Hexapawn: the value of a configuration, by the algorithms that the course compares and by a fast solver.
//!
//! Vocabulary: [`board`] (boards, configurations and the rules), [`mod@value`] (who wins, and in how many
//! plies), [`notation`] (the text of the contest). Three algorithms compute the same value, each with a
//! count of its nodes:
//!
//! - [`naive`]: the recursion as it is defined.
//! - [`memo`]: the same recursion with memoisation (*version dynamique*).
//! - [`solver`]: boolean searches on bitboards, which prove a value without visiting all configurations.
//!
//! None uses a clock or a terminal: each regularly calls a closure with its number of nodes, and stops with
//! the closure's error.

pub mod board;
mod count;
pub mod line;
pub mod memo;
pub mod naive;
pub mod notation;
pub mod solver;
pub mod value;

pub use board::{Board, Configuration, Side, Size};
pub use count::{HexapawnSolution, STRIDE};
pub use line::BestLine;
pub use notation::ParseError;
pub use solver::HexapawnSolver;
pub use value::Value;
