//! Uploads that are taken or refused, and what runs in them.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod arbitrary;
mod good;
mod hostile;
mod launch;
mod tars;
mod world;
mod zips;
