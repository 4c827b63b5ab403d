//! The state of a connection shared by its task, the hall and a game.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::Mutex;
use protocol::ServerMessage;
use referee::Ledger;
use tokio::net::TcpStream;
use tokio_util::sync::CancellationToken;

use crate::hall::TeamId;
use crate::inbox::Inbox;
use crate::notices::Notice;
use crate::outbox::{Full, LIMIT, Outbox};
use crate::places::Place;
use crate::transport;
use crate::web_socket::Farewell;

/// A connection, shared by the task that serves it, the hall and the game of its player.
#[derive(Debug)]
pub(crate) struct Peer {
    /// The number of the connection, unique in the process.
    pub(crate) id: u64,
    pub(crate) address: IpAddr,
    pub(crate) outbox: Outbox,
    pub(crate) inbox: Inbox,
    /// The debts of the player, kept here while it does not play.
    pub(crate) ledger: Mutex<Ledger>,
    /// The place of the connection among all connections.
    pub(crate) place: Place,
    /// Ends the connection at once.
    pub(crate) abort: CancellationToken,
    /// The team of the door through which the connection came; `None` for the door of all.
    pub(crate) door: Option<TeamId>,
    /// The socket, to ask the system about the connection; `None` for a connection that is none.
    pub(crate) socket: Option<Arc<TcpStream>>,
    /// The reason for a refusal, which a WebSocket sends in its close frame; `None` over TCP and on pipes.
    pub(crate) farewell: Option<Farewell>,
}

impl Peer {
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
            socket: None,
            farewell: None,
        }
    }

    /// Sends a message to a player. The bytes that the system accepts leave at once, if no message waits before. Fails
    /// when the outbox is full, because the peer does not read.
    pub(crate) fn send(&self, message: ServerMessage<'_>) -> Result<(), Full> {
        // The bytes of a WebSocket connection have to be put into frames.
        let socket = self.socket.as_ref().filter(|_| self.farewell.is_none());
        let write = |bytes: &[u8]| socket.map_or(0, |to| transport::write(to, bytes));
        self.outbox.push(message, LIMIT, write)
    }

    /// Refuses the registration, logs the reason, and closes: at once, or late if its secret is wrong.
    pub(crate) fn refuse(&self, notice: &Notice) {
        self.place.tell(self.address, notice);
        if let Some(farewell) = &self.farewell {
            let _ = farewell.set(notice.to_string());
        }
        if self.place.has_wrong_secret() {
            self.place.refuse_late();
        } else {
            self.close(ServerMessage::Refused);
        }
    }

    pub(crate) fn quit(&self) {
        self.close(ServerMessage::Quit);
    }

    pub(crate) fn close(&self, last: ServerMessage<'_>) {
        self.outbox.close(last);
        self.place.close();
    }
}
