//! What the task that serves a connection, the hall and a game share of it.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::Mutex;
use protocol::ServerMessage;
use referee::Ledger;
use tokio_util::sync::CancellationToken;

use crate::hall::TeamId;
use crate::inbox::Inbox;
use crate::notices::Notice;
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
    pub(crate) probe: Option<Arc<dyn Probe>>,
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

    /// Refuses the registration, says why on the log, and closes: at once, or late if its secret is wrong.
    pub(crate) fn refuse(&self, notice: &Notice) {
        self.place.tell(self.address, notice);
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
