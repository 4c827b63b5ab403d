//! The client's side of the protocol around a bot.
//!
//! [`play`] plays on one connection, whatever it is made of; [`session`] finds a server over TCP
//! and comes back when the line drops.

pub mod play;
pub mod session;

pub use play::{End, PlayError, Seen, play};
pub use session::{Session, SessionError};
