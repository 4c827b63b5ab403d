//! The ratings of teams day by day.

use rusqlite::params;

use crate::course::time;
use crate::{Course, CourseError, CourseReader, Player, Seconds, TeamId, VersionId};

/// Number of seconds of a day (UTC).
const DAY: i64 = 86_400;

/// The rating of a team on a day, as it was noted last.
#[derive(Clone, Debug, PartialEq)]
pub struct RatingDay {
    /// The team.
    pub team: TeamId,
    /// The day, in days since 1970 (UTC).
    pub day: u32,
    /// The version that played.
    pub version: VersionId,
    /// Its rating; 1500 for the mean of the house levels.
    pub rating: f64,
    /// The lower end of its 95 % confidence interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
    /// Number of games of the version.
    pub games: u32,
}

impl Course {
    /// Notes the ratings of the present versions for the day of `now`, in the place of those that were noted on it before.
    ///
    /// # Errors
    ///
    /// When the course cannot be read or written.
    pub fn note_ratings(&mut self, now: Seconds) -> Result<(), CourseError> {
        let day = time(now)? / DAY;
        let ratings = self.ratings()?;
        self.write(|transaction| {
            let insert = "INSERT OR REPLACE INTO rating_day VALUES (?, ?, ?, ?, ?, ?, ?)";
            let mut insert = transaction.prepare_cached(insert)?;
            for found in ratings {
                if let (Some(team), Player::Version(version)) = (found.team, found.player) {
                    let (rating, low, high) = (found.rating, found.low, found.high);
                    insert.execute(params![team, day, version, rating, low, high, found.games])?;
                }
            }
            Ok(())
        })
    }
}

impl CourseReader {
    /// The ratings that were noted, by day, then by team.
    ///
    /// # Errors
    ///
    /// When the course cannot be read.
    pub fn rating_days(&self) -> Result<Vec<RatingDay>, CourseError> {
        let select = "SELECT team, day, version, rating, low, high, games FROM rating_day \
                      ORDER BY day, team";
        self.rows(select, [], |row| {
            Ok(RatingDay {
                team: row.get(0)?,
                day: row.get(1)?,
                version: row.get(2)?,
                rating: row.get(3)?,
                low: row.get(4)?,
                high: row.get(5)?,
                games: row.get(6)?,
            })
        })
    }
}
