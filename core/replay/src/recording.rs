//! Reading a recording up to its first damage.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use language::said;

use crate::format::{MAGIC, Record, VERSION};
use crate::setup::Setup;
use crate::thoughts::Thoughts;
use crate::turns::Turns;

/// A recorded game (*rejeu*), whole or in part.
///
/// Reading checks the number of players and their names, the map or the maze, that every turn has one answer
/// per player, that there are no more turns than the game has, and that checkpoints are in order. So no user
/// of a recording fails on its contents. A recording takes no more memory than its file, plus a constant for
/// the board: some 100 MB for the largest maze, of 1000 × 1000 cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recording {
    /// The start of the game.
    pub setup: Setup,
    /// The recorded turns, in order.
    pub turns: Turns,
    /// Numbers of turns with the hashes of the states after them, in order.
    pub checkpoints: Vec<(u32, u64)>,
    /// The thoughts of the players, as far as there was room for them.
    pub thoughts: Thoughts,
    /// True if the game was recorded to its end.
    pub is_complete: bool,
    /// The damage at which reading stopped; `None` if the whole file was read.
    pub damage: Option<Damage>,
}

/// The first damage of a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", said!(
    "from byte {at} on, after turn {turn}: {what}",
    "à partir de l'octet {at}, après le tour {turn} : {what}"
))]
pub struct Damage {
    /// The offset of the first unreadable record, in bytes from 0.
    pub at: usize,
    /// The last readable turn.
    pub turn: u32,
    /// The description of the damage.
    pub what: String,
}

/// A reason why a file cannot be read at all.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// The file does not begin as recordings do.
    #[error("{}", said!(
        "this is no recording of a game",
        "ce n'est pas l'enregistrement d'une partie"
    ))]
    NoRecording,
    /// The format has another version: most likely, a later program wrote the file.
    #[error("{}", said!(
        "the recording has version {found} of the format, only version {VERSION} is supported",
        "l'enregistrement a la version {found} du format, seule la version {VERSION} est prise en charge"
    ))]
    Version {
        /// The version of the file's format.
        found: u16,
    },
    /// The start of the game cannot be read.
    #[error("{}", said!(
        "the beginning of the game cannot be read: {_0}",
        "le début de la partie est illisible : {_0}"
    ))]
    Setup(String),
    /// The file is longer than any recording.
    #[error("{}", said!(
        "the file is too long: expected at most {} MiB",
        "le fichier est trop long : au plus {} Mio sont attendus",
        Recording::MOST_BYTES >> 20
    ))]
    TooLong,
}

/// A reason why a file cannot be opened as a recording.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file is not a usable recording.
    #[error(transparent)]
    Read(#[from] ReadError),
}

impl Recording {
    /// Maximum length of a file in bytes: 4 million turns of 26 players.
    pub const MOST_BYTES: u64 = 256 << 20;

    /// Makes a recording of a new game, without turns.
    #[must_use]
    pub fn new(setup: Setup) -> Self {
        let turns = Turns::new(setup.names().len());
        let (checkpoints, thoughts) = (Vec::new(), Thoughts::default());
        Self { setup, turns, checkpoints, thoughts, is_complete: false, damage: None }
    }

    /// Keeps the first turns, at most this number; if there were more, the recording is incomplete then. Thoughts stay.
    pub fn truncate(&mut self, turns: usize) {
        if self.turns.len() > turns {
            self.turns.truncate(turns);
            self.checkpoints.retain(|(turn, _)| *turn as usize <= turns);
            self.is_complete = false;
        }
    }

    /// Opens a file. Bytes after the first damage are ignored.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, is longer than [`MOST_BYTES`](Self::MOST_BYTES), or when not even the
    /// beginning of the game can be read.
    pub fn open(path: &Path) -> Result<Self, OpenError> {
        let file = File::open(path)?;
        if file.metadata()?.len() > Self::MOST_BYTES {
            return Err(ReadError::TooLong.into());
        }
        // A pipe has no length, and a file may grow.
        let mut bytes = Vec::new();
        file.take(Self::MOST_BYTES + 1).read_to_end(&mut bytes)?;
        Ok(Self::read(&bytes)?)
    }

    /// Reads the bytes of a file. Bytes after the first damage are ignored.
    ///
    /// # Errors
    ///
    /// When there are more than [`MOST_BYTES`](Self::MOST_BYTES), or when not even the beginning of the
    /// game can be read.
    pub fn read(bytes: &[u8]) -> Result<Self, ReadError> {
        if bytes.len() as u64 > Self::MOST_BYTES {
            return Err(ReadError::TooLong);
        }
        let rest = bytes.strip_prefix(MAGIC).ok_or(ReadError::NoRecording)?;
        let (version, records) = rest.split_first_chunk::<2>().ok_or(ReadError::NoRecording)?;
        let found = u16::from_le_bytes(*version);
        if found != VERSION {
            return Err(ReadError::Version { found });
        }
        let (setup, mut at) = match Record::decode(records) {
            Ok((Record::Setup(setup), len)) => (setup, len),
            Ok(_) => {
                return Err(ReadError::Setup(said!(
                    "another record stands in its place",
                    "autre chose est à sa place"
                )));
            }
            Err(problem) => return Err(ReadError::Setup(problem.to_string())),
        };
        let mut recording = Self::new(setup);
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

    /// The number of recorded turns.
    pub fn turn(&self) -> u32 {
        // A file of 2³² turns would exceed the maximum length.
        self.turns.len() as u32
    }

    fn take(&mut self, record: Record) -> Result<(), String> {
        if self.is_complete {
            return Err(said!(
                "something follows the end of the game",
                "quelque chose suit la fin de la partie"
            ));
        }
        match record {
            Record::Setup(_) => {
                return Err(said!("another game begins", "une autre partie commence"));
            }
            Record::Turn(turn) => {
                let (found, expected) = (turn.answers.len(), self.setup.names().len());
                if found != expected {
                    return Err(said!(
                        "a turn of {found} players, expected {expected}",
                        "un tour de {found} joueurs au lieu de {expected}"
                    ));
                }
                if self.turn() >= self.setup.turns() {
                    return Err(said!(
                        "a turn more than the {} of the game",
                        "un tour de plus que les {} de la partie",
                        self.turn()
                    ));
                }
                self.turns.push(&turn);
            }
            Record::Thoughts { dropped, block } => {
                if !self.thoughts.push(self.turn(), dropped, block) {
                    return Err(said!(
                        "a block of thoughts too many",
                        "un bloc de pensées de trop"
                    ));
                }
            }
            Record::Checkpoint { turn, hash } | Record::End { turn, hash } => {
                if turn != self.turn() {
                    let expected = self.turn();
                    return Err(said!(
                        "a checkpoint of turn {turn}, expected turn {expected}",
                        "un point de contrôle du tour {turn} au lieu du tour {expected}"
                    ));
                }
                let is_end = matches!(record, Record::End { .. });
                if self.checkpoints.last().is_some_and(|(last, _)| *last == turn) && !is_end {
                    return Err(said!(
                        "a second checkpoint of turn {turn}",
                        "un second point de contrôle du tour {turn}"
                    ));
                }
                self.is_complete = is_end;
                self.checkpoints.push((turn, hash));
            }
        }
        Ok(())
    }
}
