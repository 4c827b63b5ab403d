//! What waits to be sent on a connection.

use parking_lot::Mutex;
use protocol::ServerMessage;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

/// Maximum number of bytes that wait for a peer that does not read, without the maze that was put in last.
pub(crate) const LIMIT: usize = 1024 * 1024;

/// Messages for one connection. Putting one in never waits; everything that waits goes out in one
/// write.
#[derive(Debug, Default)]
pub(crate) struct Outbox {
    waiting: Mutex<Waiting>,
    changed: Notify,
    closed: CancellationToken,
}

#[derive(Debug, Default)]
struct Waiting {
    messages: Vec<u8>,
    /// How many of these bytes are the maze that was put in last. A maze may be nearly as long as all that may
    /// wait; a player that reads must not be disconnected for it.
    maze: usize,
}

/// Too many bytes are waiting: the message was not put in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Full;

impl Outbox {
    /// Puts a message in if that leaves no more than `room` bytes waiting; nothing happens once it is
    /// closed. A first message always fits, however long.
    ///
    /// # Errors
    ///
    /// When there is no room for it, because the peer does not read.
    pub(crate) fn push(&self, message: ServerMessage<'_>, room: usize) -> Result<(), Full> {
        let mut waiting = self.waiting.lock();
        if self.closed.is_cancelled() {
            return Ok(());
        }
        let (maze, counted) = match message {
            ServerMessage::Maze { .. } => (message.encoded_len() + 1, 0),
            _ => (waiting.maze, message.encoded_len()),
        };
        let others = waiting.messages.len() - waiting.maze;
        if others > 0 && others + counted >= room {
            return Err(Full);
        }
        waiting.maze = maze;
        append(&mut waiting.messages, message);
        drop(waiting);
        self.changed.notify_one();
        Ok(())
    }

    /// Puts a last message in, whether there is room or not.
    pub(crate) fn close(&self, message: ServerMessage<'_>) {
        let mut waiting = self.waiting.lock();
        if !self.closed.is_cancelled() {
            append(&mut waiting.messages, message);
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
                if !waiting.messages.is_empty() {
                    std::mem::swap(&mut waiting.messages, batch);
                    waiting.maze = 0;
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
        let long = vec![b'x'; LIMIT / 2];
        let push = || outbox.push(ServerMessage::State { id: "1", state: &long }, LIMIT);
        assert_eq!(push(), Ok(()));
        assert_eq!(push(), Err(Full));
        // Mazes that are not read fill it as well, all but the last.
        let maze = || outbox.push(ServerMessage::Maze { id: "1", maze: &long }, LIMIT);
        assert_eq!((maze(), maze(), maze()), (Ok(()), Ok(()), Err(Full)));
        let longer = vec![b'x'; 2 * LIMIT];
        let first = ServerMessage::State { id: "1", state: &longer };
        assert_eq!(Outbox::default().push(first, LIMIT), Ok(()));
    }
}
