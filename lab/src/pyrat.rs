//! Experiments with PyRat.
//!
//! - [`mazes`]: does a seed make the recorded maze?

pub mod mazes;
