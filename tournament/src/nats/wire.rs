//! Messages between coordinator and workers.
//!
//! Meetings and results are messages that the broker keeps until they are acknowledged; packages are objects that it
//! keeps. The rest is lost when nobody listens, and is told again.

use std::collections::BTreeMap;
use std::time::Duration;

use cluster::{Capacity, Refusal, Submission, Token, WorkerName};
use plan::{Job, Key, NamedMap, Outcome, Team};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// The stream of meetings to be played.
pub const MEETINGS: &str = "PACMAN_MEETINGS";
/// The consumer of meetings that all workers share.
pub const WORKERS: &str = "workers";
/// The stream of results that are not recorded yet.
pub const RESULTS: &str = "PACMAN_RESULTS";
/// The consumer of results.
pub const COORDINATOR: &str = "coordinator";
/// The stream that keeps the last message of [`NEWS`].
pub const LAST_NEWS: &str = "PACMAN_NEWS";
/// The object store with packages, by their hashes.
pub const FILES: &str = "PACMAN_FILES";
/// The subject of all meetings.
pub const ANY_MEETING: &str = "pacman.meetings.*";
/// The subject of results.
pub const RESULT: &str = "pacman.results";
/// Subject on which workers ask to play: a [`Hello`], answered by a [`Welcome`].
pub const HELLO: &str = "pacman.hello";
/// Subject on which workers claim meetings: a [`ClaimMessage`], answered by a [`cluster::Claim`].
pub const CLAIMS: &str = "pacman.claims";
/// Subject on which workers tell now and then that they are there: a [`Heartbeat`].
pub const HEARTBEATS: &str = "pacman.heartbeats";
/// The subject of [`ClusterNews`] from the coordinator to all workers. The stream [`LAST_NEWS`] keeps the last one.
pub const NEWS: &str = "pacman.news";

/// The subject of a meeting.
#[must_use]
pub fn meeting_subject(meeting: Key) -> String {
    format!("pacman.meetings.{meeting}")
}

/// A meeting to be played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MeetingMessage {
    /// The tournament.
    pub tournament: String,
    /// The number of this publication.
    pub publication: u64,
    /// Its games.
    pub jobs: Vec<Job>,
}

/// A worker asks to play.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hello {
    /// Its name.
    pub worker: WorkerName,
    /// Its description.
    pub capacity: Capacity,
}

/// Answer to a worker that asks to play.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Welcome {
    /// It may.
    Admitted(Box<Assignment>),
    /// It may not.
    Refused(Refusal),
}

/// A worker's part of a tournament.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Assignment {
    /// Which one it is.
    pub tournament: String,
    /// Its name.
    pub name: String,
    /// The teams, whose programs are isolated with what they need to be seen.
    pub teams: Vec<Team>,
    /// The hashes of the maps' texts, by the names of the maps: a map that arrives with a game is checked.
    pub maps: BTreeMap<String, u64>,
    /// Time that a lease lasts after its last heartbeat.
    pub lease: Duration,
    /// Deliveries of a meeting after which it is only played if the coordinator says so.
    pub deliveries: u32,
    /// `true` if programs are only started if nothing is missing of their isolation.
    pub is_strict: bool,
}

impl Assignment {
    /// Hash of each of these maps, for [`maps`](Self::maps).
    #[must_use]
    pub fn hashes(maps: &[NamedMap]) -> BTreeMap<String, u64> {
        maps.iter().map(|map| (map.name.clone(), replay::hash(map.text.as_bytes()))).collect()
    }

    /// Tests if a map is one of the tournament.
    #[must_use]
    pub fn has(&self, map: &NamedMap) -> bool {
        self.maps.get(&map.name) == Some(&replay::hash(map.text.as_bytes()))
    }
}

/// A worker is there, or leaves. It says so a few times in the duration of a lease.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Heartbeat {
    /// Its name.
    pub worker: WorkerName,
    /// Meetings that it plays at a time.
    pub places: u32,
    /// Load average of the last minute, in percent of its cores.
    pub load: Option<u32>,
    /// `true` if it leaves.
    pub is_leaving: bool,
}

