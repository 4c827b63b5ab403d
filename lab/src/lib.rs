//! Experiments answered with numbers.
//!
//! - [`traces`]: does the engine reproduce recorded games?
//! - [`throughput`]: how fast are the rules, the texts and the look-ahead?
//! - [`puddles`]: the shortest solutions of a puzzle of jumps.
//! - [`mod@matches`]: which bot wins how often?
//! - [`loopback`]: how fast are games over TCP, next to what the machine allows?

#![allow(clippy::cast_precision_loss, clippy::cast_sign_loss, reason = "figures for people")]

pub mod loopback;
pub mod matches;
pub mod plot;
pub mod progress;
pub mod puddles;
pub mod table;
pub mod throughput;
pub mod traces;
