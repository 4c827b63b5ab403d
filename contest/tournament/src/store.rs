//! The results of a tournament in one `SQLite` file. Results that are ready at the same time share a transaction.
//!
//! A recorded game stays in the file, whatever happens to the program. Any number of programs may read the file
//! meanwhile; only one at a time may [write](Store::open).

mod claims;
mod error;
mod evidence;
mod games;
mod rows;
mod schema;
mod voids;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension, Row, Transaction, params};

use crate::house_game;
use plan::{Key, NamedMap, Outcome, Plan};
use rows::{
    GAMES, in_words, json, millis, read_game, read_seats, seats, to_json, write_outcome,
    write_teams,
};

pub use error::StoreError;
pub use evidence::{Attempt, Conflict};
pub use games::GameOrder;

/// Longest wait of a writer for another transaction.
const BUSY: Duration = Duration::from_secs(10);

/// The file of a tournament, and a connection to it.
#[derive(Debug)]
pub struct Store {
    db: Connection,
    path: PathBuf,
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
        store.expect_no_tables()?;
        store.prepare_to_write()?;
        store.fill(plan).map(|()| store)
    }

    /// Tests if a new tournament may take this path, before anything is prepared for it. As for [`create`](Self::create), a file
    /// without tables counts as none: a program that was killed at once may have left one.
    ///
    /// # Errors
    ///
    /// When a tournament or another file is there, or the file cannot be read.
    pub fn expect_none(path: &Path) -> Result<(), StoreError> {
        if path.exists() { Self::connect(path)?.expect_no_tables() } else { Ok(()) }
    }

    fn expect_no_tables(&self) -> Result<(), StoreError> {
        let count = "SELECT count(*) FROM sqlite_schema";
        match self.sql(self.db.query_row(count, [], |row| row.get::<_, i64>(0)))? {
            0 => Ok(()),
            _ if self.number("application_id")? == schema::APPLICATION_ID => {
                Err(StoreError::Exists(self.path.clone()))
            }
            _ => Err(StoreError::Foreign(self.path.clone())),
        }
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
        let mut store = Self { db, path, lock: None };
        store.fill(plan).map(|()| store)
    }

    /// Writes the tournament into a file without tables.
    fn fill(&mut self, plan: &Plan) -> Result<(), StoreError> {
        self.write(|transaction| {
            transaction.execute_batch(schema::TABLES)?;
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
        // A program of a later version may upgrade the file until it releases the lock.
        let found = store.number("user_version")?;
        if found != schema::VERSION {
            return Err(StoreError::Version { path: path.to_owned(), found });
        }
        if to_write {
            store.prepare_to_write()?;
        }
        Ok(store)
    }

    /// A number in the head of the file.
    fn number(&self, name: &str) -> Result<i64, StoreError> {
        self.sql(self.db.pragma_query_value(None, name, |row| row.get(0)))
    }

    fn connect(path: &Path) -> Result<Self, StoreError> {
        if path.is_dir() {
            return Err(StoreError::Foreign(path.to_owned()));
        }
        // Not read-only: a reader may have to recover the journal of a killed program.
        let db = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE)
            .or_else(|_| Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY))
            .map_err(|source| StoreError::Database { path: path.to_owned(), source })?;
        let store = Self { db, path: path.to_owned(), lock: None };
        store.sql(store.db.busy_timeout(BUSY))?;
        Ok(store)
    }

    /// Makes each transaction durable before it counts as done, and lets readers work meanwhile.
    fn prepare_to_write(&self) -> Result<(), StoreError> {
        self.sql(self.db.execute_batch(
            "PRAGMA journal_mode = wal; PRAGMA synchronous = full; PRAGMA foreign_keys = true;",
        ))
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The plan, and the outcomes of all games given to `take` as by [`each_outcome`](Self::each_outcome), in order of their
    /// rounds, in one snapshot, even if another program writes.
    ///
    /// # Errors
    ///
    /// When the file cannot be read.
    pub fn read_all(&self, take: impl FnMut(Outcome)) -> Result<Plan, StoreError> {
        // The transaction ends when it is dropped.
        let _moment = self.sql(self.db.unchecked_transaction())?;
        let plan = self.plan()?;
        self.each_outcome(GameOrder::Rounds, take)?;
        Ok(plan)
    }

    /// The plan of the tournament.
    ///
    /// # Errors
    ///
    /// When the plan cannot be read.
    pub fn plan(&self) -> Result<Plan, StoreError> {
        let select = "SELECT conditions, schedule, limits, notes FROM tournament";
        let plan = self.sql(self.db.query_row(select, [], |row| {
            Ok(Plan {
                conditions: json(row, 0)?,
                schedule: json(row, 1)?,
                limits: json(row, 2)?,
                notes: json(row, 3)?,
                maps: Vec::new(),
                teams: Vec::new(),
            })
        }))?;
        let maps = self.rows("SELECT name, text FROM map ORDER BY place", |row| {
            Ok(NamedMap::parse(row.get(0)?, row.get(1)?))
        })?;
        let maps = maps.into_iter().map(|map| map.map_err(|error| self.content(error.to_string())));
        let plan = Plan {
            maps: maps.collect::<Result<_, _>>()?,
            teams: self.rows("SELECT team FROM team ORDER BY place", |row| json(row, 0))?,
            ..plan
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

    /// The outcome of a game, if it was played, without its recording.
    ///
    /// # Errors
    ///
    /// When the outcome cannot be read.
    pub fn outcome(&self, key: Key) -> Result<Option<Outcome>, StoreError> {
        let query = format!("{GAMES} WHERE key = ?");
        let read = || {
            let mut game = self.db.prepare_cached(&query)?;
            let Some(game) = game.query_row([key.as_bytes()], read_game).optional()? else {
                return Ok(None);
            };
            let mut read = self.db.prepare_cached(&seats(true))?;
            Ok(Some(Outcome { seats: read_seats(&mut read, key)?, ..game }))
        };
        self.sql(read())
    }

    /// Limits the growth of the file to this number of pages until it is opened again: beyond it, writes fail as on a full
    /// disk.
    ///
    /// # Errors
    ///
    /// When the file cannot be read.
    pub fn limit_size(&mut self, pages: u32) -> Result<(), StoreError> {
        let limit = self.number("page_count")? + i64::from(pages);
        let limit = format!("PRAGMA max_page_count = {limit}");
        self.sql(self.db.query_row(&limit, [], |_| Ok(())))
    }

    fn rows<T>(
        &self,
        query: &str,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, StoreError> {
        let rows = || self.db.prepare(query)?.query_map([], read)?.collect();
        self.sql(rows())
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
        self.sql(done)
    }

    fn content(&self, what: String) -> StoreError {
        StoreError::Content { path: self.path.clone(), what }
    }

    /// Names the file in an error of the database.
    fn sql<T>(&self, done: rusqlite::Result<T>) -> Result<T, StoreError> {
        done.map_err(|source| {
            let path = self.path.clone();
            match source {
                rusqlite::Error::FromSqlConversionFailure(_, _, error) => {
                    StoreError::Content { path, what: error.to_string() }
                }
                source => match source.sqlite_error_code() {
                    Some(ErrorCode::DiskFull) => StoreError::Full(path),
                    Some(ErrorCode::NotADatabase) => StoreError::Foreign(path),
                    _ => StoreError::Database { path, source },
                },
            }
        })
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