/// A worker plays a meeting, or does so no longer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClaimMessage {
    /// Its name.
    pub worker: WorkerName,
    /// The tournament.
    pub tournament: String,
    /// The meeting.
    pub meeting: Key,
    /// The lease.
    pub token: Token,
    /// Why it gives the meeting back, if it does.
    pub given_back: Option<GivenBack>,
}

/// Why a worker gives a meeting back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum GivenBack {
    /// It was told to stop.
    Stopped,
    /// It cannot play it, for a reason of its own.
    Fault(Vec<Spoilt>),
    /// The broker has not given it a package for the duration of a lease, and why.
    NoPackage(String),
    /// The broker takes no message as large as a result of it.
    TooLarge {
        /// The message.
        bytes: usize,
        /// The most that the broker takes.
        allowed: usize,
    },
}

/// A game that a host fault has spoilt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spoilt {
    /// The game.
    pub game: Key,
    /// The fault, in words.
    pub fault: String,
    /// Outcome of the game, without its recording, if it was played to its end.
    pub outcome: Option<Outcome>,
}

/// A result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResultMessage {
    /// The tournament.
    pub tournament: String,
    /// Whose result it is, and by which lease.
    pub submission: Submission,
    /// The packages that have played, by colour.
    pub packages: Vec<Option<String>>,
    /// The outcome.
    pub outcome: Outcome,
    /// Attempts that were spoilt before.
    pub spoilt: Vec<Spoilt>,
}

/// News of a tournament for all workers. The broker keeps the last one, for workers that were not connected.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ClusterNews {
    /// It begins or goes on: ask to play.
    Started(String),
    /// It is over, or stopped: nothing more is played.
    Over(String),
}

impl ClusterNews {
    /// Tests if this tournament is over: it has ended, or another one has begun.
    #[must_use]
    pub fn ends(&self, tournament: &str) -> bool {
        match self {
            Self::Started(other) => other != tournament,
            Self::Over(_) => true,
        }
    }
}

/// Bytes of a message.
pub(crate) fn encode(message: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(message).expect("messages have texts as keys and finite numbers")
}

/// A message of bytes.
pub(crate) fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, serde_json::Error> {
    serde_json::from_slice(bytes)
}

impl ResultMessage {
    /// The length of the text (4 bytes, the least first), the text, then the recording as it is.
    #[must_use]
    pub fn encode(mut self) -> Vec<u8> {
        let recording = std::mem::take(&mut self.outcome.recording);
        let text = encode(&self);
        // Nothing that long fits into memory beside itself.
        let length = (text.len() as u32).to_le_bytes();
        [&length[..], &text, &recording].concat()
    }

    /// Reads what [`encode`](Self::encode) gives; `None` if it is something else.
    #[must_use]
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let (length, rest) = bytes.split_first_chunk()?;
        let length = usize::try_from(u32::from_le_bytes(*length)).ok()?;
        let (text, recording) = rest.split_at_checked(length)?;
        let mut message: Self = decode(text).ok()?;
        message.outcome.recording = recording.to_vec();
        Some(message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nats::check::tests::{job, played};

    #[test]
    fn a_result_survives_the_way_and_anything_else_is_none() {
        let (job, outcome) = (job(), played());
        let message = ResultMessage {
            tournament: "t".to_owned(),
            submission: Submission {
                worker: String::from("w").into(),
                engine: "e".to_owned(),
                meeting: job.matchup,
                game: job.key,
                token: Token { publication: 1, delivery: 2 },
            },
            packages: vec![None; 4],
            outcome,
            spoilt: Vec::new(),
        };
        let bytes = message.clone().encode();
        assert_eq!(ResultMessage::decode(&bytes), Some(message));
        for cut in 0..bytes.len().min(2000) {
            // A shorter recording is found out when it is verified.
            let read = ResultMessage::decode(&bytes[..cut]);
            assert!(read.is_none_or(|read| read.outcome.recording.len() < bytes.len()));
        }
        for bytes in [&[][..], &[255; 4], &[255; 40], &[0; 40], b"\x02\0\0\0{}"] {
            assert_eq!(ResultMessage::decode(bytes), None);
        }
    }
}
