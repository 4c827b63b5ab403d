//! The messages from a player, read by its game or by the task of its connection.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use bytes::BytesMut;
use parking_lot::Mutex;
use protocol::{CodecError, FrameCodec};
use smallvec::SmallVec;
use tokio::io::{AsyncRead as _, ReadBuf};
use tokio::sync::Notify;
use tokio::time::Instant;
use tokio_util::codec::FramedRead;

use crate::transport::Arrivals;

/// Maximum number of messages of one player read before other tasks or players are served.
const MOST: usize = 8;

/// Maximum number of bytes of a read. Orders have one or two bytes and a NUL.
const CHUNK: usize = 64;

/// The text of a message, without its NUL. Orders have one or two bytes, which need no allocation.
pub(crate) type Text = SmallVec<[u8; 16]>;

/// A message of a player, and its arrival time.
#[derive(Clone, Debug)]
pub(crate) struct Message {
    pub(crate) text: Text,
    pub(crate) at: Instant,
}

/// The messages of a player. A game [reads](GameInbox) its players' messages itself, so that no other task has to run
/// between a message and the referee. While the player is in no game, the task of its connection reads and drops the
/// messages, and notices the end of the connection.
#[derive(Debug, Default)]
pub(crate) struct Inbox(Mutex<InboxState>);

#[derive(Debug, Default)]
struct InboxState {
    /// `None` before the registration, while a game reads, and after the end.
    messages: Option<Messages>,
    /// True between the registration and the end of the messages.
    is_open: bool,
    /// The outcome of reading, kept until the connection's task takes it.
    end: Option<Result<(), CodecError>>,
    /// Wakes the task of the connection.
    owner: Option<Waker>,
    /// Wakes the game; `None` if it does not wait for the registration.
    game: Option<Waker>,
    /// True if a game reads.
    is_played: bool,
    /// True if the player is silent: connected, but it sent nothing for some turns.
    is_silent: bool,
    /// Notified when a silent player sends something while it is in no game.
    silence: Option<Arc<Notify>>,
}

/// The messages of a player while it plays. The game owns them, so that a poll without messages touches no data shared
/// with other tasks.
#[derive(Debug, Default)]
pub(crate) struct GameInbox(Option<Messages>);

/// Reads messages from a connection.
///
/// [`FramedRead`] does the same with a buffer of its own for each connection. With hundreds of connections these
/// buffers fall out of the cache between two messages; here, a message that arrives alone and whole needs none.
struct Messages {
    reader: Box<dyn Arrivals + Send>,
    codec: FrameCodec,
    /// Bytes read but not yet decoded.
    buffer: BytesMut,
}

impl Messages {
    /// The next message, as in [`Stream::poll_next`](futures_util::Stream::poll_next).
    fn poll_next(
        &mut self,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Message, CodecError>>> {
        loop {
            if !self.buffer.is_empty()
                && let Some(text) = self.codec.decode(&mut self.buffer).transpose()
            {
                let at = self.reader.arrived();
                let text = text.map_err(CodecError::from);
                return Poll::Ready(Some(text.map(|text| Message { text: (&*text).into(), at })));
            }
            let mut bytes = [0; CHUNK];
            let mut chunk = ReadBuf::new(&mut bytes);
            std::task::ready!(Pin::new(&mut self.reader).poll_read(context, &mut chunk))?;
            match chunk.filled() {
                [] => return Poll::Ready(None),
                [text @ .., 0] if self.buffer.is_empty() && !text.contains(&0) => {
                    let (text, at) = (text.into(), self.reader.arrived());
                    return Poll::Ready(Some(Ok(Message { text, at })));
                }
                part => self.buffer.extend_from_slice(part),
            }
        }
    }

    /// Tests if the connection is known to hold no further message.
    fn is_empty(&self) -> bool {
        self.buffer.is_empty() && self.reader.is_empty()
    }
}

impl Inbox {
    /// Opens the inbox: messages are read from `frames` from now on.
    pub(crate) fn open<R>(&self, frames: FramedRead<R, FrameCodec>)
    where
        R: Arrivals + Send + 'static,
    {
        let parts = frames.into_parts();
        let (reader, codec, buffer) = (Box::new(parts.io), parts.codec, parts.read_buf);
        let mut reading = self.0.lock();
        reading.messages = Some(Messages { reader, codec, buffer });
        reading.is_open = true;
        if let Some(game) = reading.game.take() {
            game.wake();
        }
    }

