//! The file of a course: created, opened by one program at a time, read and written.

use std::cell::RefCell;
use std::fs::File;
use std::path::{Path, PathBuf};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags, Row, Transaction, params};

use crate::folder::Store;
use crate::lock::lock;
use crate::ratings::Ladder;
use crate::{CourseError, Limits, Refusal, Seconds, Token, schema};

/// A course: its file, the folder `….versions` beside it, and the lock `….verrou`.
///
/// One program at a time opens a course. What a method has returned is durable: each change is one transaction, written
/// to the disk before the method returns.
#[derive(Debug)]
pub struct Course {
    pub(crate) db: Connection,
    pub(crate) path: PathBuf,
    pub(crate) store: Store,
    pub(crate) limits: Limits,
    pub(crate) ladder: RefCell<Option<Ladder>>,
    /// Keeps other programs out until it is dropped or this program ends in any way.
    _lock: File,
}

impl Course {
    /// Creates the file of a new course. Returns the teacher's token with it.
    ///
    /// # Errors
    ///
    /// When the file exists already, or cannot be written.
    pub fn create(path: &Path, now: Seconds) -> Result<(Self, Token), CourseError> {
        let io = |source| CourseError::Io { path: path.to_owned(), source };
        create_private(path).map_err(io)?;
        let lock = lock(path)?;
        let mut course = Self::connect(path, lock)?;
        // A program that was killed at once may have left an empty file, or tables without a course.
        if course.count("SELECT count(*) FROM sqlite_schema")? > 0
            && (course.number("application_id")? != schema::APPLICATION_ID
                || course.number("user_version")? == 0
                || course.count("SELECT count(*) FROM course")? > 0)
        {
            return Err(CourseError::Exists(path.to_owned()));
        }
        let first = course.db.execute_batch("PRAGMA auto_vacuum = incremental");
        course.sql(first)?;
        course.prepare()?;
        let token = Token::draw()?;
        let (hash, now) = (token.hash(), time(now)?);
        course.write(|transaction| {
            let insert = "INSERT INTO course (id, begun, token) VALUES (1, ?, ?)";
            transaction.execute(insert, params![now, hash.0])
        })?;
        course.sweep()?;
        Ok((course, token))
    }

    /// Opens the file of a course. Removes what a killed program has left unfinished; versions whose check was
    /// interrupted wait for one again.
    ///
    /// # Errors
    ///
    /// When the file is missing or invalid, or another program has opened it.
    pub fn open(path: &Path) -> Result<Self, CourseError> {
        if !path.is_file() {
            return Err(CourseError::Missing(path.to_owned()));
        }
        let mut course = Self::connect(path, lock(path)?)?;
        if course.number("application_id")? != schema::APPLICATION_ID {
            return Err(CourseError::Foreign(path.to_owned()));
        }
        let found = course.number("user_version")?;
        if !(1..=schema::version()).contains(&found) {
            return Err(CourseError::Version { path: path.to_owned(), found });
        }
        course.prepare()?;
        // A course has no code of its own in its file, but a file from elsewhere could have some.
        let code = "SELECT count(*) FROM sqlite_schema WHERE type IN ('trigger', 'view')";
        if course.count(code)? > 0 || course.count("SELECT count(*) FROM course")? != 1 {
            return Err(CourseError::Foreign(path.to_owned()));
        }
        course.write(|transaction| {
            let again = "UPDATE version SET state = iif(withdrawn, 'failed', 'received') \
                 WHERE state = 'checking'";
            transaction.execute(again, [])
        })?;
        course.sweep()?;
        Ok(course)
    }

