//! Mazes, states and answers as text.

mod action;
mod maze;
mod state;

use std::str::FromStr;

pub use maze::MazeNotationError;
pub use state::Reading;

/// A whole number of digits only, without a sign.
fn number<N: FromStr>(digits: &str) -> Option<N> {
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())?
}
