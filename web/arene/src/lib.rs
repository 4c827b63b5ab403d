//! The arena for browsers: games of Pacman and PyRat with house bots, and recordings, without a server.
//!
//! Compiled to WebAssembly, it stands behind the ES module `arene.js`; it knows no document. Nothing of the rules, of the
//! notation or of the bots is written a second time.

#[cfg(target_family = "wasm")]
pub mod bindings;
mod check;
mod error;
mod game;
mod house;
mod terms;

pub use check::Check;
pub use error::Error;
pub use game::Game;
pub use terms::{PacmanTerms, Players, PyRatTerms};
