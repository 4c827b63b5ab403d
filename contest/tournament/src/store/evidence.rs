//! Evidence that is kept beside the results: games that the host has spoilt, and results that differ from the recorded ones.

use std::time::SystemTime;

use plan::{Key, Outcome};
use rusqlite::params;

use super::rows::{json_or_null, millis, moment, to_json};
use super::{Store, StoreError};

/// A game that the host has spoilt: it does not count, and is played again.
#[derive(Clone, Debug, PartialEq)]
pub struct Attempt {
    /// The key of the game.
    pub key: Key,
    /// The time at which the game was given up.
    pub at: SystemTime,
    /// The fault of the host, in words.
    pub fault: String,
    /// The outcome, if the game was played to its end; files keep it without its recording.
    pub outcome: Option<Outcome>,
}

/// A result that differs from the recorded one of the same game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The key of the game.
    pub key: Key,
    /// The time at which the second result arrived.
    pub at: SystemTime,
    /// The result that counts, in words.
    pub kept: String,
    /// The result that does not count, in words.
    pub received: String,
}

impl Attempt {
    /// An attempt that is given up now.
    #[must_use]
    pub fn new(key: Key, fault: String, outcome: Option<Outcome>) -> Self {
        Self { key, at: SystemTime::now(), fault, outcome }
    }
}

impl Store {
    /// Keeps a game that the host has spoilt and that does not count.
    ///
    /// # Errors
    ///
    /// When the attempt cannot be written.
    pub fn keep_attempt(&mut self, attempt: &Attempt) -> Result<(), StoreError> {
        let Attempt { key, at, fault, outcome } = attempt;
        let outcome =
            outcome.as_ref().map(|it| to_json(&Outcome { recording: Vec::new(), ..it.clone() }));
        self.write(|transaction| {
            transaction.execute(
                "INSERT INTO attempt (game, at, fault, outcome) VALUES (?, ?, ?, ?)",
                params![key.as_bytes(), millis(*at), fault, outcome],
            )
        })?;
        Ok(())
    }

    /// The games that the host has spoilt, oldest first.
    ///
    /// # Errors
    ///
    /// When the attempts cannot be read.
    pub fn attempts(&self) -> Result<Vec<Attempt>, StoreError> {
        self.rows("SELECT game, at, fault, outcome FROM attempt ORDER BY rowid", |row| {
            Ok(Attempt {
                key: Key::from_bytes(row.get(0)?),
                at: moment(row.get(1)?),
                fault: row.get(2)?,
                outcome: json_or_null(row, 3)?,
            })
        })
    }

    /// Results that differ from the recorded ones, oldest first.
    ///
    /// # Errors
    ///
    /// When the conflicts cannot be read.
    pub fn conflicts(&self) -> Result<Vec<Conflict>, StoreError> {
        self.rows("SELECT game, at, kept, received FROM conflict ORDER BY rowid", |row| {
            Ok(Conflict {
                key: Key::from_bytes(row.get(0)?),
                at: moment(row.get(1)?),
                kept: row.get(2)?,
                received: row.get(3)?,
            })
        })
    }
}
