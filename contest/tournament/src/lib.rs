//! Tournaments (*tournois*) that are played: their store, their dispatcher and their venues. No recorded result is ever lost.
//!
//! - A [`mod@tournament`] knows the missing games; the [`store`] keeps the outcomes of the games that were played.
//! - The [`dispatcher`] plays a round at a [`venue`]: this machine, or the hall of a [`lan`]. It reports
//!   [`event`](event::TournamentEvent)s.
//! - A [`trial`] of one bot plays games in the same way, and keeps no file.
//! - The [`featured`] game is shown to spectators while it runs.

pub mod dispatcher;
pub mod event;
pub mod faults;
pub mod featured;
pub mod house_game;
pub mod lan;
pub mod store;
pub mod tournament;
pub mod trial;
pub mod venue;
