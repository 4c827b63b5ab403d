//! Whole games on an in-process server, over in-memory pipes and paused time.

mod harness;
mod hostile;
mod late;
mod lobby;
mod returning;
mod series;
mod spectators;
