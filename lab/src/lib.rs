//! Experiments answered with numbers and pictures.
//!
//! - [`mod@matches`]: which bot wins how often?
//! - [`pyrat`]: how do its players fare?
//! - [`mazes`]: which generator makes which mazes, and mazes as pictures and maps.
//! - [`paths`]: what do searches for shortest routes cost?
//!
//! The crates `hexapawn` and `puddles` solve games and puzzles; here are only their commands.
//!
//! Shared modules: [`table`] and [`plot`] show figures, [`progress`] shows the progress of long work,
//! [`parallel`] spreads work over the cores, [`quantile`](fn@quantile) sums up samples, and [`mann_whitney`] tests if samples differ.

#![allow(clippy::cast_precision_loss, clippy::cast_sign_loss, reason = "figures for people")]

mod commands;
pub mod mann_whitney;
pub mod matches;
pub mod mazes;
pub mod parallel;
pub mod paths;
pub mod plot;
pub mod program;
pub mod progress;
pub mod pyrat;
pub mod table;

pub use rating::quantile;
