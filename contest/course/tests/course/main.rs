//! A course through its public interface: against a model, killed at random, on a full disk, and asked for what it hides.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod hostile;
mod kill;
mod ladder;
mod model;
mod readers;
mod teams;
mod versions;
mod views;
mod world;
