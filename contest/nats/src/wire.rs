//! The messages between coordinator and workers.
//!
//! The broker keeps matchups and results until they are acknowledged, packages as objects, and the last news. All other
//! messages are lost when nobody listens, and are sent again.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use cluster::{Capacity, Refusal, Submission, Token, WorkerName};
use plan::{Job, Key, NamedMap, Outcome};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// The stream of matchups to be played.
pub const MATCHUPS: &str = "PACMAN_MEETINGS";
/// The consumer of matchups that all workers share.
pub const WORKERS: &str = "workers";
/// The stream of results that are not recorded yet.
pub const RESULTS: &str = "PACMAN_RESULTS";
/// The consumer of results.
pub const COORDINATOR: &str = "coordinator";
/// The stream that keeps the last message of [`NEWS`].
pub const LAST_NEWS: &str = "PACMAN_NEWS";
/// The object store with packages, by their hashes.
pub const FILES: &str = "PACMAN_FILES";
/// The subject of all matchups.
pub const ANY_MATCHUP: &str = "pacman.meetings.*";
/// The subject of results.
pub const RESULT: &str = "pacman.results";
/// The subject on which workers ask to play: a [`Hello`], answered by a [`Welcome`].
pub const HELLO: &str = "pacman.hello";
/// The subject on which workers claim matchups: a [`ClaimMessage`], answered by a [`cluster::Claim`].
pub const CLAIMS: &str = "pacman.claims";
/// The subject of heartbeats of workers: a [`Heartbeat`].
pub const HEARTBEATS: &str = "pacman.heartbeats";
/// The subject of [`TournamentStatus`] from the coordinator to all workers. The stream [`LAST_NEWS`] keeps the last one.
pub const NEWS: &str = "pacman.news";

/// Greatest number of bytes in the name of a worker. Messages with longer names are ignored.
pub const NAME: usize = 200;

/// Tests if the name of a worker is not too long.
pub fn is_name(worker: &WorkerName) -> bool {
    worker.as_str().len() <= NAME
}

/// The subject of a matchup.
pub fn matchup_subject(matchup: Key) -> String {
    format!("pacman.meetings.{matchup}")
}

/// A matchup to be played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchupMessage {
    /// The tournament.
    pub tournament: String,
    /// The number of this publication.
    pub publication: u64,
    /// The games of the matchup without a result.
    pub jobs: Vec<Job>,
}

/// A worker asks to play.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hello {
    /// The worker's name.
    pub worker: WorkerName,
    /// The worker's engine, places, speed and lateness.
    pub capacity: Capacity,
}

/// The answer to a worker that asks to play.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Welcome {
    /// The worker may play.
    Admitted(Box<Assignment>),
    /// The worker may not play.
    Refused(Refusal),
}

/// The parts of a tournament that a worker needs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Assignment {
    /// The tournament's identifier.
    pub tournament: String,
    /// The tournament's name for people.
    pub name: String,
    /// Absolute paths on the coordinator's machine that programs must not see, for workers that share its files.
    pub hidden: Vec<PathBuf>,
    /// Number of programs that think at a time in a game; 0 if bots of the house play alone.
    pub programs: usize,
    /// The hashes of the maps' texts, by the names of the maps: a map that arrives with a game is checked.
    pub maps: BTreeMap<String, u64>,
    /// The sizes of the packages' archives in bytes, by the hashes of the packages: nothing else is fetched. The coordinator
    /// may add packages later; a worker asks again when a matchup needs one that it does not know.
    pub packages: BTreeMap<String, u64>,
    /// Greatest number of bytes of what each program has written that a result carries; names of files in it are those in the
    /// package. 0 leaves the output with the worker, with names as the team has them.
    pub output: usize,
    /// The duration of a lease after its last heartbeat.
    pub lease: Duration,
    /// Number of deliveries of a matchup after which a worker only plays it if the coordinator grants the claim.
    pub deliveries: u32,
    /// True if programs only start when their isolation is complete.
    pub is_strict: bool,
}

impl Assignment {
    /// The entries of [`maps`](Self::maps) for these maps.
    pub fn hashes(maps: &[NamedMap]) -> BTreeMap<String, u64> {
        maps.iter().map(|map| (map.name.clone(), replay::hash(map.text.as_bytes()))).collect()
    }

    /// Tests if the tournament has a map of this name and text.
    pub fn has(&self, map: &NamedMap) -> bool {
        self.maps.get(&map.name) == Some(&replay::hash(map.text.as_bytes()))
    }
}

