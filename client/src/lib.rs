//! The client's side of the protocol, around a bot or before the eyes of a spectator.
//!
//! [`play`] plays a [`ClientGame`] on one connection and [`watch`] watches on one, whatever it is made of; a
//! [`Session`] finds a server over TCP and comes back when the line drops; [`discovery`] knows which servers announce
//! themselves. The [`viewer`] shows in
//! a terminal what is watched.

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

pub use games::{ClientGame, ClientPacman, ClientPyRat, Seen};
pub use play::{Inline, Thinker, Threaded, play};
pub use session::{Line, News, Session, SessionError};
pub use states::{ConnectionEnd, GameReading, ProtocolError};
pub use watch::watch;
