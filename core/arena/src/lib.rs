//! Plays games between clients over any kind of connection: sockets, pipes, memory.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`host`] | the doors through which connections come in; `connection` serves each connection in a task of its own |
//! | `transport`, `web_socket` | the bytes of TCP connections, with their times of arrival, and of WebSocket connections above them |
//! | `peer` | state shared by a connection, the hall and a game: `outbox`, `inbox`, debts |
//! | `registry`, `secret_hash` | the identities of players: names, secrets, failures |
//! | `driver` | one game: the rules, a [`referee`], and the connections of the players |
//! | `audience` | the spectators, in a task of their own |
//! | [`hall`] | teams that stay for many games, each played by a driver |
//! | [`series`] | a hall with one table, and a lobby in which players gather for it |
//! | [`games`] | the interface of Pacman and PyRat to the driver |
//!
//! Data flows one way: connections send events to the hall, and their messages wait for the game; the hall sends
//! commands to games; games send events to the audience and observers. No peer can make a game wait beyond a deadline.

mod audience;
mod coach;
mod connection;
mod driver;
pub mod games;
pub mod hall;
pub mod host;
mod house;
mod inbox;
mod notices;
pub mod observers;
mod opening;
mod outbox;
mod peer;
mod places;
pub mod practice;
mod registry;
pub mod results;
mod secret_hash;
pub mod series;
pub mod settings;
mod transport;
mod web_socket;

pub use games::{Game, Pacman, PyRat};
pub use hall::Hall;
pub use host::Host;
pub use observers::{Lost, Observation, Observer};
pub use referee::{Misses, Thinking};
pub use results::{EndReason, GameResult, PlayerResult, Points, Progress, Standing};
pub use series::{Series, SeriesControls};
pub use settings::{House, HouseBot, Settings};
