//! The games of the arena as pure state machines: no I/O, no clock, no generator of their own.
//!
//! - [`pacman`] is Pacman IUT'O.
//! - [`pyrat`] is PyRat.
//! - [`colour`]: the players of both; [`notation`]: the common parts of their texts.

pub mod colour;
pub mod notation;
pub mod pacman;
pub mod pyrat;
