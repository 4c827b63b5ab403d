//! Experiments with PyRat.
//!
//! - [`experiment`]: players alone in the same mazes.
//! - [`comparison`]: how many turns does each player need, and is the difference significant?
//! - [`mud`]: what is the gain of a player that avoids the mud?
//! - [`duel`]: one player against another.
//! - [`play`]: a game in process.

pub mod comparison;
pub mod duel;
pub mod experiment;
pub mod mud;
pub mod play;
