//! The terminal viewer (*afficheur*): a [`Model`] of what was seen, a [screen](draw) that follows
//! from it alone, and a [shell](run) that feeds the one and shows the other.
//!
//! - the model: the [`history`](History) of the [scenes](Scene) that were seen, and what a
//!   [`Command`] does to it;
//! - the screen: where the panels stand (`layout`), each panel (the board through the `camera`,
//!   `scores`, `chart`, `log`, `bars`, `popups`), and their looks ([`Theme`]);
//! - the games: what the screen asks of them (`scene_view`), and what `pacman` and `pyrat` answer: how the
//!   board is drawn, and what happens from state to state.

mod bars;
mod camera;
mod chart;
mod command;
mod history;
mod layout;
mod log;
mod model;
mod pacman;
mod panel;
mod popups;
mod pyrat;
mod recorded;
mod scene;
mod scene_view;
mod scores;
mod screen;
mod shell;
mod terminal;
mod theme;

use chart::Sample;
pub use command::Command;
pub use history::{History, Moment};
pub use model::{BoardSize, Leave, Model, Status};
pub use pacman::{Happening, PacmanScene};
pub use pyrat::PyRatScene;
pub use scene::Scene;
pub use screen::draw;
pub use shell::{Viewing, ViewingError, run, show_recording};
pub use theme::Theme;
