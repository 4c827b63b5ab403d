//! Mazes, states and answers as text.

mod answer;
mod maze;
mod state;

pub use maze::MazeTextError;
pub use state::Reading;

/// A whole number of digits only, without a sign.
fn number(digits: &str) -> Option<u32> {
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())?
}
