//! Watching on one connection.

use protocol::Registration;
use tokio::io::{AsyncRead, AsyncWrite};

use crate::states::{End, Next, ProtocolError, Reading, States};

/// Registers and hands every state to `show`, until the connection ends. While `show` takes its
/// time nothing is read, and a server does not wait for its spectators: it skips states.
///
/// # Errors
///
/// When the server breaks the protocol. A connection that fails is [`End::Lost`].
pub async fn watch<S: AsyncRead + AsyncWrite + Unpin>(
    stream: S,
    registration: &Registration,
    mut show: impl AsyncFnMut(Reading<'_>),
) -> Result<End, ProtocolError> {
    let Some(mut states) = States::register(stream, registration).await else {
        return Ok(End::Lost);
    };
    loop {
        match states.next().await? {
            Next::State { reading, .. } => show(reading).await,
            Next::Maze => {}
            Next::End(end) => return Ok(end),
        }
    }
}
