//! Reading a recording, as far as it can be read.

use std::fmt;

use crate::format::{MAGIC, Problem, Record, VERSION};
use crate::setup::Setup;
use crate::turn::Turn;

/// A recorded game (*rejeu*), whole or in part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recording {
    /// How the game began.
    pub setup: Setup,
    /// The turns that were recorded, in order.
    pub turns: Vec<Turn>,
    /// What the states hashed to, after so many turns each.
    pub checkpoints: Vec<(u32, u64)>,
    /// Whether the game was recorded to its end.
    pub is_complete: bool,
    /// Why reading stopped before the end of the file, if it did.
    pub damage: Option<Damage>,
}

/// Where a file stops being a recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// The byte where what could not be read begins, from 0.
    pub at: usize,
    /// The last turn that could be read.
    pub turn: u32,
    /// What is wrong there.
    pub what: String,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { at, turn, what } = self;
        write!(f, "from byte {at} on, after turn {turn}: {what}")
    }
}

/// Why nothing of a file can be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// It does not begin as recordings do.
    #[error("this is no recording of a game")]
    NoRecording,
    /// It was written by a later version.
    #[error("the recording has the format {found}, expected at most {VERSION}")]
    Version {
        /// The version of its format.
        found: u16,
    },
    /// How the game begins cannot be read.
    #[error("the beginning of the game cannot be read: {0}")]
    Setup(String),
}

impl Recording {
    /// Reads the bytes of a file. What follows a damage is left out.
    ///
    /// # Errors
    ///
    /// When not even the beginning of the game can be read.
    pub fn read(bytes: &[u8]) -> Result<Self, ReadError> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(ReadError::NoRecording)?;
        let (version, records) = rest.split_first_chunk::<2>().ok_or(ReadError::NoRecording)?;
        let found = u16::from_le_bytes(*version);
        if found != VERSION {
            return Err(ReadError::Version { found });
        }
        let (setup, mut at) = match Record::decode(records) {
            Ok((Record::Setup(setup), len)) => (setup, len),
            Ok(_) => return Err(ReadError::Setup("another record stands in its place".to_owned())),
            Err(problem) => return Err(ReadError::Setup(problem.to_string())),
        };
        let (turns, checkpoints) = (Vec::new(), Vec::new());
        let mut recording = Self { setup, turns, checkpoints, is_complete: false, damage: None };
        while at < records.len() && recording.damage.is_none() {
            let taken = match Record::decode(&records[at..]) {
                Ok((record, len)) => recording.take(record).map(|()| len),
                Err(problem) => Err(problem.to_string()),
            };
            match taken {
                Ok(len) => at += len,
                Err(what) => {
                    let at = bytes.len() - records.len() + at;
                    recording.damage = Some(Damage { at, turn: recording.turn(), what });
                }
            }
        }
        Ok(recording)
    }

    /// Turns that were recorded.
    #[must_use]
    pub fn turn(&self) -> u32 {
        // A file of 2³² turns would not fit into memory.
        self.turns.len() as u32
    }

    fn take(&mut self, record: Record) -> Result<(), String> {
        if self.is_complete {
            return Err("something follows the end of the game".to_owned());
        }
        match record {
            Record::Setup(_) => return Err("another game begins".to_owned()),
            Record::Turn(turn) => {
                let (found, expected) = (turn.answers.len(), self.setup.names().len());
                if found != expected {
                    return Err(format!("a turn of {found} players, expected {expected}"));
                }
                if self.turn() >= self.setup.turns() {
                    return Err("more turns than the game has".to_owned());
                }
                self.turns.push(turn);
            }
            Record::Checkpoint { turn, hash } | Record::End { turn, hash } => {
                if turn != self.turn() {
                    return Err(format!("a checkpoint of turn {turn}"));
                }
                self.is_complete = matches!(record, Record::End { .. });
                self.checkpoints.push((turn, hash));
            }
        }
        Ok(())
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Truncated => f.write_str("the file ends in the middle of a record"),
            Self::Altered(what) => f.write_str(what),
        }
    }
}