/// A worker's report that it is alive, sent a few times in the duration of a lease, or that it leaves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Heartbeat {
    /// The worker's name.
    pub worker: WorkerName,
    /// Number of matchups that the worker plays at a time.
    pub places: u32,
    /// Load average of the last minute, in percent of the worker's cores; `None` if its system does not report it.
    pub load: Option<u32>,
    /// True if the worker leaves.
    pub is_leaving: bool,
}

/// A worker's claim to a matchup, or its return of the matchup.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClaimMessage {
    /// The worker's name.
    pub worker: WorkerName,
    /// The tournament.
    pub tournament: String,
    /// The matchup.
    #[serde(rename = "meeting")]
    pub matchup: Key,
    /// The lease.
    pub token: Token,
    /// The reason for the return; `None` for a claim.
    pub given_back: Option<GivenBack>,
}

/// The reason why a worker gives a matchup back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum GivenBack {
    /// The worker was told to stop.
    Stopped,
    /// Host faults of the worker spoil the matchup.
    Fault(Vec<Spoilt>),
    /// The broker has delivered no package for the duration of a lease, or another one; the last error.
    NoPackage(String),
    /// The message with the matchup is not the coordinator's, for this reason; the worker deletes it.
    Foreign(String),
    /// The broker refuses a result of the matchup for its size.
    TooLarge {
        /// The size of the message.
        bytes: usize,
        /// The broker's limit.
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
    /// The outcome without its recording; `None` if the game did not reach its end.
    pub outcome: Option<Outcome>,
}

/// The result of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResultMessage {
    /// The tournament.
    pub tournament: String,
    /// The worker, the game and the lease of the result.
    pub submission: Submission,
    /// The packages that have played, by colour.
    pub packages: Vec<Option<String>>,
    /// The outcome.
    pub outcome: Outcome,
    /// Earlier attempts at the game that host faults have spoilt.
    pub spoilt: Vec<Spoilt>,
    /// The end of what each program has written, by colour, if the assignment asks for it.
    pub outputs: Vec<String>,
}

/// News of a tournament for all workers. The broker keeps the last one, for workers that were not connected.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TournamentStatus {
    /// The tournament starts or resumes: workers ask to play.
    Started(String),
    /// The tournament is over or stopped: workers play no more.
    Over(String),
}

impl TournamentStatus {
    /// Tests if this tournament is over: it has ended, or another one has begun.
    pub fn ends(&self, tournament: &str) -> bool {
        match self {
            Self::Started(other) => other != tournament,
            Self::Over(_) => true,
        }
    }
}

pub(crate) fn encode(message: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(message).expect("messages have texts as keys and finite numbers")
}

pub(crate) fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, serde_json::Error> {
    serde_json::from_slice(bytes)
}

impl ResultMessage {
    /// Encodes the result: the length of its JSON text (4 bytes, little-endian), the text, then the recording as it is.
    pub fn encode(mut self) -> Vec<u8> {
        let recording = std::mem::take(&mut self.outcome.recording);
        let text = encode(&self);
        // A text of 4 GiB does not occur.
        let length = (text.len() as u32).to_le_bytes();
        [&length[..], &text, &recording].concat()
    }

    /// Decodes the bytes of [`encode`](Self::encode); `None` if they are malformed.
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
    use crate::check::tests::{job, played};

    #[test]
    fn result_message_decodes_to_what_was_encoded() {
        let (job, outcome) = (job(), played());
        let message = ResultMessage {
            tournament: "t".to_owned(),
            submission: Submission {
                worker: String::from("w").into(),
                engine: "e".to_owned(),
                matchup: job.matchup,
                game: job.key,
                token: Token { publication: 1, delivery: 2 },
            },
            packages: vec![None; 4],
            outcome,
            spoilt: Vec::new(),
            outputs: vec!["é\n".to_owned(), String::new()],
        };
        let bytes = message.clone().encode();
        assert_eq!(ResultMessage::decode(&bytes), Some(message));
        for cut in 0..bytes.len().min(2000) {
            // Only its verification detects a truncated recording.
            let read = ResultMessage::decode(&bytes[..cut]);
            assert!(read.is_none_or(|read| read.outcome.recording.len() < bytes.len()));
        }
        for bytes in [&[][..], &[255; 4], &[255; 40], &[0; 40], b"\x02\0\0\0{}"] {
            assert_eq!(ResultMessage::decode(bytes), None);
        }
    }
}
