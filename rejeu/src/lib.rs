//! The program `rejeu`: what one does with recorded games.
//!
//! [`ask`] plays the server of one program, which it sends what a player of a recorded game saw.

pub mod ask;
pub mod program;
mod report;
