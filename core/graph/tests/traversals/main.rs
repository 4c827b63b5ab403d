//! The searches on graphs with known results, and against brute force.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod known;
mod oracle;
mod searches;
