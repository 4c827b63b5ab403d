//! The terminal viewer (*afficheur*): a [`Model`] of what was seen, a [screen](draw) that follows
//! from it alone, and a [shell](run) that feeds the one and shows the other.
//!
//! - the model: [`history`](History) with what [happened](Happening) from state to state, and what
//!   a [`Command`] does to it;
//! - the screen: where the panels stand (`layout`), each panel (`board_panel` with the `outline` of
//!   the walls and the `camera`, `scores`, `chart`, `log`, `bars`, `popups`), and their looks
//!   ([`Theme`]).

mod bars;
mod board_panel;
mod camera;
mod chart;
mod command;
mod happening;
mod history;
mod layout;
mod log;
mod model;
mod outline;
mod panel;
mod popups;
mod scores;
mod screen;
mod shell;
mod terminal;
mod theme;

pub use command::Command;
pub use happening::Happening;
pub use history::{History, Moment};
pub use model::{BoardSize, Leave, Model, Status};
pub use screen::draw;
pub use shell::{Viewing, ViewingError, run};
pub use theme::Theme;
