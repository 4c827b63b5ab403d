//! Maps, states and orders as text. The letters of the wire and of map files exist here only.

mod letters;
mod map;
mod orders;
mod pen;
mod state_reader;
mod state_text;

pub use map::MapError;
pub use state_reader::{StateError, StateReader};
pub use state_text::StateText;

/// What stands before and after the board in the text of a state.
const DASHES: &[u8] = b"--------------------\n";
