//! Watching on one connection.

use protocol::Registration;
use tokio::io::{AsyncRead, AsyncWrite};

use crate::states::{ConnectionEnd, GameReading, Next, ProtocolError, States};

/// Registers and calls `show` with every state, until the connection ends. Nothing is read meanwhile; for a spectator that
/// does not read, a server skips states.
///
/// # Errors
///
/// When the server breaks the protocol. A connection that fails is [`ConnectionEnd::Lost`].
pub async fn watch<S: AsyncRead + AsyncWrite + Unpin>(
    stream: S,
    registration: &Registration,
    mut show: impl AsyncFnMut(GameReading<'_>),
) -> Result<ConnectionEnd, ProtocolError> {
    let Some(mut states) = States::register(stream, registration).await else {
        return Ok(ConnectionEnd::Lost);
    };
    loop {
        match states.next().await? {
            Next::State { reading, .. } => show(reading).await,
            Next::Maze => {}
            Next::End(end) => return Ok(end),
        }
    }
}
