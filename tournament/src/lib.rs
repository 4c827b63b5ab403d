//! Tournaments (*tournois*) that are played: their store, their venues and their commands. Nothing that was played is
//! lost.
//!
//! - [`setup`] makes a [`plan::Plan`] of a configuration.
//! - A [`mod@tournament`] knows which games are missing; the [`store`] keeps the outcomes of those that were played.
//! - The [`dispatcher`] plays a round at a [`venue`]: this machine, or the hall of a [`lan`]. What happens is an
//!   [`event`](event::TournamentEvent).
//! - A [`trial`] of one bot plays games in the same way, and keeps no file.
//! - [`nats`] plays the games on many machines.
//! - The [`scoreboard`] and the [`stage`] show it on the live page of the crate `report`.

#[macro_use]
mod say;

mod commands;
pub mod config;
pub mod dispatcher;
pub mod event;
mod faults;
pub mod lan;
pub mod nats;
pub mod program;
pub mod scoreboard;
pub mod setup;
pub mod stage;
pub mod store;
pub mod tournament;
pub mod trial;
pub mod venue;
