//! Hexapawn: the value of a configuration, by what the course compares and by a fast solver.
//!
//! Vocabulary: [`board`] (boards, configurations and the rules), [`mod@value`] (who wins, and in how many
//! plies), [`notation`] (the text of the contest). Three ways to the same value, each with a count of
//! what it looked at:
//!
//! - [`naive`]: the recursion as it is defined.
//! - [`memo`]: the same, with a memory for what is known already (*version dynamique*).
//! - [`solver`]: boolean searches on bitboards, which prove a value without visiting everything.
//!
//! They know no clock and no terminal: each tells a closure from time to time how many nodes it has
//! counted, and stops with the closure's error.

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
