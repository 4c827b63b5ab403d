//! Tournaments on many machines, through a NATS broker with `JetStream`.
//!
//! The coordinator is a dispatcher whose venue is [`NatsVenue`]; each machine runs a
//! [`worker`]. [`wire`] defines their messages, [`connection`] leads to the broker, `files` transfers the packages of
//! teams, `check` verifies results, and `engine` identifies the engine of a machine and measures its speed. The crate
//! `cluster` decides who plays what, and which results count.

mod check;
pub mod connection;
mod engine;
mod files;
mod venue;
pub mod wire;
pub mod worker;

pub use venue::{NatsVenue, Played};
