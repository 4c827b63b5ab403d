//! A session with the bot: the connection from its start to its end.

use std::time::Duration;

use bytes::{Bytes, BytesMut};
use protocol::{FrameCodec, Name, encode_frame};
use referee::Verdict;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::yield_now;
use tokio::time::{Instant, timeout, timeout_at};

use plan::Team;

use super::Options;
use super::fact::Ending;
use super::finding::Finding;
use super::opening::{not_started, register};
use super::player::{Entry, Player};

/// Longest wait for a bot to accept a message.
pub(super) const SENDING: Duration = Duration::from_secs(2);
/// Longest wait for a program to end once its connection is closed.
pub(super) const COLLAPSE: Duration = Duration::from_secs(1);
/// Longest wait for the bot to close the connection after the farewell.
const CLOSE: Duration = Duration::from_millis(500);
/// Longest wait for a program to end by itself once the check no longer needs it.
const LEAVE: Duration = Duration::from_millis(300);
/// Longest wait for a program to end after the farewell.
pub(super) const FAREWELL: Duration = Duration::from_secs(3);
/// Number of characters of a message that are shown.
const SHOWN: usize = 40;

/// A bot that has registered.
pub(super) struct Session {
    player: Player,
    stream: TcpStream,
    decoder: FrameCodec,
    buffer: BytesMut,
    /// The times when the last bytes of the states were sent.
    asked: Vec<Instant>,
    /// The number of states answered so far, in time or late.
    heard: usize,
    /// The number of messages so far that answered no state.
    pub(super) surplus: u32,
    /// The time of the slowest late answer, if any.
    pub(super) latest: Option<Duration>,
    /// Time from the start of the program to the registration.
    pub(super) registered: Duration,
    pub(super) name: String,
}

/// The reason why a connection is unusable.
pub(super) enum Broken {
    Closed,
    /// The bot sent a longer message than a server accepts.
    TooLong,
}

/// An answer and the time it took; `None` if none came in time.
pub(super) type Reply = Result<Option<(Bytes, Duration)>, Broken>;

/// The end of a session.
#[derive(Debug)]
pub(super) struct Departure {
    /// The end of the program; `None` if it had to be killed.
    pub(super) ending: Option<Ending>,
    /// Time that the program took to end, or that the check waited.
    pub(super) after: Duration,
    /// `true` if a program that did not end kept a processor busy; `None` if unknown, or if the program ended.
    pub(super) busy: Option<bool>,
    /// The number of messages that answered no state.
    pub(super) surplus: u32,
    /// The last lines of the program's output.
    pub(super) output: Vec<String>,
}

impl Session {
    /// Starts the team's program and waits until it has registered. If `is_trapped`, also detects a connection to
    /// the trap of the sandbox instead of the given port.
    ///
    /// # Errors
    ///
    /// The finding that explains why the session could not start.
    pub(super) async fn open(
        team: &Team,
        options: &Options,
        name: &str,
        is_trapped: bool,
    ) -> Result<Self, Finding> {
        let began = Instant::now();
        let Entry { mut player, listener, trap } = Player::start(team, options, name)
            .await
            .map_err(|error| Finding::failure(not_started(error, team)))?;
        let trap = trap.filter(|_| is_trapped);
        match register(&mut player, team, options, &listener, trap, began).await {
            Ok((stream, decoder, buffer, name)) => Ok(Self {
                player,
                stream,
                decoder,
                buffer,
                asked: Vec::new(),
                heard: 0,
                surplus: 0,
                latest: None,
                registered: began.elapsed(),
                name,
            }),
            Err(fact) => {
                let output = player.finish().await;
                Err(Finding::failure(fact).with(&output))
            }
        }
    }

    /// Sends a state, and waits for its answer.
    pub(super) async fn ask(&mut self, state: &[u8], deadline: Duration) -> Reply {
        self.clear().await?;
        self.begin_state();
        self.send(&frame(state)).await;
        self.answer(deadline).await
    }

    /// Records that a state is about to be sent: messages from now on may answer it.
    pub(super) fn begin_state(&mut self) {
        self.asked.push(Instant::now());
    }

    /// Sends bytes, which need not be a whole message. The time for an answer begins anew: the bot cannot answer a part of a state.
    pub(super) async fn send(&mut self, bytes: &[u8]) {
        // A failure shows in the answers: the bot has left or does not read.
        let _ = timeout(SENDING, self.stream.write_all(bytes)).await;
        if let Some(asked) = self.asked.last_mut() {
            *asked = Instant::now();
        }
    }

    /// Waits for the answer to the current state.
    pub(super) async fn answer(&mut self, deadline: Duration) -> Reply {
        let asked = self.asked.last().copied().unwrap_or_else(Instant::now);
        while let Some(text) = self.hear(asked + deadline).await? {
            if self.take() == Verdict::Current {
                return Ok(Some((text, asked.elapsed())));
            }
        }
        Ok(None)
    }

    /// Waits for any message, such as a late answer, and returns `true` if one came.
    pub(super) async fn any(&mut self, patience: Duration) -> bool {
        let is_heard = matches!(self.hear(Instant::now() + patience).await, Ok(Some(_)));
        if is_heard {
            self.take();
        }
        is_heard
    }

