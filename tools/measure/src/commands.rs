//! The commands of `measure`: their flags and their output.

pub(crate) mod cluster;
pub(crate) mod decisions;
pub(crate) mod ladder;
pub(crate) mod pyrat_mazes;
mod quantity;
pub(crate) mod throughput;
pub(crate) mod traces;
pub(crate) mod zoo;
