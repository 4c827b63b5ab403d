//! Comparisons: games of a version against an earlier one of the same team, which the team asks for.

use rusqlite::types::Type;
use rusqlite::{Row, params};

use crate::check::check_length;
use crate::course::time;
use crate::row::unsigned;
use crate::version::VersionState;
use crate::{Course, CourseError, CourseReader, Refusal, Seconds, TeamId, VersionId};

/// The time in which comparisons are counted, in seconds.
const DAY: i64 = 24 * 3600;
/// Maximum number of bytes of a result.
const RESULT: usize = 4 << 10;

/// A comparison of a version with an earlier one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// The number of the comparison.
    pub id: u32,
    /// The team.
    pub team: TeamId,
    /// The time at which the team asked for it.
    pub at: Seconds,
    /// The version that may be better.
    pub newer: VersionId,
    /// The version that it is compared with.
    pub older: VersionId,
    /// The result, as JSON, once the games are played.
    pub result: Option<String>,
}

const COMPARISONS: &str = "SELECT id, team, at, newer, older, result FROM comparison";

fn read(row: &Row<'_>) -> rusqlite::Result<Comparison> {
    let id: i64 = row.get(0)?;
    let id = u32::try_from(id).map_err(|error| {
        rusqlite::Error::FromSqlConversionFailure(0, Type::Integer, error.into())
    })?;
    Ok(Comparison {
        id,
        team: row.get(1)?,
        at: unsigned(row, 2)?,
        newer: row.get(3)?,
        older: row.get(4)?,
        result: row.get(5)?,
    })
}

impl CourseReader {
    /// The first comparison without a result.
    ///
    /// # Errors
    ///
    /// When the course cannot be read.
    pub fn next_comparison(&self) -> Result<Option<Comparison>, CourseError> {
        let query = format!("{COMPARISONS} WHERE result IS NULL ORDER BY id LIMIT 1");
        Ok(self.rows(&query, [], read)?.pop())
    }

    /// The last comparisons of a team, up to `most`, the newest first.
    ///
    /// # Errors
    ///
    /// When the course cannot be read.
    pub fn comparisons(&self, team: TeamId, most: u32) -> Result<Vec<Comparison>, CourseError> {
        let query = format!("{COMPARISONS} WHERE team = ? ORDER BY id DESC LIMIT ?");
        self.rows(&query, params![team, most], read)
    }
}

impl Course {
    /// Asks whether a version of a team is better than another one of it. A team asks a limited number of times within a day.
    ///
    /// # Errors
    ///
    /// [`Refusal::NoVersion`] if one of them is not the team's; [`Refusal::Comparison`] if they are the same, or one cannot
    /// play or has no files any more; [`Refusal::TooManyComparisons`]; else, when the course cannot be written.
    pub fn compare(
        &mut self,
        team: TeamId,
        [newer, older]: [VersionId; 2],
        now: Seconds,
    ) -> Result<(), CourseError> {
        let at = time(now)?;
        for version in [newer, older] {
            let known = self.version(version)?;
            if known.team != team {
                return Err(Refusal::NoVersion.into());
            }
            if newer == older || known.state != VersionState::Passed || !known.has_files {
                return Err(Refusal::Comparison.into());
            }
        }
        let select = "SELECT count(*) FROM comparison WHERE team = ? AND at > ?";
        let asked: u32 =
            self.sql(self.db.query_row(select, params![team, at - DAY], |row| row.get(0)))?;
        if asked >= self.limits.comparisons {
            return Err(Refusal::TooManyComparisons(self.limits.comparisons).into());
        }
        self.write(|transaction| {
            let insert = "INSERT INTO comparison (team, at, newer, older) VALUES (?, ?, ?, ?)";
            transaction.execute(insert, params![team, at, newer, older])
        })?;
        Ok(())
    }

    /// Keeps the result of a comparison, a JSON text of up to 4 KiB.
    ///
    /// # Errors
    ///
    /// [`Refusal::TooLong`]; else, when the course cannot be written.
    pub fn conclude(&mut self, comparison: u32, result: &str) -> Result<(), CourseError> {
        check_length(result, RESULT)?;
        self.write(|transaction| {
            let update = "UPDATE comparison SET result = ? WHERE id = ?";
            transaction.execute(update, params![result, comparison])
        })?;
        Ok(())
    }
}
