//! Handing in: files of a team become a version, and the files of versions that are not needed go.

use std::collections::BTreeSet;
use std::path::PathBuf;

use rusqlite::{Connection, OptionalExtension, Transaction, params};

use crate::check::check_length;
use crate::course::time;
use crate::version::{ABLE, VersionState};
use crate::{
    Content, Course, CourseError, CourseReader, Refusal, Sealed, Seconds, TeamId, VersionId,
};

/// The time in which hand-ins are counted, in seconds.
const HOUR: i64 = 3600;
/// Maximum number of bytes of what is told with a version.
const ABOUT: usize = 4 << 10;

/// The limits of a team.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Maximum number of versions that are handed in within an hour.
    pub per_hour: u32,
    /// Number of versions whose files are kept. Files are removed in this order, the oldest first: of versions that have
    /// failed, of withdrawn ones, of ones that have passed. Always kept are the files of versions that wait for their
    /// check, of the newest version that may play and of the one that would play if that one was withdrawn. Games name
    /// versions, whose rows stay for ever; they need no files.
    pub kept: u32,
    /// Maximum number of games of challenges that a team asks for within a day.
    pub challenges: u32,
    /// Maximum number of comparisons of versions that a team asks for within a day.
    pub comparisons: u32,
}

impl Default for Limits {
    /// 12 versions an hour, 20 with files, and 20 games of challenges and 3 comparisons a day.
    fn default() -> Self {
        Self { per_hour: 12, kept: 20, challenges: 20, comparisons: 3 }
    }
}

impl CourseReader {
    /// The folder in which an upload is unpacked, so that [`hand_in`](Course::hand_in) can rename it. What is left there is
    /// removed when the course is opened.
    pub fn incoming(&self) -> PathBuf {
        self.store.incoming()
    }

    /// Tests if a text is short enough to be kept with a version.
    ///
    /// # Errors
    ///
    /// [`Refusal::TooLong`].
    pub fn check_about(about: &str) -> Result<(), Refusal> {
        check_length(about, ABOUT)
    }

    /// Tests if a team may hand in a version now. Programs ask before they unpack an upload.
    ///
    /// # Errors
    ///
    /// [`Refusal::TooOften`]; else, when the course cannot be read.
    pub fn may_hand_in(&self, team: TeamId, now: Seconds) -> Result<(), CourseError> {
        let (at, limit) = (time(now)?, self.limits.per_hour);
        if self.ended()?.is_some() {
            return Err(Refusal::Ended.into());
        }
        // The version that must be an hour old.
        let select = "SELECT handed_in FROM version WHERE team = ? AND handed_in > ? \
                      ORDER BY handed_in DESC LIMIT 1 OFFSET ?";
        let before = limit.saturating_sub(1);
        let blocking =
            self.db.query_row(select, params![team, at - HOUR, before], |row| row.get(0));
        match self.sql(blocking.optional())? {
            None if limit > 0 => Ok(()),
            blocking => {
                // A time after now is possible after a clock was set back.
                let wait = blocking.map_or(HOUR, |handed_in: i64| handed_in.min(at) + HOUR - at);
                Err(Refusal::TooOften { limit, wait: wait.unsigned_abs() }.into())
            }
        }
    }

    /// The contents that versions need.
    pub(crate) fn contents(&self) -> Result<BTreeSet<Content>, CourseError> {
        self.sql(contents(&self.db))
    }
}

impl Course {
    /// Keeps a folder as a version of a team, which waits for its check. The folder is renamed: it must lie on the file
    /// system of [`incoming`](CourseReader::incoming). `about` has up to 4 KiB and is kept as it is.
    ///
    /// The files are durable before the version is. If the program is killed in between, the next
    /// [`open`](Self::open) removes the files.
    ///
    /// # Errors
    ///
    /// [`Refusal::TooOften`], [`Refusal::TooLong`] or [`Refusal::NoTeam`]; else, when files or the course cannot be
    /// written. The folder is removed.
    pub fn hand_in(
        &mut self,
        team: TeamId,
        sealed: Sealed,
        about: &str,
        now: Seconds,
    ) -> Result<VersionId, CourseError> {
        let at = time(now)?;
        check_length(about, ABOUT)?;
        self.team(team)?;
        self.may_hand_in(team, now)?;
        let content = self.store.take(sealed)?;
        let kept = self.limits.kept;
        let written = self.write(|transaction| {
            let insert = "INSERT INTO version (team, handed_in, content, about, state) \
                          VALUES (?, ?, ?, ?, 'received') RETURNING id";
            let values = params![team, at, content.0, about];
            let id = transaction.query_row(insert, values, |row| row.get(0))?;
            Ok((id, prune(transaction, team, kept)?))
        });
        self.settle(content, written)
    }