    /// Counts all states sent so far as answered.
    pub(super) fn forgive(&mut self) {
        self.heard = self.asked.len();
    }

    /// The number of states answered so far, in time or late.
    pub(super) fn heard(&self) -> usize {
        self.heard
    }

    /// The start of a message whose NUL has not arrived yet, if any.
    pub(super) fn partial(&self) -> Option<String> {
        (!self.buffer.is_empty()).then(|| shown(&self.buffer))
    }

    /// Sends nothing for a while; returns the message of the bot meanwhile, or an error if it closed the connection.
    pub(super) async fn stay_quiet(&mut self, patience: Duration) -> Result<Option<String>, ()> {
        match self.hear(Instant::now() + patience).await {
            Ok(Some(text)) => Ok(Some(shown(&text))),
            Ok(None) | Err(Broken::TooLong) => Ok(self.partial()),
            Err(Broken::Closed) => Err(()),
        }
    }

    /// Announces the end of the last game, and waits for the program to end.
    pub(super) async fn farewell(mut self) -> Departure {
        // The bot may have sent one more message.
        let _ = self.clear().await;
        let said = Instant::now();
        self.send(b"quit\n\0").await;
        // An error means that the bot has left already.
        let _ = self.stream.shutdown().await;
        while let Ok(Some(_)) = self.hear(said + CLOSE).await {
            self.take();
        }
        let Self { mut player, stream, surplus, .. } = self;
        let mut watched = None;
        let half = said + FAREWELL / 2;
        let mut ending = timeout_at(half, player.wait()).await.ok();
        drop(stream);
        if ending.is_none() {
            watched = player.processor_time();
            ending = timeout_at(said + FAREWELL, player.wait()).await.ok();
        }
        let after = said.elapsed();
        let busy = match (ending, watched, player.processor_time()) {
            // Occasional polling stays below this limit; a busy loop exceeds it even on a busy machine.
            (None, Some(before), Some(now)) => Some(now.saturating_sub(before) > FAREWELL / 30),
            _ => None,
        };
        Departure { ending, after, busy, surplus, output: player.finish().await }
    }

    /// Drops a connection that is closed or unusable, and ends the program after a grace period.
    pub(super) async fn collapse(self) -> Departure {
        let Self { mut player, stream, surplus, .. } = self;
        drop(stream);
        let began = Instant::now();
        let ending = timeout(COLLAPSE, player.wait()).await.ok();
        let after = began.elapsed();
        Departure { ending, after, busy: None, surplus, output: player.finish().await }
    }

    /// Ends the program after a short time to clean up, and returns the last lines of its output.
    pub(super) async fn end(mut self) -> Vec<String> {
        self.send(b"quit\n\0").await;
        let _ = self.stream.shutdown().await;
        let Self { mut player, stream, .. } = self;
        let _ = timeout(LEAVE, player.wait()).await;
        drop(stream);
        player.finish().await
    }

    /// Reads the messages that arrived before the next state and cannot answer it.
    async fn clear(&mut self) -> Result<(), Broken> {
        // The runtime must poll the socket before the data that arrived can be read.
        yield_now().await;
        while self.hear(Instant::now()).await?.is_some() {
            self.take();
        }
        Ok(())
    }

    /// Counts a received message: the nth message answers the nth state.
    fn take(&mut self) -> Verdict {
        let Some(asked) = self.asked.get(self.heard) else {
            self.surplus += 1;
            return Verdict::Unasked;
        };
        self.heard += 1;
        if self.heard == self.asked.len() {
            return Verdict::Current;
        }
        self.latest = self.latest.max(Some(asked.elapsed()));
        Verdict::Late
    }

    /// The next message; `None` if none comes in time.
    async fn hear(&mut self, until: Instant) -> Result<Option<Bytes>, Broken> {
        loop {
            match self.decoder.decode(&mut self.buffer) {
                Ok(Some(message)) => return Ok(Some(message)),
                Ok(None) => {}
                Err(_) => return Err(Broken::TooLong),
            }
            match timeout_at(until, self.stream.read_buf(&mut self.buffer)).await {
                Err(_) => return Ok(None),
                Ok(Ok(0) | Err(_)) => return Err(Broken::Closed),
                Ok(Ok(_)) => {}
            }
        }
    }
}

/// Tests if a bot sent the name given to it, with its harmful characters replaced.
pub(super) fn is_same_name(given: &str, sent: &str) -> bool {
    Name::new(given).as_str() == sent
}

/// Returns a message with its NUL.
pub(super) fn frame(message: &[u8]) -> BytesMut {
    let mut framed = BytesMut::new();
    encode_frame(message, &mut framed);
    framed
}

/// The start of the bytes received, with escapes for control characters.
pub(super) fn shown(received: &[u8]) -> String {
    let text = String::from_utf8_lossy(received);
    let mut short = String::new();
    for c in text.chars().take(SHOWN) {
        if c.is_control() { short.extend(c.escape_debug()) } else { short.push(c) }
    }
    match text.chars().nth(SHOWN) {
        Some(_) => format!("{short}…"),
        None => short,
    }
}
