//! The file of a course: created, opened by one program at a time, read and written.

use std::fs::File;
use std::ops::Deref;
use std::path::{Path, PathBuf};

use rusqlite::{OpenFlags, Transaction, params};

use crate::check::AGAIN;
use crate::folder::set_mode;
use crate::hand_in::forget;
use crate::lock::lock;
use crate::{
    CourseError, CourseReader, LadderRules, Limits, Refusal, Seconds, Token, VersionId, schema,
};

/// A course: its file, the folder `….versions` beside it, and the lock `….verrou`.
///
/// One program at a time opens a course. It reads what a [`CourseReader`] reads. What a method has returned is durable:
/// each change is one transaction, written to the disk before the method returns.
#[derive(Debug)]
pub struct Course {
    reader: CourseReader,
    leftovers: Vec<PathBuf>,
    missing: Vec<VersionId>,
    /// The least charge of a seat, in microseconds.
    pub(crate) least: u64,
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
        let (path, lock) = lock(path)?;
        let path = path.as_path();
        create_private(path).map_err(CourseError::in_file(path))?;
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

    /// Opens the file of a course. Removes what a killed program has left unfinished, but for [`leftovers`](Self::leftovers);
    /// versions whose check was interrupted wait for one again. Only its owner may read the file from now on.
    ///
    /// # Errors
    ///
    /// When the file is missing or invalid, or another program has opened it.
    pub fn open(path: &Path) -> Result<Self, CourseError> {
        if !path.is_file() {
            return Err(CourseError::Missing(path.to_owned()));
        }
        let (path, lock) = lock(path)?;
        let mut course = Self::connect(&path, lock)?;
        if course.number("application_id")? != schema::APPLICATION_ID {
            return Err(CourseError::Foreign(path));
        }
        let found = course.number("user_version")?;
        if !(1..=schema::version()).contains(&found) {
            return Err(CourseError::Version { path, found });
        }
        course.prepare()?;
        // A course has no code of its own in its file, but a file from elsewhere could have some.
        let code = "SELECT count(*) FROM sqlite_schema WHERE type IN ('trigger', 'view')";
        if course.count(code)? > 0 || course.count("SELECT count(*) FROM course")? != 1 {
            return Err(CourseError::Foreign(path));
        }
        course.write(|transaction| transaction.execute(AGAIN, []))?;
        course.sweep()?;
        Ok(course)
    }

    fn connect(path: &Path, lock: File) -> Result<Self, CourseError> {
        for file in ["", "-wal", "-shm", ".verrou"].map(|suffix| beside(path, suffix)) {
            let tightened = if file.exists() { set_mode(&file, 0o600) } else { Ok(()) };
            tightened.map_err(CourseError::in_file(&file))?;
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE;
        let reader = CourseReader::connect(path, flags, Limits::default())?;
        let (leftovers, missing, least) = (Vec::new(), Vec::new(), LadderRules::default().least);
        Ok(Self { reader, leftovers, missing, least, _lock: lock })
    }

    /// Removes what no version needs, and notes which versions miss their files.
    fn sweep(&mut self) -> Result<(), CourseError> {
        let needed = self.contents()?;
        self.leftovers = self.store.sweep(&needed)?;
        let gone: Vec<_> = needed.into_iter().filter(|it| !self.store.has(*it)).collect();
        self.missing = self.write(|transaction| {
            let mut missing = Vec::new();
            for content in gone {
                missing.extend(forget(transaction, content)?);
            }
            missing.sort_unstable();
            Ok(missing)
        })?;
        Ok(())
    }

    /// Unfinished files, and files of no version, that could not be removed when the course was opened.
    pub fn leftovers(&self) -> &[PathBuf] {
        &self.leftovers
    }

    /// The versions whose files were missing when the course was opened. They have no files from now on; those that waited
    /// for their check have failed.
    pub fn missing(&self) -> &[VersionId] {
        &self.missing
    }

    /// A second look at the course, of the same program: for a thread that reads while others write. It has the limits that
    /// this course has now.
    ///
    /// # Errors
    ///
    /// When the file cannot be opened.
    pub fn reader(&self) -> Result<CourseReader, CourseError> {
        CourseReader::connect(&self.path, OpenFlags::SQLITE_OPEN_READ_ONLY, self.limits)
    }

    /// Makes each transaction durable before it counts as done, and brings the tables up to date.
    fn prepare(&mut self) -> Result<(), CourseError> {
        let prepared = self.db.execute_batch(
            "PRAGMA journal_mode = wal; PRAGMA synchronous = full; \
             PRAGMA foreign_keys = on; PRAGMA journal_size_limit = 67108864;",
        );
        self.sql(prepared)?;
        let from = self.number("user_version")?;
        let upgraded = schema::upgrade(&mut self.reader.db, from);
        self.sql(upgraded)
    }

    /// Sets the limits of teams, until the course is opened again.
    pub fn set_limits(&mut self, limits: Limits) {
        self.reader.limits = limits;
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
        let done = self.reader.db.transaction().map_err(Failure::Sql).and_then(|transaction| {
            let done = work(&transaction)?;
            transaction.commit()?;
            Ok(done)
        });
        done.map_err(|failure| match failure {
            Failure::Sql(source) => CourseError::in_database(&self.path)(source),
            Failure::Refused(refusal) => refusal.into(),
        })
    }
}

impl Deref for Course {
    type Target = CourseReader;

    fn deref(&self) -> &CourseReader {
        &self.reader
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
pub(crate) fn create_private(path: &Path) -> std::io::Result<File> {
    let mut options = File::options();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// The path of a file or folder beside the file of a course.
pub(crate) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut beside = path.as_os_str().to_owned();
    beside.push(suffix);
    PathBuf::from(beside)
}
