//! Experiments answered with numbers.

pub mod traces;