    /// Sets the listener to notify when a silent player sends something while it is in no game.
    pub(crate) fn tell_of_silence(&self, listener: Arc<Notify>) {
        self.0.lock().silence = Some(listener);
    }

    /// Lends the messages to a game, which reads them through the returned inbox.
    pub(crate) fn begin_game(&self) -> GameInbox {
        self.0.lock().is_played = true;
        GameInbox(None)
    }

    /// Gives the messages back to the connection's task.
    pub(crate) fn end_game(&self, game: GameInbox) {
        let mut reading = self.0.lock();
        reading.is_played = false;
        if let Some(mut messages) = game.0 {
            messages.reader.set_arrival(None);
            reading.messages = Some(messages);
        }
        reading.wake_owner();
    }

    /// Hands over the messages. Pending before the registration, because a bot of the house is seated before it registers.
    fn poll_lend(&self, context: &Context<'_>) -> Poll<Messages> {
        let mut reading = self.0.lock();
        if let Some(messages) = reading.messages.take() {
            return Poll::Ready(messages);
        }
        reading.game = Some(context.waker().clone());
        Poll::Pending
    }

    /// Notes that a game has read to the end.
    fn end(&self, end: Result<(), CodecError>) {
        let mut reading = self.0.lock();
        reading.is_open = false;
        reading.end = Some(end);
        reading.wake_owner();
    }

    /// Reads and drops messages while no game reads; `Ready` when the player has stopped writing, broken the protocol or
    /// lost its connection.
    pub(crate) fn poll_end(&self, context: &mut Context<'_>) -> Poll<Result<(), CodecError>> {
        let reading = &mut *self.0.lock();
        if let Some(end) = reading.end.take() {
            return Poll::Ready(end);
        }
        match &mut reading.owner {
            Some(owner) => owner.clone_from(context.waker()),
            None => reading.owner = Some(context.waker().clone()),
        }
        let Some(messages) = reading.messages.as_mut().filter(|_| !reading.is_played) else {
            return Poll::Pending;
        };
        for _ in 0..MOST {
            let end = match std::task::ready!(messages.poll_next(context)) {
                None => Ok(()),
                Some(Err(error)) => Err(error),
                Some(Ok(_)) => {
                    if let Some(silence) = reading.silence.as_ref().filter(|_| reading.is_silent) {
                        silence.notify_one();
                    }
                    reading.is_silent = false;
                    continue;
                }
            };
            reading.messages = None;
            reading.is_open = false;
            return Poll::Ready(end);
        }
        context.waker().wake_by_ref();
        Poll::Pending
    }

    /// Sets whether the player is silent: connected but absent.
    pub(crate) fn set_silent(&self, is_silent: bool) {
        self.0.lock().is_silent = is_silent;
    }

    /// Tests if the player has stopped writing, even if the hall does not know yet.
    pub(crate) fn has_ended(&self) -> bool {
        !self.0.lock().is_open
    }

    /// Tests if the player is silent: connected but absent, and has sent nothing since.
    pub(crate) fn is_silent(&self) -> bool {
        self.0.lock().is_silent
    }
}

impl InboxState {
    fn wake_owner(&self) {
        if let Some(owner) = &self.owner {
            owner.wake_by_ref();
        }
    }
}

impl GameInbox {
    /// Passes the messages that have arrived to `each`; `inbox` is the player's own. `Ready` after a message or the end:
    /// there may be more. `arrival` is the arrival time given to the messages; `None` takes the time from the system.
    pub(crate) fn poll(
        &mut self,
        inbox: &Inbox,
        arrival: Option<Instant>,
        context: &mut Context<'_>,
        mut each: impl FnMut(Message),
    ) -> Poll<()> {
        let messages = match &mut self.0 {
            Some(messages) => messages,
            none => none.insert(std::task::ready!(inbox.poll_lend(context))),
        };
        messages.reader.set_arrival(arrival);
        for read in 0..MOST {
            match messages.poll_next(context) {
                Poll::Ready(Some(Ok(message))) => {
                    each(message);
                    if messages.is_empty() {
                        break;
                    }
                }
                Poll::Pending if read == 0 => return Poll::Pending,
                Poll::Pending => break,
                Poll::Ready(end) => {
                    self.0 = None;
                    inbox.end(end.map_or(Ok(()), |end| end.map(drop)));
                    break;
                }
            }
        }
        Poll::Ready(())
    }
}

impl fmt::Debug for Messages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Messages").finish_non_exhaustive()
    }
}
