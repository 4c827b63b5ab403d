//! The audit log: what the teacher and the teams have changed, and when.

use language::said;
use rusqlite::{Transaction, params};
use serde::{Deserialize, Serialize};

use crate::course::time;
use crate::row::{json, unsigned};
use crate::{Course, CourseError, CourseReader, Seconds, TeamId, VersionId, Who};

/// A change of a course that the audit log keeps.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum Deed {
    /// A team was added.
    #[error("{}", said!("added team {_0}", "a ajouté l'équipe {_0}"))]
    TeamAdded(TeamId),
    /// A team was added by an invitation.
    #[error("{}", said!("joined as team {_0}", "a rejoint le cours comme équipe {_0}"))]
    Joined(TeamId),
    /// The token of a team was renewed.
    #[error("{}", said!("renewed the token of team {_0}", "a renouvelé le jeton de l'équipe {_0}"))]
    TokenRenewed(TeamId),
    /// The teacher's token was renewed.
    #[error("{}", said!("renewed the teacher's token", "a renouvelé le jeton de l'enseignant"))]
    TeacherTokenRenewed,
    /// The pseudonym of a team was set or removed.
    #[error("{}", said!("changed how team {_0} is shown", "a changé l'affichage de l'équipe {_0}"))]
    ShownAs(TeamId),
    /// A team was disqualified.
    #[error("{}", said!("disqualified team {team}: {reason}", "a disqualifié l'équipe {team} : {reason}"))]
    Disqualified {
        /// The team.
        team: TeamId,
        /// The reason.
        reason: String,
    },
    /// A team plays again.
    #[error("{}", said!("readmitted team {_0}", "a réadmis l'équipe {_0}"))]
    Readmitted(TeamId),
    /// A version was withdrawn.
    #[error("{}", said!("withdrew version {_0}", "a retiré la version {_0}"))]
    Withdrawn(VersionId),
    /// An invitation was made.
    #[error("{}", said!("invited {uses} teams to {group:?}", "a invité {uses} équipes dans {group:?}"))]
    Invited {
        /// The group of the teams.
        group: String,
        /// Maximum number of teams.
        uses: u32,
    },
    /// The ladder was paused.
    #[error("{}", said!("paused the ladder", "a suspendu les parties"))]
    Paused,
    /// The ladder went on.
    #[error("{}", said!("let the ladder go on", "a repris les parties"))]
    Resumed,
    /// The course ended.
    #[error("{}", said!("ended the course", "a terminé le cours"))]
    Ended,
}

/// An entry of the audit log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditEntry {
    /// The time of the deed.
    pub at: Seconds,
    /// The teacher, or the team, that did it.
    pub who: Who,
    /// The deed.
    pub deed: Deed,
}

/// Writes an entry in the transaction of its deed.
pub(crate) fn log(
    transaction: &Transaction<'_>,
    at: i64,
    who: Who,
    deed: &Deed,
) -> rusqlite::Result<()> {
    let team = match who {
        Who::Teacher => None,
        Who::Team(team) => Some(team),
    };
    let deed = serde_json::to_string(deed).expect("plain data has a text");
    let insert = "INSERT INTO audit (at, team, deed) VALUES (?, ?, ?)";
    transaction.execute(insert, params![at, team, deed])?;
    Ok(())
}

impl CourseReader {
    /// The last entries of the audit log, up to `most`, the newest first.
    ///
    /// # Errors
    ///
    /// When the log cannot be read.
    pub fn audit(&self, most: u32) -> Result<Vec<AuditEntry>, CourseError> {
        let select = "SELECT at, team, deed FROM audit ORDER BY id DESC LIMIT ?";
        self.rows(select, [most], |row| {
            let who = row.get::<_, Option<TeamId>>(1)?.map_or(Who::Teacher, Who::Team);
            Ok(AuditEntry { at: unsigned(row, 0)?, who, deed: json(row, 2)? })
        })
    }

    /// The end of the course; `None` while it goes on.
    ///
    /// # Errors
    ///
    /// When the course cannot be read.
    pub fn ended(&self) -> Result<Option<Seconds>, CourseError> {
        let select = "SELECT ended FROM course WHERE ended IS NOT NULL";
        Ok(self.rows(select, [], |row| unsigned(row, 0))?.pop())
    }

    /// Tests if the ladder is paused.
    ///
    /// # Errors
    ///
    /// When the course cannot be read.
    pub fn is_paused(&self) -> Result<bool, CourseError> {
        self.sql(self.db.query_row("SELECT paused FROM course", [], |row| row.get(0)))
    }
}

impl Course {
    /// Pauses the ladder, or lets it go on.
    ///
    /// # Errors
    ///
    /// When the course cannot be written.
    pub fn pause(&mut self, is_paused: bool, now: Seconds) -> Result<(), CourseError> {
        let at = time(now)?;
        let deed = if is_paused { Deed::Paused } else { Deed::Resumed };
        self.write(|transaction| {
            let update = "UPDATE course SET paused = ?1 WHERE paused <> ?1";
            if transaction.execute(update, [is_paused])? > 0 {
                log(transaction, at, Who::Teacher, &deed)?;
            }
            Ok(())
        })
    }

    /// Ends the course: from now on, teams may see all games, and hand in nothing.
    ///
    /// # Errors
    ///
    /// When the course cannot be written.
    pub fn end(&mut self, now: Seconds) -> Result<(), CourseError> {
        let at = time(now)?;
        self.write(|transaction| {
            let end = "UPDATE course SET ended = ? WHERE ended IS NULL";
            if transaction.execute(end, [at])? > 0 {
                log(transaction, at, Who::Teacher, &Deed::Ended)?;
            }
            Ok(())
        })
    }
}
