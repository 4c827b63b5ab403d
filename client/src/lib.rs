//! The client's side of the protocol, for bots and for spectators.
//!
//! [`play`] plays a [`ClientGame`] on one connection of any kind, and [`watch`] watches on one; a [`Session`] connects to
//! a server over TCP, and reconnects when the connection is lost; [`discovery`] finds the servers that announce themselves.
//! The [`viewer`] shows games in a terminal.

#[cfg(feature = "viewer")]
pub mod afficheur;
pub mod discovery;
#[cfg(feature = "program")]
pub mod find_server;
mod games;
mod play;
#[cfg(feature = "program")]
pub mod program;
#[cfg(feature = "program")]
mod server_flags;
mod session;
mod states;
#[cfg(feature = "viewer")]
pub mod viewer;
mod watch;

pub use games::{ClientGame, ClientPacman, ClientPyRat, Reply, Seen};
pub use play::{Inline, Thinker, Threaded, play};
pub use session::{Line, News, Session, SessionError};
pub use states::{ConnectionEnd, GameReading, ProtocolError};
pub use watch::watch;