    fn connect(path: &Path, lock: File) -> Result<Self, CourseError> {
        let db = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE)
            .map_err(|source| CourseError::Database { path: path.to_owned(), source })?;
        let store = Store::beside(path);
        let (limits, ladder) = (Limits::default(), RefCell::default());
        Ok(Self { db, path: path.to_owned(), store, limits, ladder, _lock: lock })
    }

    /// Makes each transaction durable before it counts as done, distrusts the file, and brings its tables up to date.
    fn prepare(&mut self) -> Result<(), CourseError> {
        let prepared = self.db.execute_batch(
            "PRAGMA trusted_schema = off; PRAGMA journal_mode = wal; PRAGMA synchronous = full; \
             PRAGMA foreign_keys = on; PRAGMA journal_size_limit = 67108864;",
        );
        self.sql(prepared)?;
        self.db.set_prepared_statement_cache_capacity(64);
        self.sql(self.db.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true))?;
        let from = self.number("user_version")?;
        let upgraded = schema::upgrade(&mut self.db, from);
        self.sql(upgraded)
    }

    /// Sets the limits of teams, until the course is opened again.
    pub fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Limits the growth of the file to this number of pages until it is opened again: beyond it, writes fail as on a
    /// full disk.
    ///
    /// # Errors
    ///
    /// When the file cannot be read.
    pub fn limit_size(&mut self, pages: u32) -> Result<(), CourseError> {
        let limit = self.number("page_count")? + i64::from(pages);
        let limit = format!("PRAGMA max_page_count = {limit}");
        self.sql(self.db.query_row(&limit, [], |_| Ok(())))
    }

    /// A number in the head of the file.
    pub(crate) fn number(&self, name: &str) -> Result<i64, CourseError> {
        self.sql(self.db.pragma_query_value(None, name, |row| row.get(0)))
    }

    pub(crate) fn count(&self, query: &str) -> Result<i64, CourseError> {
        self.sql(self.db.query_row(query, [], |row| row.get(0)))
    }

    pub(crate) fn rows<T>(
        &self,
        query: &str,
        parameters: impl rusqlite::Params,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, CourseError> {
        let rows = || self.db.prepare_cached(query)?.query_map(parameters, read)?.collect();
        self.sql(rows())
    }

    pub(crate) fn write<T>(
        &mut self,
        work: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T>,
    ) -> Result<T, CourseError> {
        self.try_write(|transaction| work(transaction).map_err(Failure::Sql))
    }

    /// A transaction that may also be refused.
    pub(crate) fn try_write<T>(
        &mut self,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, Failure>,
    ) -> Result<T, CourseError> {
        let done = self.db.transaction().map_err(Failure::Sql).and_then(|transaction| {
            let done = work(&transaction)?;
            transaction.commit()?;
            Ok(done)
        });
        done.map_err(|failure| match failure {
            Failure::Sql(error) => self.failed(error),
            Failure::Refused(refusal) => refusal.into(),
        })
    }

    /// Names the file in an error of the database.
    pub(crate) fn sql<T>(&self, done: rusqlite::Result<T>) -> Result<T, CourseError> {
        done.map_err(|error| self.failed(error))
    }

    fn failed(&self, source: rusqlite::Error) -> CourseError {
        use rusqlite::Error::{
            FromSqlConversionFailure, IntegralValueOutOfRange, InvalidColumnType,
        };
        let path = self.path.clone();
        match source {
            FromSqlConversionFailure(..) | IntegralValueOutOfRange(..) | InvalidColumnType(..) => {
                CourseError::Content { path, what: source.to_string() }
            }
            source => match source.sqlite_error_code() {
                Some(ErrorCode::DiskFull) => CourseError::Full(path),
                Some(ErrorCode::NotADatabase) => CourseError::Foreign(path),
                _ => CourseError::Database { path, source },
            },
        }
    }
}

/// The reason why a transaction was not committed.
#[derive(Debug)]
pub(crate) enum Failure {
    Sql(rusqlite::Error),
    Refused(Refusal),
}

impl From<rusqlite::Error> for Failure {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sql(error)
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

/// A time as the file keeps it.
pub(crate) fn time(seconds: Seconds) -> Result<i64, Refusal> {
    i64::try_from(seconds).ok().filter(|at| *at < i64::MAX / 2).ok_or(Refusal::Time)
}

/// Creates a file that only its owner may read, for it has the addresses of students. An existing file stays as it is.
pub(crate) fn create_private(path: &Path) -> std::io::Result<()> {
    let mut options = File::options();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map(|_| ())
}

/// The path of a file or folder beside the file of a course.
pub(crate) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut beside = path.as_os_str().to_owned();
    beside.push(suffix);
    PathBuf::from(beside)
}
