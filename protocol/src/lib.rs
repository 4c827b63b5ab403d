//! The wire protocol of Pacman IUT'O, without I/O. PROTOCOL.md is its description.
//!
//! - [`frame`]: splits a stream of bytes into messages; [`codec`] adapts it to tokio-util.
//! - [`registration`]: the first message of a client, with its [`name`] and [`secret`].
//! - [`server_message`]: the messages of a server.
//! - [`command`]: the words that start a client.
//! - [`service`]: how a client finds a server on the local network.
//!
//! The crate `game` reads and writes the texts of states and orders.

#[cfg(feature = "codec")]
pub mod codec;
pub mod command;
pub mod frame;
pub mod name;
pub mod registration;
pub mod secret;
pub mod server_message;
pub mod service;

#[cfg(feature = "codec")]
pub use codec::CodecError;
pub use frame::{FrameCodec, FrameTooLong, encode_frame};
pub use name::{Name, is_invisible};
pub use registration::{Registration, RegistrationError, Role};
pub use secret::Secret;
pub use server_message::{ServerMessage, UnknownMessage};

/// Default TCP port, that of the original server.
pub const DEFAULT_PORT: u16 = 1111;

/// Maximum length of a message from a client, in bytes without the NUL.
pub const CLIENT_FRAME_LIMIT: usize = 1024;
/// Maximum number of bytes of a thought, which may follow an order and a `;`.
pub const THOUGHT_LIMIT: usize = 1000;

/// The longest start of a text that takes at most `most` bytes and cuts no character in two.
pub fn cut(text: &str, most: usize) -> &str {
    let fits = |at: &usize| text.is_char_boundary(*at);
    &text[..(0..=most.min(text.len())).rev().find(fits).unwrap_or(0)]
}

/// Maximum length of a message from a server, in bytes without the NUL.
pub const SERVER_FRAME_LIMIT: usize = 1024 * 1024;
