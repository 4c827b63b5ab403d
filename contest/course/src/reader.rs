//! Reading a course, beside the program's part that writes it.

use std::cell::RefCell;
use std::path::{Path, PathBuf};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, Row, Transaction};

use crate::folder::Store;
use crate::pairs::Pairs;
use crate::ratings::Ladder;
use crate::{CourseError, Limits, schema};

/// A course as it is read. [`Course`](crate::Course) is one that also writes; [`Course::reader`](crate::Course::reader)
/// makes others, for threads that do not wait for each other. Each answer is of one moment between two changes.
///
/// A reader sums the games up by itself for [`ratings`](Self::ratings) and [`pairs`](Self::pairs): a few readers that are kept cost less than one for
/// each question.
#[derive(Debug)]
pub struct CourseReader {
    pub(crate) db: Connection,
    pub(crate) path: PathBuf,
    pub(crate) store: Store,
    pub(crate) limits: Limits,
    pub(crate) ladder: RefCell<Option<Ladder>>,
    pub(crate) pairs: RefCell<Pairs>,
}

impl CourseReader {
    /// Opens the file, which must exist, and distrusts it.
    pub(crate) fn connect(
        path: &Path,
        flags: OpenFlags,
        limits: Limits,
    ) -> Result<Self, CourseError> {
        let db =
            Connection::open_with_flags(path, flags).map_err(CourseError::in_database(path))?;
        db.set_prepared_statement_cache_capacity(64);
        let store = Store::beside(path);
        let reader = Self {
            db,
            path: path.to_owned(),
            store,
            limits,
            ladder: RefCell::default(),
            pairs: RefCell::default(),
        };
        reader.sql(reader.db.execute_batch("PRAGMA trusted_schema = off"))?;
        reader.sql(reader.db.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true))?;
        Ok(reader)
    }

    /// Opens the file of a course to be read, also while another program has opened it as [`Course`](crate::Course).
    ///
    /// # Errors
    ///
    /// When the file is missing or invalid, or has the format of another version of the program.
    pub fn open(path: &Path) -> Result<Self, CourseError> {
        if !path.is_file() {
            return Err(CourseError::Missing(path.to_owned()));
        }
        let reader = Self::connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY, Limits::default())?;
        if reader.number("application_id")? != schema::APPLICATION_ID {
            return Err(CourseError::Foreign(path.to_owned()));
        }
        match reader.number("user_version")? {
            found if found == schema::version() => Ok(reader),
            found => Err(CourseError::Version { path: path.to_owned(), found }),
        }
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Begins a moment: until it is dropped, everything is read as it was then, whatever is written meanwhile.
    pub(crate) fn moment(&self) -> Result<Option<Transaction<'_>>, CourseError> {
        let is_first = self.db.is_autocommit();
        self.sql(is_first.then(|| self.db.unchecked_transaction()).transpose())
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

    /// Names the file in an error of the database.
    pub(crate) fn sql<T>(&self, done: rusqlite::Result<T>) -> Result<T, CourseError> {
        done.map_err(CourseError::in_database(&self.path))
    }
}
