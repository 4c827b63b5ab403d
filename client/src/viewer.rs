//! The terminal viewer (*afficheur*): a [`Model`] of what was seen, the [`History`] with what
//! [happened](Happening) from state to state, and what a [`Command`] does to it.

mod command;
mod happening;
mod history;
mod model;

pub use command::Command;
pub use happening::Happening;
pub use history::{History, Moment};
pub use model::{BoardSize, Leave, Model, Status};
