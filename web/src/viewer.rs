//! Browsers that are sent live events.

use std::time::Duration;

use axum::extract::ws::{Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use language::said;
use limits::TokenBucket;

use crate::visits::Pass;

/// Maximum number of bytes of a message from a viewer, which needs to send only its farewell.
const MESSAGE: usize = 4 * 1024;
/// Time per message that a viewer may send in the long run.
const PER_MESSAGE: Duration = Duration::from_millis(500);
/// Burst allowed ahead of the rate: 16 messages.
const BURST: Duration = Duration::from_secs(8);

/// A browser that is sent live events over a WebSocket.
#[derive(Debug)]
pub struct Viewer {
    socket: WebSocket,
    budget: TokenBucket,
}

/// The viewer is gone, or was disconnected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ViewerGone;

/// Upgrades the connection of a request to a viewer and runs `show` on it; refuses if all places are taken.
pub fn watch<F>(
    upgrade: WebSocketUpgrade,
    pass: &Pass,
    show: impl FnOnce(Viewer) -> F + Send + 'static,
) -> Response
where
    F: Future<Output = ViewerGone> + Send + 'static,
{
    if !pass.watch() {
        let headers = [(header::RETRY_AFTER, "5")];
        let why = said!("too many watch already", "trop de personnes regardent déjà");
        return (StatusCode::SERVICE_UNAVAILABLE, headers, why).into_response();
    }
    upgrade
        .max_message_size(MESSAGE)
        .max_frame_size(MESSAGE)
        .read_buffer_size(MESSAGE)
        .write_buffer_size(0)
        .on_upgrade(|socket| async {
            let budget = TokenBucket::new(PER_MESSAGE, BURST);
            let ViewerGone = show(Viewer { socket, budget }).await;
        })
}

impl Viewer {
    /// Sends a text to the viewer.
    ///
    /// # Errors
    ///
    /// When the viewer is gone, or has not read for a while.
    pub async fn tell(&mut self, text: Utf8Bytes) -> Result<(), ViewerGone> {
        self.socket.send(Message::Text(text)).await.map_err(|_| ViewerGone)
    }

    /// Waits until the viewer is gone, or sends more than its budget. Cancel-safe.
    pub async fn gone(&mut self) -> ViewerGone {
        while let Some(Ok(message)) = self.socket.recv().await {
            if matches!(message, Message::Close(_)) || !self.budget.spend(1) {
                break;
            }
        }
        ViewerGone
    }
}
