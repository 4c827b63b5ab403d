//! The party at fault for a missed deadline, with the evidence.

use std::fmt;
use std::time::Duration;

use language::said;

/// The party at fault for a missed deadline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The player: its machine had the state, and the host was running.
    Bot,
    /// The network: the state or its acknowledgement was still in flight when the deadline passed.
    Network(Transport),
    /// The host: the server did not run for this long during the turn.
    Host(Duration),
}

/// The state of a TCP connection when a deadline passed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Transport {
    /// Smoothed round-trip time.
    pub rtt: Duration,
    /// Segments sent and not yet acknowledged.
    pub unacknowledged: u32,
    /// Retransmissions of the oldest unacknowledged segment, in a row.
    pub retransmits: u32,
    /// Bytes waiting in the host's send buffer.
    pub queued: u32,
}

impl Cause {
    /// The host is to blame if it stalled for at least this fraction of the deadline: of 100 ms, one late heartbeat of
    /// the server is enough. Every stall extends the deadline, however short, so a bot that thinks for seconds is not
    /// excused by every hiccup of the host.
    const STALL: u32 = 20;

    /// Combines the causes of misses in a row: the bot, if it is to blame for any of them.
    pub(crate) fn join(self, other: Option<Self>) -> Self {
        if other == Some(Self::Bot) { Self::Bot } else { self }
    }

    /// Finds the cause of a missing answer at the end of a turn of length `turn`, in which the host `stalled` for this
    /// time in total.
    pub(crate) fn find(
        stalled: Duration,
        transport: Option<Transport>,
        turn: Duration,
        deadline: Duration,
    ) -> Self {
        match transport {
            _ if stalled >= deadline / Self::STALL => Self::Host(stalled),
            Some(transport) if transport.is_to_blame(turn, deadline) => Self::Network(transport),
            _ => Self::Bot,
        }
    }

    pub(crate) fn is_host(self) -> bool {
        matches!(self, Self::Host(_))
    }

    /// The cause in one word for recordings, tables and pages: `bot`, `network` or `host`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Bot => "bot",
            Self::Network(_) => "network",
            Self::Host(_) => "host",
        }
    }
}

impl Transport {
    /// Longest time after which receivers acknowledge, even when they delay acknowledgements.
    const ACKNOWLEDGED: Duration = Duration::from_millis(200);

    /// Tests if the state or the answer was probably still in flight at the end of a turn of this length: segments are
    /// lost, or unacknowledged for longer than receivers delay, or a round trip takes half of the deadline. A player that
    /// does not read is not excused: its machine acknowledges what it has received, and the host keeps the rest.
    fn is_to_blame(&self, turn: Duration, deadline: Duration) -> bool {
        let is_lost = self.retransmits > 0;
        let is_under_way = self.unacknowledged > 0 && turn >= Self::ACKNOWLEDGED;
        is_lost || is_under_way || self.rtt * 2 >= deadline
    }
}

impl fmt::Display for Cause {
    /// Writes the word and the evidence: `network (rtt 210 ms, 3 unacknowledged, 2 retransmits, 0 bytes queued)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&match self {
            Self::Bot => said!("bot", "bot"),
            Self::Network(Transport { rtt, unacknowledged, retransmits, queued }) => said!(
                "network (rtt {} ms, {unacknowledged} unacknowledged, {retransmits} retransmits, {queued} bytes queued)",
                "réseau (rtt {} ms, {unacknowledged} sans accusé, {retransmits} retransmis, {queued} octets en attente)",
                rtt.as_millis()
            ),
            Self::Host(stalled) => said!(
                "host (stalled for {} ms)",
                "machine (arrêtée {} ms)",
                stalled.as_millis()
            ),
        })
    }
}
