//! The arena: plays games with clients over any kind of connection.
//!
//! [`Arena`] is one task that owns the lobby, the games and the spectators; [`Host`] lets
//! connections in, each served by a task of its own. The two exchange events,
//! outboxes and answers, so that nothing that a peer does makes a game wait beyond a deadline.
//! What they play is a [`Game`]: [`Pacman`] or [`PyRat`]. In a [`Hall`] many games are played at a time, each in
//! an arena of its own, by teams that stay for one after the other.

mod addresses;
pub mod announce;
pub mod answers;
pub mod arena;
mod clock;
mod connection;
mod failures;
pub mod games;
pub mod hall;
pub mod host;
mod lobby;
mod notices;
pub mod observers;
mod opening;
mod outbox;
mod peers;
mod places;
mod playing;
mod relay;
pub mod results;
mod seats;
pub mod settings;
mod source;
pub mod web;

pub use addresses::addresses;
pub use arena::{Arena, Controls, End};
pub use games::{Game, Pacman, PyRat};
pub use hall::Hall;
pub use host::Host;
pub use observers::Observation;
pub use results::{GameResult, PlayerResult, Points, Progress, Standing, Thinking};
pub use settings::{House, HouseBot, Settings};
