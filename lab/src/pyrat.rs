//! Experiments with PyRat.
//!
//! - [`mazes`]: does a seed make the recorded maze?
//! - [`experiment`]: players alone in the same mazes.
//! - [`comparison`]: who needs how many turns, and is the difference more than chance?
//! - [`mud`]: what is it worth to mind the mud?
//! - [`duel`]: one player against another.
//! - [`play`]: a game in process.

pub mod comparison;
pub mod duel;
pub mod experiment;
pub mod mazes;
pub mod mud;
pub mod play;
