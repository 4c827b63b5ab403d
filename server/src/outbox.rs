//! What waits to be sent on a connection.

use parking_lot::Mutex;
use protocol::ServerMessage;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

/// The most bytes that wait for a peer that does not read.
pub(crate) const LIMIT: usize = 1024 * 1024;

/// Messages for one connection. Putting one in never waits; everything that waits goes out in one
/// write.
#[derive(Debug, Default)]
pub(crate) struct Outbox {
    waiting: Mutex<Vec<u8>>,
    changed: Notify,
    closed: CancellationToken,
}

/// Too many bytes are waiting: the message was not put in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Full;

impl Outbox {
    /// Puts a message in if less than `room` bytes are waiting; nothing happens once the outbox is closed. So the
    /// longest maze and the state after it fit into an outbox that is empty.
    ///
    /// # Errors
    ///
    /// When there is no room for it, because the peer does not read.
    pub(crate) fn push(&self, message: ServerMessage<'_>, room: usize) -> Result<(), Full> {
        let mut waiting = self.waiting.lock();
        if self.closed.is_cancelled() {
            return Ok(());
        }
        if waiting.len() >= room {
            return Err(Full);
        }
        append(&mut waiting, message);
        drop(waiting);
        self.changed.notify_one();
        Ok(())
    }

    /// Puts a last message in, whether there is room or not.
    pub(crate) fn close(&self, message: ServerMessage<'_>) {
        let mut waiting = self.waiting.lock();
        if !self.closed.is_cancelled() {
            append(&mut waiting, message);
            self.closed.cancel();
            drop(waiting);
            self.changed.notify_one();
        }
    }

    /// Whether the last message is in.
    pub(crate) fn is_closed(&self) -> bool {
        self.closed.is_cancelled()
    }

    /// Waits until the last message is in.
    pub(crate) async fn closed(&self) {
        self.closed.cancelled().await;
    }

    /// Waits for messages and exchanges them for `batch`, which is cleared; `false` when there
    /// will be none any more.
    pub(crate) async fn take(&self, batch: &mut Vec<u8>) -> bool {
        batch.clear();
        loop {
            {
                let mut waiting = self.waiting.lock();
                if !waiting.is_empty() {
                    std::mem::swap(&mut *waiting, batch);
                    return true;
                }
                if self.closed.is_cancelled() {
                    return false;
                }
            }
            self.changed.notified().await;
        }
    }
}

fn append(waiting: &mut Vec<u8>, message: ServerMessage<'_>) {
    message.encode(waiting);
    waiting.push(0);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn everything_that_waits_goes_out_at_once_and_closing_is_last() {
        let outbox = Outbox::default();
        let state = |state| ServerMessage::State { id: "A", state };
        outbox.push(state(b"one"), LIMIT).unwrap();
        outbox.push(state(b"two"), LIMIT).unwrap();
        let mut batch = b"old".to_vec();
        assert!(outbox.take(&mut batch).await);
        assert_eq!(batch, b"jeu;A\none\0jeu;A\ntwo\0");
        outbox.close(ServerMessage::Quit);
        outbox.push(state(b"three"), LIMIT).unwrap();
        assert!(outbox.take(&mut batch).await);
        assert_eq!(batch, b"quit\n\0");
        assert!(!outbox.take(&mut batch).await);
    }

    #[test]
    fn a_peer_that_does_not_read_fills_it() {
        let outbox = Outbox::default();
        let long = vec![b'x'; LIMIT - 1];
        let push = || outbox.push(ServerMessage::State { id: "1", state: &long }, LIMIT);
        assert_eq!(push(), Ok(()), "a maze of nearly the longest message");
        assert_eq!(push(), Err(Full), "and what is more than a state");
    }
}
