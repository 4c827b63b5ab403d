//! Experiments answered with numbers.

pub mod throughput;
pub mod traces;
