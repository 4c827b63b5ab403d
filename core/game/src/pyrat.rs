//! PyRat: rats look for pieces of cheese in a maze with holes, walls and mud.
//!
//! A [`Maze`] comes from a [`Recipe`] and a seed, or from a file; a [`State`] is the complete state of a game, and
//! [plays](State::play_turn) its turns.
//!
//! The rules are those that the PyRat game, version 6, is published with (Bastien Pasdeloup, IMT
//! Atlantique, <https://github.com/BastienPasdeloup/PyRat>, MIT licence), and the same seed gives the
//! same maze and the same cheese as there.

pub mod action;
mod draft;
pub mod maze;
pub mod mersenne;
pub mod notation;
pub mod recipe;
pub mod score;
pub mod start;
pub mod state;

use language::{Note, note};

pub use crate::colour::Colour;
pub use action::{Action, Counts};
pub use graph::{Cell, Dims, Direction, Pos};
pub use maze::Maze;
pub use mersenne::Mersenne;
pub use notation::{MazeNotationError, Reading};
pub use recipe::{Holes, Recipe};
pub use score::Score;
pub use start::Start;
pub use state::{Mud, Rat, State};

/// The reason why a maze, or a game in it, cannot be made: what was expected, and what was found.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{_0}")]
pub struct MazeError(pub Note);

impl MazeError {
    /// No cheese, or more pieces than `free` cells, where no rat starts.
    #[must_use]
    pub fn cheese(free: usize, cheese: usize) -> Self {
        Self(note!(
            "expected 1 to {free} pieces of cheese, for as many cells are free, got {cheese}",
            "de 1 à {free} fromages sont attendus, autant que de cases libres, et non {cheese}"
        ))
    }
}
