//! A connection with the bot, from its start to its end.

use std::time::Duration;

use bytes::{Bytes, BytesMut};
use protocol::{FrameDecoder, Name, encode_frame};
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

/// For a state to be taken by a bot that does not read.
pub(super) const SENDING: Duration = Duration::from_secs(2);
/// For a program to end whose connection is closed.
pub(super) const COLLAPSE: Duration = Duration::from_secs(1);
/// How long the connection stays open after the farewell if the bot does not close it.
const CLOSE: Duration = Duration::from_millis(500);
/// For a program to end that has done what it was wanted for.
const LEAVE: Duration = Duration::from_millis(300);
/// For a program to end after the farewell.
pub(super) const FAREWELL: Duration = Duration::from_secs(3);
/// More of a message is not shown.
const SHOWN: usize = 40;

/// A bot that has registered.
pub(super) struct Session {
    player: Player,
    stream: TcpStream,
    decoder: FrameDecoder,
    buffer: BytesMut,
    /// When each state was sent.
    asked: Vec<Instant>,
    /// The states answered so far.
    heard: usize,
    /// Messages that answered no state, so far.
    pub(super) surplus: u32,
    /// Time of the slowest late answer.
    pub(super) latest: Option<Duration>,
    /// Time until its registration.
    pub(super) registered: Duration,
    /// The name it registered under.
    pub(super) name: String,
}

/// Outcome of waiting.
enum Heard {
    Message(Bytes),
    Nothing,
    Closed,
    TooLong,
}

/// Outcome of a question.
pub(super) enum Reply {
    /// It answered, after this time.
    Answer(Bytes, Duration),
    /// It did not answer in time.
    Missed,
    /// The connection is closed.
    Closed,
    /// It sent a message that no server takes.
    TooLong,
}

/// End of a session.
#[derive(Debug)]
pub(super) struct Departure {
    /// End of its program, if it exited by itself.
    pub(super) ending: Option<Ending>,
    /// Time from the farewell to that end.
    pub(super) after: Duration,
    /// `true` if a program that did not exit kept a processor busy.
    pub(super) busy: Option<bool>,
    /// Messages that answered no state.
    pub(super) surplus: u32,
    /// The last lines that it has written.
    pub(super) output: Vec<String>,
}

impl Session {
    /// Starts the team's program and waits until it has registered. If `is_trapped`, it is noticed when it
    /// connects to the trap of the sandbox instead of the port it is told.
    ///
    /// # Errors
    ///
    /// Why there is no session.
    pub(super) async fn open(
        team: &Team,
        options: &Options,
        name: &str,
        is_trapped: bool,
    ) -> Result<Self, Finding> {
        let began = Instant::now();
        let Entry { mut player, listener, trap } = Player::start(team, options, name)
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
        if let Some(end) = self.clear().await {
            return end;
        }
        self.begin_state();
        self.send(&frame(state)).await;
        self.answer(deadline).await
    }

    /// A state is about to be sent: what comes from now on may answer it.
    pub(super) fn begin_state(&mut self) {
        self.asked.push(Instant::now());
    }

    /// Sends bytes, whatever they are.
    pub(super) async fn send(&mut self, bytes: &[u8]) {
        // A bot that is gone, or does not read, is noticed by its answers.
        let _ = timeout(SENDING, self.stream.write_all(bytes)).await;
    }

    /// Waits for the answer to the current state.
    pub(super) async fn answer(&mut self, deadline: Duration) -> Reply {
        let asked = self.asked.last().copied().unwrap_or_else(Instant::now);
        loop {
            match self.hear(asked + deadline).await {
                Heard::Message(text) => match self.take() {
                    Verdict::Current => return Reply::Answer(text, asked.elapsed()),
                    Verdict::Late | Verdict::Unasked => {}
                },
                Heard::Nothing => return Reply::Missed,
                Heard::Closed => return Reply::Closed,
                Heard::TooLong => return Reply::TooLong,
            }
        }
    }

    /// Waits for any message of those that are owed; whether one came.
    pub(super) async fn any(&mut self, patience: Duration) -> bool {
        match self.hear(Instant::now() + patience).await {
            Heard::Message(_) => {
                self.take();
                true
            }
            Heard::Nothing | Heard::Closed | Heard::TooLong => false,
        }
    }

