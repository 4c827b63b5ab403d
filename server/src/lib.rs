//! The arena: plays games of Pacman IUT'O with clients over any kind of connection.
//!
//! [`Arena`] is one task that owns the lobby, the games and the spectators; [`Host`] lets
//! connections in, each served by a task of its own. The two exchange events,
//! outboxes and answers, so that nothing that a peer does makes a game wait beyond a deadline.

mod answers;
pub mod arena;
mod clock;
mod connection;
mod failures;
pub mod host;
mod lobby;
mod outbox;
mod playing;
mod relay;
pub mod results;
mod seats;
pub mod settings;

pub use arena::{Arena, Controls, End};
pub use host::Host;
pub use results::{GameResult, PlayerResult, Progress};
pub use settings::{House, Settings};
