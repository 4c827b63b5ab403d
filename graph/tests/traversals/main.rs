//! The searches on graphs whose answers are known, and against brute force.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod known;
mod oracle;
mod searches;
