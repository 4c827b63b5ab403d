//! The results of a tournament in one `SQLite` file. Results that are ready at the same time share a transaction.
//!
//! A recorded game stays in the file, whatever happens to the program. Any number of programs may read the file
//! meanwhile; only one at a time may [write](Store::open).

mod claims;
mod error;
mod rows;
mod schema;
mod voids;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use rusqlite::{
    CachedStatement, Connection, ErrorCode, OpenFlags, OptionalExtension, Row, Transaction, params,
};

use crate::house_game;
use plan::{Key, NamedMap, Outcome, Plan};
use rows::{
    GAMES, in_words, millis, moment, read_game, read_seats, seats, to_json, write_outcome,
    write_teams,
};

pub use error::StoreError;

/// Longest wait of a writer for another transaction.
const BUSY: Duration = Duration::from_secs(10);

/// The file of a tournament, and a connection to it.
#[derive(Debug)]
pub struct Store {
    db: Connection,
    path: PathBuf,
    /// The version of the file format.
    version: i64,
    /// The writer's lock, on a separate file: on the results, some network file systems would mix it up with the locks of
    /// `SQLite`. `None` for readers, and in memory.
    lock: Option<File>,
}

/// The status of a delivered result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// The result is recorded.
    New,
    /// The same result was recorded before.
    Again,
    /// Another result was recorded before and stays. This one is kept as a conflict.
    Differs,
}

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

impl Store {
    /// Creates the file of a new tournament.
    ///
    /// # Errors
    ///
    /// When the file exists already, or cannot be written.
    pub fn create(path: &Path, plan: &Plan) -> Result<Self, StoreError> {
        let file = File::options().write(true).create(true).truncate(false).open(path);
        file.map_err(|source| StoreError::Io { path: path.to_owned(), source })?;
        let lock = match lock(path) {
            Err(StoreError::Locked(path)) => return Err(StoreError::Exists(path)),
            lock => Some(lock?),
        };
        let mut store = Self { lock, ..Self::connect(path)? };
        // A program that was killed at once may have left an empty file.
        let count = "SELECT count(*) FROM sqlite_schema";
        let tables = store.db.query_row(count, [], |row| row.get::<_, i64>(0));
        if tables.map_err(|source| store.fail(source))? > 0 {
            return Err(StoreError::Exists(path.to_owned()));
        }
        store.prepare_to_write()?;
        store.fill(plan).map(|()| store)
    }

    /// Keeps the results of a tournament in memory until the store is dropped.
    ///
    /// # Errors
    ///
    /// When there is no memory.
    pub fn in_memory(plan: &Plan) -> Result<Self, StoreError> {
        let path = PathBuf::from(":memory:");
        let db = Connection::open_in_memory()
            .map_err(|source| StoreError::Database { path: path.clone(), source })?;
        let mut store = Self { db, path, version: schema::VERSION, lock: None };
        store.fill(plan).map(|()| store)
    }

    /// Writes the tournament into a file without tables.
    fn fill(&mut self, plan: &Plan) -> Result<(), StoreError> {
        self.write(|transaction| {
            transaction.execute_batch(schema::TABLES)?;
            transaction.execute_batch(schema::TABLES_OF_VERSION_3)?;
            transaction.execute(
                "INSERT INTO tournament (id, conditions, schedule, limits, notes, begun) VALUES (1, ?, ?, ?, ?, ?)",
                params![
                    to_json(&plan.conditions),
                    to_json(&plan.schedule),
                    to_json(&plan.limits),
                    to_json(&plan.notes),
                    millis(SystemTime::now())
                ],
            )?;
            for (place, NamedMap { name, text, .. }) in plan.maps.iter().enumerate() {
                transaction.execute(
                    "INSERT INTO map (place, name, text) VALUES (?, ?, ?)",
                    params![place.cast_signed() as i64, name, text],
                )?;
            }
            write_teams(transaction, &plan.teams)
        })
    }

