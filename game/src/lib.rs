//! The games of the arena as pure state machines: no I/O, no clock, no generator of their own.
//!
//! - [`pacman`] is Pacman IUT'O.
//! - [`pyrat`] is PyRat.

pub mod pacman;
pub mod pyrat;
