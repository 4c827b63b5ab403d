//! Versions of bots: what is known of each, and which one plays.

use std::path::{Path, PathBuf};

use rusqlite::types::{FromSql, FromSqlResult, ValueRef};
use rusqlite::{OptionalExtension, Row};

use crate::row::{unknown, unsigned};
use crate::{Content, CourseError, CourseReader, Refusal, Seconds, TeamId, VersionId};

/// The stage of the check of a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VersionState {
    /// The version waits for its check.
    Received,
    /// The check runs.
    Checking,
    /// The version may play.
    Passed,
    /// The version may not play.
    Failed,
}

impl VersionState {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Received => "received",
            Self::Checking => "checking",
            Self::Passed => "passed",
            Self::Failed => "failed",
        }
    }
}

impl FromSql for VersionState {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let name = value.as_str()?;
        let all = [Self::Received, Self::Checking, Self::Passed, Self::Failed];
        all.into_iter().find(|state| state.name() == name).ok_or_else(|| unknown(name))
    }
}

/// A version of a team's bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BotVersion {
    /// The id of the version.
    pub id: VersionId,
    /// The team that has handed it in.
    pub team: TeamId,
    /// The time at which it was handed in.
    pub handed_in: Seconds,
    /// The hash of its files.
    pub content: Content,
    /// Notes that were handed in with it, such as the command that runs it.
    pub about: String,
    /// False if its files were removed, to make room for newer versions.
    pub has_files: bool,
    /// The stage of its check.
    pub state: VersionState,
    /// True if it was withdrawn.
    pub is_withdrawn: bool,
    /// Number of its games.
    pub games: u32,
    /// Number of these against three copies of a house level.
    pub house_games: u32,
    /// Processor time of its games, in microseconds.
    pub cpu: u64,
}

pub(crate) const VERSIONS: &str = "SELECT id, team, handed_in, content, about, has_files, state, \
     withdrawn, games, cpu, house_games FROM version";

/// The condition of versions that may play, but for disqualifications.
pub(crate) const ABLE: &str = "state = 'passed' AND withdrawn = 0 AND has_files = 1";

pub(crate) fn read(row: &Row<'_>) -> rusqlite::Result<BotVersion> {
    Ok(BotVersion {
        id: row.get(0)?,
        team: row.get(1)?,
        handed_in: unsigned(row, 2)?,
        content: Content(row.get(3)?),
        about: row.get(4)?,
        has_files: row.get(5)?,
        state: row.get(6)?,
        is_withdrawn: row.get(7)?,
        games: row.get(8)?,
        cpu: unsigned(row, 9)?,
        house_games: row.get(10)?,
    })
}

impl CourseReader {
    /// A version.
    ///
    /// # Errors
    ///
    /// [`Refusal::NoVersion`]; else, when the course cannot be read.
    pub fn version(&self, version: VersionId) -> Result<BotVersion, CourseError> {
        let found = self.rows(&format!("{VERSIONS} WHERE id = ?"), [version], read)?;
        found.into_iter().next().ok_or_else(|| Refusal::NoVersion.into())
    }

    /// The versions of a team, oldest first.
    ///
    /// # Errors
    ///
    /// When the course cannot be read.
    pub fn versions(&self, team: TeamId) -> Result<Vec<BotVersion>, CourseError> {
        self.rows(&format!("{VERSIONS} WHERE team = ? ORDER BY id"), [team], read)
    }

    /// The verdict of the check of a version, as JSON, once it is checked.
    ///
    /// # Errors
    ///
    /// [`Refusal::NoVersion`]; else, when the course cannot be read.
    pub fn verdict(&self, version: VersionId) -> Result<Option<String>, CourseError> {
        let select = "SELECT verdict FROM version WHERE id = ?";
        let found = self.rows(select, [version], |row| row.get(0))?;
        found.into_iter().next().ok_or_else(|| Refusal::NoVersion.into())
    }

    /// The folder with the files of a version; `None` if they were removed. Nobody may change them.
    ///
    /// # Errors
    ///
    /// [`Refusal::NoVersion`]; else, when the course cannot be read.
    pub fn files(&self, version: VersionId) -> Result<Option<PathBuf>, CourseError> {
        let version = self.version(version)?;
        Ok(version.has_files.then(|| self.store.path(version.content)))
    }

    /// The folder of the folders of versions, each named by its [`Content`]. It is a store of packages, as
    /// `programs::package::Packages` reads them.
    pub fn versions_folder(&self) -> &Path {
        self.store.root()
    }

    /// The version that plays for a team: the newest one that has passed and was not withdrawn; `None` if there is none,
    /// or the team is disqualified.
    ///
    /// # Errors
    ///
    /// When the course cannot be read.
    pub fn playing(&self, team: TeamId) -> Result<Option<VersionId>, CourseError> {
        let select = format!(
            "SELECT max(version.id) FROM version JOIN team ON team.id = team \
             WHERE team = ? AND {ABLE} AND disqualified IS NULL"
        );
        let found = self.db.query_row(&select, [team], |row| row.get(0)).optional();
        Ok(self.sql(found)?.flatten())
    }

    /// The versions that play, by team.
    ///
    /// # Errors
    ///
    /// When the course cannot be read.
    pub fn present(&self) -> Result<Vec<(TeamId, VersionId)>, CourseError> {
        self.present_until(Seconds::MAX)
    }

    /// The versions that would play, by team, if nothing had been handed in after `last`.
    ///
    /// # Errors
    ///
    /// When the course cannot be read.
    pub fn present_until(&self, last: Seconds) -> Result<Vec<(TeamId, VersionId)>, CourseError> {
        let select = format!(
            "SELECT team, max(version.id) FROM version JOIN team ON team.id = team \
             WHERE {ABLE} AND disqualified IS NULL AND handed_in <= ? GROUP BY team ORDER BY team"
        );
        let last = i64::try_from(last).unwrap_or(i64::MAX);
        self.rows(&select, [last], |row| Ok((row.get(0)?, row.get(1)?)))
    }
}
