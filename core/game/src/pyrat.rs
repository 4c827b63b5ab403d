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

pub use crate::colour::Colour;
pub use action::{Action, Counts};
pub use graph::{Cell, Dims, Direction, Pos};
pub use maze::{Maze, MazeError};
pub use mersenne::Mersenne;
pub use notation::{MazeNotationError, Reading};
pub use recipe::{Holes, Recipe, RecipeError};
pub use score::Score;
pub use start::{Start, StartError};
pub use state::{Mud, Rat, State};
