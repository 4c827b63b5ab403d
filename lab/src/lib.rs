//! Experiments answered with numbers.
//!
//! - [`traces`]: does the engine reproduce recorded games?
//! - [`throughput`]: how fast are the rules, the texts and the look-ahead?
//! - [`loopback`]: how fast are games over TCP, next to what the machine allows?

pub mod loopback;
pub mod throughput;
pub mod traces;
