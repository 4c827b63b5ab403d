//! Tournaments (*tournois*): their store, their venues and their commands. No recorded result is ever lost.
//!
//! - [`setup`] makes a [`plan::Plan`] of a configuration.
//! - A [`mod@tournament`] knows the missing games; the [`store`] keeps the outcomes of the games that were played.
//! - The [`dispatcher`] plays a round at a [`venue`]: this machine, or the hall of a [`lan`]. It reports
//!   [`event`](event::TournamentEvent)s.
//! - A [`trial`] of one bot plays games in the same way, and keeps no file.
//! - [`nats`] plays the games on many machines.
//! - The [`scoreboard`] and the [`stage`] show the tournament on the live page of the crate `report`.

#[macro_use]
mod say;

mod commands;
pub mod config;
pub mod dispatcher;
pub mod event;
mod faults;
pub mod house_game;
pub mod lan;
pub mod nats;
pub mod program;
mod resemblance;
pub mod scoreboard;
pub mod setup;
pub mod stage;
pub mod store;
pub mod tournament;
pub mod trial;
pub mod venue;