    /// Keeps other files for a version that is being checked, such as those that its build has made, instead of its own, and
    /// another `about` with them.
    ///
    /// # Errors
    ///
    /// [`Refusal::NoVersion`], [`Refusal::NotChecking`] or [`Refusal::TooLong`]; else, when files or the course cannot be
    /// written. The folder is removed.
    pub fn replace_files(
        &mut self,
        version: VersionId,
        sealed: Sealed,
        about: &str,
    ) -> Result<(), CourseError> {
        check_length(about, ABOUT)?;
        if self.version(version)?.state != VersionState::Checking {
            return Err(Refusal::NotChecking.into());
        }
        let content = self.store.take(sealed)?;
        let written = self.write(|transaction| {
            let before = "SELECT content FROM version WHERE id = ?";
            let before = transaction.query_row(before, [version], |row| row.get(0).map(Content))?;
            let update = "UPDATE version SET content = ?, about = ? WHERE id = ?";
            transaction.execute(update, params![content.0, about, version])?;
            Ok(((), unneeded(transaction, [before])?))
        });
        self.settle(content, written)
    }

    /// Removes the folders of contents that no version needs after a change; of one that failed, the new `content`.
    fn settle<T>(
        &self,
        content: Content,
        written: Result<(T, Vec<Content>), CourseError>,
    ) -> Result<T, CourseError> {
        match written {
            Ok((done, unused)) => {
                for content in unused {
                    self.store.remove(content);
                }
                Ok(done)
            }
            Err(error) => {
                if !self.contents()?.contains(&content) {
                    self.store.remove(content);
                }
                Err(error)
            }
        }
    }
}

/// The contents that versions in a database need.
pub(crate) fn contents(db: &Connection) -> rusqlite::Result<BTreeSet<Content>> {
    let mut select = db.prepare("SELECT DISTINCT content FROM version WHERE has_files = 1")?;
    select.query_map([], |row| row.get(0).map(Content))?.collect()
}

/// Notes that the files of a content are not there. A version that waits for its check fails, for there is nothing to check.
pub(crate) fn forget(db: &Connection, content: Content) -> rusqlite::Result<Vec<VersionId>> {
    let update = "UPDATE version SET has_files = 0, \
         state = iif(state IN ('received', 'checking'), 'failed', state) \
         WHERE content = ? AND has_files = 1 RETURNING id";
    db.prepare(update)?.query_map([content.0], |row| row.get(0))?.collect()
}

/// Forgets the files of versions of a team beyond the limit. Returns the contents that no version needs any more.
fn prune(transaction: &Transaction<'_>, team: TeamId, kept: u32) -> rusqlite::Result<Vec<Content>> {
    let count = "SELECT count(*) FROM version WHERE team = ? AND has_files = 1";
    let count: u32 = transaction.query_row(count, [team], |row| row.get(0))?;
    let surplus = count.saturating_sub(kept);
    let select = format!(
        "SELECT id, content FROM version WHERE team = ?1 AND has_files = 1 \
         AND state IN ('passed', 'failed') AND id NOT IN \
         (SELECT id FROM version WHERE team = ?1 AND {ABLE} ORDER BY id DESC LIMIT 2) \
         ORDER BY state = 'passed', withdrawn = 0, id LIMIT ?2"
    );
    let mut select = transaction.prepare_cached(&select)?;
    let doomed: Vec<(VersionId, Content)> = select
        .query_map(params![team, surplus], |row| Ok((row.get(0)?, Content(row.get(1)?))))?
        .collect::<Result<_, _>>()?;
    let mut unused = BTreeSet::new();
    for (version, content) in doomed {
        transaction.execute("UPDATE version SET has_files = 0 WHERE id = ?", [version])?;
        unused.insert(content);
    }
    unneeded(transaction, unused)
}

/// The contents that no version needs.
fn unneeded(
    transaction: &Transaction<'_>,
    contents: impl IntoIterator<Item = Content>,
) -> rusqlite::Result<Vec<Content>> {
    let needed = "SELECT 1 FROM version WHERE content = ? AND has_files = 1";
    let mut needed = transaction.prepare_cached(needed)?;
    let mut free = Vec::new();
    for content in contents {
        if !needed.exists([content.0])? {
            free.push(content);
        }
    }
    Ok(free)
}
