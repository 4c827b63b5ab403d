//! Whole games on an in-process server, over in-memory pipes and paused time.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod doors;
mod hall;
mod harness;
mod hostile;
mod late;
mod lobby;
mod observers;
mod pyrat;
mod returning;
mod series;
mod spectators;
