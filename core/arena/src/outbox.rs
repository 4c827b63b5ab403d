//! The messages that wait to be sent on a connection.

use std::cell::RefCell;

use parking_lot::Mutex;
use protocol::ServerMessage;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

/// Number of waiting bytes from which further messages for a slow peer are rejected.
pub(crate) const LIMIT: usize = 1024 * 1024;

thread_local! {
    /// Buffer for messages sent at once. All connections of a thread share it, so that it stays in the cache.
    static SCRATCH: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Number of waiting bytes from which a held message is written without a flush.
const ENOUGH: usize = 16 * 1024;

/// The messages for one connection. Pushing a message never blocks. A message is sent at once if the system accepts
/// it; otherwise it waits for the task of the connection, which writes all waiting messages together.
#[derive(Debug, Default)]
pub(crate) struct Outbox {
    queue: Mutex<Queue>,
    changed: Notify,
    /// Cancelled when the outbox is closed.
    pub(crate) closed: CancellationToken,
}

#[derive(Debug, Default)]
struct Queue {
    waiting: Vec<u8>,
    /// True while the task writes a batch, which no message may overtake.
    is_writing: bool,
    is_closed: bool,
}

/// Too many bytes are waiting: the message was rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Full;

impl Queue {
    /// Tests if the outbox is open. Fails when `room` bytes are waiting.
    fn takes(&self, room: usize) -> Result<bool, Full> {
        match self.is_closed {
            true => Ok(false),
            false if self.waiting.len() >= room => Err(Full),
            false => Ok(true),
        }
    }
}

impl Outbox {
    /// Adds a message if less than `room` bytes are waiting; does nothing once the outbox is closed. So the longest
    /// maze and the state after it fit into an empty outbox. If no bytes wait, `write` may write as much of the message
    /// as the system accepts; it returns the number of bytes. Fails when there is no room for the message, because the
    /// peer does not read.
    pub(crate) fn push(
        &self,
        message: ServerMessage<'_>,
        room: usize,
        write: impl FnOnce(&[u8]) -> usize,
    ) -> Result<(), Full> {
        let mut queue = self.queue.lock();
        if !queue.takes(room)? {
            return Ok(());
        }
        if queue.waiting.is_empty() && !queue.is_writing {
            SCRATCH.with_borrow_mut(|scratch| {
                scratch.clear();
                append(scratch, message);
                let written = write(scratch);
                queue.waiting.extend_from_slice(&scratch[written..]);
            });
        } else {
            append(&mut queue.waiting, message);
        }
        if !queue.waiting.is_empty() {
            drop(queue);
            self.changed.notify_one();
        }
        Ok(())
    }

    /// Adds a message as [`push`](Self::push) does, to be written at the next [`flush`](Self::flush) or once enough
    /// bytes wait. Fails when there is no room for the message, because the peer does not read.
    pub(crate) fn hold(&self, message: ServerMessage<'_>, room: usize) -> Result<(), Full> {
        let mut queue = self.queue.lock();
        if !queue.takes(room)? {
            return Ok(());
        }
        append(&mut queue.waiting, message);
        if queue.waiting.len() >= ENOUGH {
            drop(queue);
            self.changed.notify_one();
        }
        Ok(())
    }

    /// Starts the writing of the waiting messages; false if there are none.
    pub(crate) fn flush(&self) -> bool {
        let is_waiting = !self.queue.lock().waiting.is_empty();
        if is_waiting {
            self.changed.notify_one();
        }
        is_waiting
    }

    /// Adds a last message, even without room, and closes the outbox.
    pub(crate) fn close(&self, message: ServerMessage<'_>) {
        let mut queue = self.queue.lock();
        if !std::mem::replace(&mut queue.is_closed, true) {
            append(&mut queue.waiting, message);
            self.closed.cancel();
            drop(queue);
            self.changed.notify_one();
        }
    }

    /// Waits for messages and moves them to `batch`, whose old content was written and is dropped; `false` when the outbox
    /// is closed and empty.
    pub(crate) async fn take(&self, batch: &mut Vec<u8>) -> bool {
        batch.clear();
        loop {
            {
                let mut queue = self.queue.lock();
                queue.is_writing = !queue.waiting.is_empty();
                if queue.is_writing {
                    std::mem::swap(&mut queue.waiting, batch);
                    return true;
                }
                if queue.is_closed {
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
    use futures_util::FutureExt;

    use super::*;

    #[tokio::test]
    async fn waiting_messages_are_taken_as_one_batch_and_the_last_one_closes() {
        let outbox = Outbox::default();
        let state = |state| ServerMessage::State { id: "A", state };
        let push = |message| outbox.push(message, LIMIT, |_| 0).unwrap();
        push(state(b"one"));
        push(state(b"two"));
        let mut batch = b"old".to_vec();
        assert!(outbox.take(&mut batch).await);
        assert_eq!(batch, b"jeu;A\none\0jeu;A\ntwo\0");
        outbox.close(ServerMessage::Quit);
        push(state(b"three"));
        assert!(outbox.take(&mut batch).await);
        assert_eq!(batch, b"quit\n\0");
        assert!(!outbox.take(&mut batch).await);
    }

    #[tokio::test]
    async fn messages_are_written_directly_only_if_none_waits() {
        let outbox = Outbox::default();
        let written = RefCell::new(Vec::new());
        let push = |state, taken: usize| {
            let write = |bytes: &[u8]| {
                let taken = taken.min(bytes.len());
                written.borrow_mut().extend_from_slice(&bytes[..taken]);
                taken
            };
            outbox.push(ServerMessage::State { id: "A", state }, LIMIT, write).unwrap();
        };
        push(b"one", usize::MAX);
        push(b"two", 7);
        push(b"three", usize::MAX);
        assert_eq!(*written.borrow(), b"jeu;A\none\0jeu;A\nt");
        let mut batch = Vec::new();
        assert!(outbox.take(&mut batch).await);
        assert_eq!(batch, b"wo\0jeu;A\nthree\0");
        push(b"four", usize::MAX);
        assert!(outbox.take(&mut batch).await);
        assert_eq!(batch, b"jeu;A\nfour\0", "it waited for what was being written");
        assert!(outbox.take(&mut batch).now_or_never().is_none());
        push(b"five", usize::MAX);
        assert!(written.borrow().ends_with(b"five\0"));
    }

    #[test]
    fn outbox_of_a_peer_that_does_not_read_is_full() {
        let outbox = Outbox::default();
        let long = vec![b'x'; LIMIT - 1];
        let push = || outbox.push(ServerMessage::State { id: "1", state: &long }, LIMIT, |_| 0);
        assert_eq!(push(), Ok(()), "a maze of nearly the longest message");
        assert_eq!(push(), Err(Full), "and what is more than a state");
    }
}