    /// Expects no answers any more to the states sent so far.
    pub(super) fn forgive(&mut self) {
        self.heard = self.asked.len();
    }

    /// Number of states that it has answered, in time or late.
    pub(super) fn heard(&self) -> usize {
        self.heard
    }

    /// Bytes of a message whose NUL has not come.
    pub(super) fn partial(&self) -> Option<String> {
        (!self.buffer.is_empty()).then(|| shown(&self.buffer))
    }

    /// Waits a while without a word; what it said meanwhile, or that the connection was closed.
    pub(super) async fn stay_quiet(&mut self, patience: Duration) -> Result<Option<String>, ()> {
        match self.hear(Instant::now() + patience).await {
            Heard::Message(text) => Ok(Some(shown(&text))),
            Heard::Nothing => Ok(self.partial()),
            Heard::TooLong => Ok(Some(shown(&self.buffer))),
            Heard::Closed => Err(()),
        }
    }

    /// Says that the last game is over, and waits for the program to end.
    pub(super) async fn farewell(mut self) -> Departure {
        // One more message may be on its way.
        let _ = self.clear().await;
        let said = Instant::now();
        self.send(b"quit\n\0").await;
        // The bot may be gone already.
        let _ = self.stream.shutdown().await;
        while let Heard::Message(_) = self.hear(said + CLOSE).await {
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
            // A program that polls now and then needs less, and a busy loop gets more even on a busy machine.
            (None, Some(before), Some(now)) => Some(now.saturating_sub(before) > FAREWELL / 30),
            _ => None,
        };
        Departure { ending, after, busy, surplus, output: player.finish().await }
    }

    /// The connection is gone, or of no use: ends the program unless it does so by itself.
    pub(super) async fn collapse(self) -> Departure {
        let Self { mut player, stream, surplus, .. } = self;
        drop(stream);
        let began = Instant::now();
        let ending = timeout(COLLAPSE, player.wait()).await.ok();
        let after = began.elapsed();
        Departure { ending, after, busy: None, surplus, output: player.finish().await }
    }

    /// Ends the program, but lets it put away what it has. What it has written.
    pub(super) async fn end(mut self) -> Vec<String> {
        self.send(b"quit\n\0").await;
        let _ = self.stream.shutdown().await;
        let Self { mut player, stream, .. } = self;
        let _ = timeout(LEAVE, player.wait()).await;
        drop(stream);
        player.finish().await
    }

    /// Takes what has come since the last answer: nothing of it is for the state that comes next.
    async fn clear(&mut self) -> Option<Reply> {
        // Bytes that have arrived are seen once the runtime has looked.
        yield_now().await;
        loop {
            match self.hear(Instant::now()).await {
                Heard::Message(_) => {
                    self.take();
                }
                Heard::Nothing => return None,
                Heard::Closed => return Some(Reply::Closed),
                Heard::TooLong => return Some(Reply::TooLong),
            }
        }
    }

    /// Counts a message that has come: the nth message answers the nth state.
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

    async fn hear(&mut self, until: Instant) -> Heard {
        loop {
            match self.decoder.decode(&mut self.buffer) {
                Ok(Some(message)) => return Heard::Message(message),
                Ok(None) => {}
                Err(_) => return Heard::TooLong,
            }
            match timeout_at(until, self.stream.read_buf(&mut self.buffer)).await {
                Err(_) => return Heard::Nothing,
                Ok(Ok(0) | Err(_)) => return Heard::Closed,
                Ok(Ok(_)) => {}
            }
        }
    }
}

/// Tests if two names are the same once they are harmless.
pub(super) fn is_same_name(given: &str, sent: &str) -> bool {
    Name::new(given).as_str() == sent
}

/// A message with its NUL.
pub(super) fn frame(message: &[u8]) -> BytesMut {
    let mut framed = BytesMut::new();
    encode_frame(message, &mut framed);
    framed
}

/// The beginning of what was received, with escapes for what cannot be seen.
pub(super) fn shown(received: &[u8]) -> String {
    let text = String::from_utf8_lossy(received);
    let mut short = String::new();
    for c in text.chars().take(SHOWN) {
        match c.is_control() {
            true => short.extend(c.escape_debug()),
            false => short.push(c),
        }
    }
    match text.chars().nth(SHOWN) {
        Some(_) => format!("{short}…"),
        None => short,
    }
}
