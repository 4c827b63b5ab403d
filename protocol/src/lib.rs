//! The wire protocol of Pacman IUT'O, without I/O. PROTOCOL.md is its description.
//!
//! - [`frame`]: messages out of a stream of bytes; [`codec`] is its adapter to tokio-util.
//! - [`registration`]: the first message of a client, with [`name`] and [`secret`].
//! - [`server_message`]: what a server sends.
//! - [`service`]: how a server is found.
//!
//! The text of a state and that of an order belong to the notation of the game.

#[cfg(feature = "codec")]
pub mod codec;
pub mod frame;
pub mod name;
pub mod registration;
pub mod secret;
pub mod server_message;
pub mod service;

#[cfg(feature = "codec")]
pub use codec::{CodecError, FrameCodec};
pub use frame::{FrameDecoder, FrameTooLong, encode_frame};
pub use name::Name;
pub use registration::{Registration, RegistrationError, Role};
pub use secret::Secret;
pub use server_message::{ServerMessage, UnknownMessage};

/// The port of the original server.
pub const DEFAULT_PORT: u16 = 1111;

/// The longest message that a server takes from a client, in bytes without the NUL.
pub const CLIENT_FRAME_LIMIT: usize = 1024;

/// The longest message that a client takes from a server, in bytes without the NUL.
pub const SERVER_FRAME_LIMIT: usize = 1024 * 1024;
