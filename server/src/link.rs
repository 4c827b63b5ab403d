//! What is known of one connection, whoever serves it.

use std::collections::VecDeque;
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use bytes::Bytes;
use parking_lot::Mutex;
use protocol::ServerMessage;
use referee::Ledger;
use tokio::sync::Notify;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::hall::TeamId;
use crate::outbox::{Full, LIMIT, Outbox};
use crate::places::Place;
use crate::transport::Probe;

/// A connection, shared by the task that serves it, the hall and the game that its player plays.
#[derive(Debug)]
pub(crate) struct Link {
    /// Unique in the process.
    pub(crate) id: u64,
    /// Where the peer is.
    pub(crate) address: IpAddr,
    /// What is sent to it.
    pub(crate) outbox: Outbox,
    /// What a player sends.
    pub(crate) inbox: Inbox,
    /// What the player owes, while it does not play.
    pub(crate) ledger: Mutex<Ledger>,
    /// Its place among all connections.
    pub(crate) place: Place,
    /// Ends the connection at once.
    pub(crate) abort: CancellationToken,
    /// The team that the connection is for, if it came through a door of one.
    pub(crate) door: Option<TeamId>,
    /// Asks the system about the connection, where there is one.
    pub(crate) probe: Option<Box<dyn Probe>>,
    /// Whether the player is absent although it is connected.
    is_silent: AtomicBool,
}

/// The messages of a player that its game has not taken yet. It holds only what the referee expects: a flood ends in
/// its own connection.
#[derive(Debug, Default)]
pub(crate) struct Inbox(Mutex<Waiting>);

#[derive(Debug, Default)]
struct Waiting {
    messages: VecDeque<Message>,
    expected: usize,
    /// Who is told of a message: the game that the player plays, or the hall.
    listener: Option<Arc<Notify>>,
}

/// A message of a player, and when it arrived.
#[derive(Clone, Debug)]
pub(crate) struct Message {
    pub(crate) text: Bytes,
    pub(crate) at: Instant,
}

impl Link {
    /// For a new connection.
    pub(crate) fn new(address: IpAddr, abort: CancellationToken, place: Place) -> Self {
        static IDS: AtomicU64 = AtomicU64::new(0);
        Self {
            id: IDS.fetch_add(1, Ordering::Relaxed),
            address,
            outbox: Outbox::default(),
            inbox: Inbox::default(),
            ledger: Mutex::default(),
            place,
            abort,
            door: None,
            probe: None,
            is_silent: AtomicBool::default(),
        }
    }

    /// Sends a player a message: at once, as far as the system takes it and nothing waits before it.
    ///
    /// # Errors
    ///
    /// When too much is waiting, because the peer does not read.
    pub(crate) fn send(&self, message: ServerMessage<'_>) -> Result<(), Full> {
        let write = |bytes: &[u8]| self.probe.as_ref().map_or(0, |probe| probe.write(bytes));
        self.outbox.push(message, LIMIT, write)
    }

    /// Takes a message in. It is kept if the referee expects one; in any case the player is there.
    pub(crate) fn receive(&self, message: Message) {
        let was_silent = self.is_silent.swap(false, Ordering::Relaxed);
        let mut waiting = self.inbox.0.lock();
        let is_expected = waiting.messages.len() < waiting.expected;
        if is_expected {
            waiting.messages.push_back(message);
        }
        if let Some(listener) = waiting.listener.as_ref().filter(|_| is_expected || was_silent) {
            listener.notify_one();
        }
    }

    /// Says whether the player is absent although it is connected.
    pub(crate) fn set_silent(&self, is_silent: bool) {
        self.is_silent.store(is_silent, Ordering::Relaxed);
    }

    /// Whether the player is absent although it is connected, and has sent nothing since.
    pub(crate) fn is_silent(&self) -> bool {
        self.is_silent.load(Ordering::Relaxed)
    }

    /// Refuses the registration and closes: at once, or late if its secret is wrong.
    pub(crate) fn refuse(&self) {
        match self.place.has_wrong_secret() {
            true => self.place.refuse_late(),
            false => self.close(ServerMessage::Refused),
        }
    }

    /// Says that it is over, and closes.
    pub(crate) fn quit(&self) {
        self.close(ServerMessage::Quit);
    }

    /// Sends a last message, and closes.
    pub(crate) fn close(&self, last: ServerMessage<'_>) {
        self.outbox.close(last);
        self.place.close();
    }
}

impl Inbox {
    /// From now on this listener is told of messages. Those that were not taken are dropped.
    pub(crate) fn listen(&self, listener: Option<Arc<Notify>>) {
        *self.0.lock() = Waiting { listener, ..Waiting::default() };
    }

    /// The number of messages that may still matter.
    pub(crate) fn expect(&self, expected: usize) {
        self.0.lock().expected = expected;
    }

    /// Takes what has come.
    pub(crate) fn take(&self, each: impl FnMut(Message)) {
        self.0.lock().messages.drain(..).for_each(each);
    }
}
