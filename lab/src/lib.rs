//! Experiments answered with numbers.
//!
//! - [`traces`]: does the engine reproduce recorded games?
//! - [`throughput`]: how fast are the rules, the texts and the look-ahead?
//! - [`mod@matches`]: which bot wins how often?
//! - [`paths`]: what do searches for shortest routes cost?
//! - [`pyrat`]: how do the players of PyRat fare?
//! - [`loopback`]: how fast are games over TCP, next to what the machine allows?

#![allow(clippy::cast_precision_loss, clippy::cast_sign_loss, reason = "figures for people")]

pub mod loopback;
pub mod mann_whitney;
pub mod matches;
pub mod parallel;
pub mod paths;
pub mod plot;
pub mod progress;
pub mod pyrat;
pub mod records;
pub mod table;
pub mod throughput;
pub mod traces;
