//! What a server sends on one connection.

use bytes::Bytes;
use futures_util::{SinkExt, StreamExt};
use game::pacman::{Reading, StateError, StateReader};
use protocol::{
    CodecError, FrameCodec, FrameTooLong, Registration, SERVER_FRAME_LIMIT, ServerMessage,
    UnknownMessage,
};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_util::codec::Framed;

/// How a connection ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The server has said that it is over.
    Quit,
    /// The server has refused the registration.
    Refused,
    /// The connection is gone.
    Lost,
}

/// The server does not speak the protocol.
#[derive(Debug, thiserror::Error)]
pub enum ProtocolError {
    /// A message is longer than any state.
    #[error("the server sent {0}")]
    TooLong(#[from] FrameTooLong),
    /// A message is none that a server sends.
    #[error("the server sent a message that it should not: {0}")]
    Message(#[from] UnknownMessage),
    /// A state cannot be read.
    #[error("the server sent a state that cannot be read: {0}")]
    State(#[from] StateError),
    /// A state is addressed to nobody who plays in it.
    #[error("the server addressed a state to {id:?}, expected the letter of one of its players")]
    Id {
        /// The address.
        id: String,
    },
}

/// The states that come on a connection, one after the other.
pub(crate) struct States<S> {
    frames: Framed<S, FrameCodec>,
    message: Bytes,
    reader: StateReader,
}

/// What comes next on a connection.
pub(crate) enum Next<'a> {
    /// A state, and whom it is addressed to.
    State { id: &'a str, reading: &'a Reading },
    /// Nothing any more.
    End(End),
}

impl<S: AsyncRead + AsyncWrite + Unpin> States<S> {
    /// Registers; `None` when the connection is gone.
    pub(crate) async fn register(stream: S, registration: &Registration) -> Option<Self> {
        let frames = Framed::new(stream, FrameCodec::new(SERVER_FRAME_LIMIT));
        let mut states = Self { frames, message: Bytes::new(), reader: StateReader::new() };
        let registered = states.send(registration.encode().as_bytes()).await;
        registered.then_some(states)
    }

    /// Waits for the next state.
    pub(crate) async fn next(&mut self) -> Result<Next<'_>, ProtocolError> {
        self.message = match self.frames.next().await {
            Some(Ok(message)) => message,
            Some(Err(CodecError::TooLong(error))) => return Err(error.into()),
            Some(Err(CodecError::Io(_))) | None => return Ok(Next::End(End::Lost)),
        };
        match ServerMessage::decode(&self.message)? {
            ServerMessage::State { id, state } => {
                Ok(Next::State { id, reading: self.reader.read(state)? })
            }
            ServerMessage::Quit => Ok(Next::End(End::Quit)),
            ServerMessage::Refused => Ok(Next::End(End::Refused)),
        }
    }

    /// Sends a message; `false` when the connection is gone.
    pub(crate) async fn send(&mut self, message: &[u8]) -> bool {
        self.frames.send(message).await.is_ok()
    }
}