    /// Opens the file of a tournament for writing.
    ///
    /// # Errors
    ///
    /// When the file is missing, or another program writes to it.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        Self::existing(path, true)
    }

    /// Opens the file of a tournament for reading, also while it is played.
    ///
    /// # Errors
    ///
    /// When the file is missing.
    pub fn look(path: &Path) -> Result<Self, StoreError> {
        Self::existing(path, false)
    }

    fn existing(path: &Path, to_write: bool) -> Result<Self, StoreError> {
        if !path.exists() {
            return Err(StoreError::Missing(path.to_owned()));
        }
        let mut store = Self::connect(path)?;
        let id = store.number("application_id")?;
        if id != schema::APPLICATION_ID {
            return Err(StoreError::Foreign(path.to_owned()));
        }
        if to_write {
            store.lock = Some(lock(path)?);
        }
        // Another writer may have upgraded the file before it released the lock.
        store.version = store.number("user_version")?;
        if store.version > schema::VERSION {
            return Err(StoreError::Version { path: path.to_owned(), found: store.version });
        }
        if to_write {
            store.prepare_to_write()?;
            store.update()?;
        }
        Ok(store)
    }

    /// A number in the head of the file.
    fn number(&self, name: &str) -> Result<i64, StoreError> {
        let number = self.db.pragma_query_value(None, name, |row| row.get(0));
        number.map_err(|source| self.fail(source))
    }

    /// Upgrades the file to the present version of the format.
    fn update(&mut self) -> Result<(), StoreError> {
        let steps = [
            (1, [schema::FROM_VERSION_1, ""]),
            (2, [schema::FROM_VERSION_2, schema::TABLES_OF_VERSION_3]),
        ];
        for (version, step) in steps {
            if self.version == version {
                self.write(|transaction| transaction.execute_batch(&step.concat()))?;
                self.version += 1;
            }
        }
        Ok(())
    }

    fn connect(path: &Path) -> Result<Self, StoreError> {
        // Not read-only: a reader may have to recover the journal of a killed program.
        let db = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE)
            .or_else(|_| Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY))
            .map_err(|source| StoreError::Database { path: path.to_owned(), source })?;
        let store = Self { db, path: path.to_owned(), version: schema::VERSION, lock: None };
        store.db.busy_timeout(BUSY).map_err(|source| store.fail(source))?;
        Ok(store)
    }

    /// Makes each transaction durable before it counts as done, and lets readers work meanwhile.
    fn prepare_to_write(&self) -> Result<(), StoreError> {
        self.db
            .pragma_update(None, "journal_mode", "wal")
            .and_then(|()| self.db.pragma_update(None, "synchronous", "full"))
            .and_then(|()| self.db.pragma_update(None, "foreign_keys", true))
            .map_err(|source| self.fail(source))
    }

    /// The path of the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The plan, and the outcomes of all games given to `take` as by [`each_outcome`](Self::each_outcome), in one
    /// snapshot, even if another program writes.
    ///
    /// # Errors
    ///
    /// When the file cannot be read.
    pub fn read_all(&self, take: impl FnMut(Outcome)) -> Result<Plan, StoreError> {
        // The transaction ends when it is dropped.
        let _moment = self.db.unchecked_transaction().map_err(|source| self.fail(source))?;
        let plan = self.plan()?;
        self.each_outcome(take)?;
        Ok(plan)
    }

    /// The plan of the tournament.
    ///
    /// # Errors
    ///
    /// When the plan cannot be read.
    pub fn plan(&self) -> Result<Plan, StoreError> {
        let notes = if self.version < 3 { "'[]'" } else { "notes" };
        let select = format!("SELECT conditions, schedule, limits, {notes} FROM tournament");
        let texts =
            |row: &Row<'_>| Ok([row.get::<_, String>(0)?, row.get(1)?, row.get(2)?, row.get(3)?]);
        let [conditions, schedule, limits, notes] =
            self.db.query_row(&select, [], texts).map_err(|source| self.fail(source))?;
        let maps = self.rows("SELECT name, text FROM map ORDER BY place", |row| {
            Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?))
        })?;
        let maps = maps.into_iter().map(|(name, text)| {
            NamedMap::parse(name, text).map_err(|error| self.content(error.to_string()))
        });
        let plan = Plan {
            conditions: self.from_json(&conditions)?,
            schedule: self.from_json(&schedule)?,
            limits: self.from_json(&limits)?,
            notes: self.from_json(&notes)?,
            maps: maps.collect::<Result<_, _>>()?,
            teams: self
                .rows("SELECT team FROM team ORDER BY place", |row| row.get::<_, String>(0))?
                .iter()
                .map(|team| self.from_json(team))
                .collect::<Result<_, _>>()?,
        };
        house_game::check(&plan).map_err(|unknown| self.content(unknown))?;
        Ok(plan)
    }

    /// Replaces the teams, the schedule, the limits and the notes.
    ///
    /// # Errors
    ///
    /// When the plan cannot be written.
    pub fn change(&mut self, plan: &Plan) -> Result<(), StoreError> {
        self.write(|transaction| {
            transaction.execute(
                "UPDATE tournament SET schedule = ?, limits = ?, notes = ?",
                params![to_json(&plan.schedule), to_json(&plan.limits), to_json(&plan.notes)],
            )?;
            transaction.execute("DELETE FROM team", [])?;
            write_teams(transaction, &plan.teams)
        })
    }

    /// Records the outcomes of games, each once, in one transaction. Returns the status of each.
    ///
    /// # Errors
    ///
    /// When the outcomes cannot be written; then none of them is.
    pub fn deliver(&mut self, outcomes: &[Outcome]) -> Result<Vec<Delivery>, StoreError> {
        let mut deliveries = Vec::with_capacity(outcomes.len());
        let mut new: Vec<&Outcome> = Vec::new();
        let mut conflicts = Vec::new();
        for outcome in outcomes {
            let written = self.outcome(outcome.key)?;
            let among = || new.iter().copied().find(|it| it.key == outcome.key);
            deliveries.push(match written.as_ref().or_else(among) {
                None => {
                    new.push(outcome);
                    Delivery::New
                }
                Some(known) if known.agrees_with(outcome) => Delivery::Again,
                Some(known) => {
                    conflicts.push((outcome.key, in_words(known), in_words(outcome)));
                    Delivery::Differs
                }
            });
        }
        if new.is_empty() && conflicts.is_empty() {
            return Ok(deliveries);
        }
        self.write(|transaction| {
            for outcome in &new {
                write_outcome(transaction, outcome)?;
            }
            for (key, kept, received) in &conflicts {
                transaction.execute(
                    "INSERT INTO conflict (game, at, kept, received) VALUES (?, ?, ?, ?)",
                    params![key.as_bytes(), millis(SystemTime::now()), kept, received],
                )?;
            }
            Ok(())
        })?;
        Ok(deliveries)
    }

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
        if self.version < 3 {
            return Ok(Vec::new());
        }
        let rows = self
            .rows("SELECT game, at, fault, outcome FROM attempt ORDER BY rowid", |row| {
                Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get::<_, Option<String>>(3)?))
            })?;
        let read = |(key, at, fault, outcome): (_, _, _, Option<String>)| {
            let outcome = outcome.map(|text| self.from_json(&text)).transpose()?;
            Ok(Attempt { key: Key::from_bytes(key), at: moment(at), fault, outcome })
        };
        rows.into_iter().map(read).collect()
    }

    /// The outcome of a game, if it was played, without its recording.
    ///
    /// # Errors
    ///
    /// When the outcome cannot be read.
    pub fn outcome(&self, key: Key) -> Result<Option<Outcome>, StoreError> {
        let query = format!("{GAMES} WHERE key = ?");
        let mut statement = self.db.prepare_cached(&query).map_err(|source| self.fail(source))?;
        let found = statement.query_row([key.as_bytes()], read_game);
        let Some(mut outcome) = found.optional().map_err(|source| self.fail(source))? else {
            return Ok(None);
        };
        let seats = self.prepare_seats(true).and_then(|mut seats| read_seats(&mut seats, key));
        outcome.seats = seats.map_err(|source| self.fail(source))?;
        Ok(Some(outcome))
    }

    /// The outcomes of all games, as by [`each_outcome`](Self::each_outcome).
    ///
    /// # Errors
    ///
    /// When the outcomes cannot be read.
    pub fn outcomes(&self) -> Result<Vec<Outcome>, StoreError> {
        let mut outcomes = Vec::new();
        self.each_outcome(|outcome| outcomes.push(outcome))?;
        Ok(outcomes)
    }

    /// Gives the outcomes of all games, without their recordings and the usage of programs, one by one to `take`: few of
    /// them need to be in memory. They are in order of their rounds, the names of their maps and their keys. Includes
    /// games of other versions of a team, and voided ones under their new keys.
    ///
    /// # Errors
    ///
    /// When the outcomes cannot be read.
    pub fn each_outcome(&self, mut take: impl FnMut(Outcome)) -> Result<(), StoreError> {
        let mut read = || {
            let mut games = self.db.prepare(&format!("{GAMES} ORDER BY round, map, key"))?;
            let mut seats = self.prepare_seats(false)?;
            for game in games.query_map([], read_game)? {
                let game = game?;
                take(Outcome { seats: read_seats(&mut seats, game.key)?, ..game });
            }
            Ok(())
        };
        read().map_err(|source| self.fail(source))
    }

    /// The query for the seats of a game, with or without the usage of programs.
    fn prepare_seats(&self, with_usage: bool) -> rusqlite::Result<CachedStatement<'_>> {
        let seats = seats(self.version, with_usage);
        self.db.prepare_cached(&format!("{seats} WHERE game = ? ORDER BY seat"))
    }

    /// The recording of a game that was played.
    ///
    /// # Errors
    ///
    /// When the recording cannot be read.
    pub fn recording(&self, key: Key) -> Result<Option<Vec<u8>>, StoreError> {
        let select = "SELECT recording FROM game WHERE key = ?";
        let found = self.db.query_row(select, [key.as_bytes()], |row| row.get(0)).optional();
        found.map_err(|source| self.fail(source))
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

    /// Limits the growth of the file to this number of pages until it is opened again: beyond it, writes fail as on a full
    /// disk.
    ///
    /// # Errors
    ///
    /// When the file cannot be read.
    pub fn limit_size(&mut self, pages: u32) -> Result<(), StoreError> {
        let limited = self
            .db
            .pragma_query_value(None, "page_count", |row| row.get::<_, u32>(0))
            .and_then(|now| {
                let limit = now.saturating_add(pages);
                self.db.query_row(&format!("PRAGMA max_page_count = {limit}"), [], |_| Ok(()))
            });
        limited.map_err(|source| self.fail(source))
    }

    fn rows<T>(
        &self,
        query: &str,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, StoreError> {
        let mut rows = Vec::new();
        self.each_row(query, read, |row| rows.push(row))?;
        Ok(rows)
    }

    fn each_row<T>(
        &self,
        query: &str,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
        mut take: impl FnMut(T),
    ) -> Result<(), StoreError> {
        let mut statement = self.db.prepare(query).map_err(|source| self.fail(source))?;
        let rows = statement.query_map([], read).map_err(|source| self.fail(source))?;
        for row in rows {
            take(row.map_err(|source| self.fail(source))?);
        }
        Ok(())
    }

    fn write<T>(
        &mut self,
        work: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        let done = self.db.transaction().and_then(|transaction| {
            let done = work(&transaction)?;
            transaction.commit()?;
            Ok(done)
        });
        done.map_err(|source| self.fail(source))
    }

    #[expect(clippy::wrong_self_convention, reason = "the file is named in the error")]
    fn from_json<T: serde::de::DeserializeOwned>(&self, text: &str) -> Result<T, StoreError> {
        serde_json::from_str(text).map_err(|error| self.content(error.to_string()))
    }

    fn content(&self, what: String) -> StoreError {
        StoreError::Content { path: self.path.clone(), what }
    }

    fn fail(&self, source: rusqlite::Error) -> StoreError {
        let path = self.path.clone();
        match source.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => StoreError::Full(path),
            Some(ErrorCode::NotADatabase) => StoreError::Foreign(path),
            _ => StoreError::Database { path, source },
        }
    }
}

/// Takes the right to write to the results in a file, until the lock is dropped or the program ends in any way. The file
/// `….verrou` beside the results is never removed: otherwise two programs could hold a lock.
fn lock(path: &Path) -> Result<File, StoreError> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".verrou");
    let beside = PathBuf::from(beside);
    let io = |source| StoreError::Io { path: beside.clone(), source };
    let file =
        File::options().write(true).create(true).truncate(false).open(&beside).map_err(io)?;
    match fs4::FileExt::try_lock(&file) {
        Ok(()) => Ok(file),
        Err(fs4::TryLockError::WouldBlock) => Err(StoreError::Locked(path.to_owned())),
        Err(fs4::TryLockError::Error(error)) => Err(io(error)),
    }
}
