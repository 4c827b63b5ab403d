//! The queue of checks, verdicts, and versions that are withdrawn.

use rusqlite::{OptionalExtension, params};

use crate::audit::log;
use crate::course::time;
use crate::version::VersionState;
use crate::{BotVersion, Course, CourseError, Deed, Refusal, Seconds, VersionId, Who};

/// Maximum number of bytes of a verdict.
const VERDICT: usize = 64 << 10;

/// Tests the length of a text that is kept with a version.
pub(crate) fn check_length(text: &str, most: usize) -> Result<(), Refusal> {
    if text.len() <= most { Ok(()) } else { Err(Refusal::TooLong(most)) }
}

/// Lets versions whose check was interrupted wait for one again.
pub(crate) const AGAIN: &str =
    "UPDATE version SET state = iif(withdrawn, 'failed', 'received') WHERE state = 'checking'";

impl Course {
    /// Hands out the next version to check. Teams take turns: of the teams with waiting versions, the one is served whose
    /// last turn is longest ago, and its oldest version is checked; of two teams without a turn, the one with the oldest
    /// version. A team that hands in much only waits for itself.
    ///
    /// A version that is handed out stays with the caller until its [verdict](Self::judge), until it is
    /// [released](Self::release), or until the course is opened again.
    ///
    /// # Errors
    ///
    /// When the course cannot be read or written.
    pub fn next_check(&mut self) -> Result<Option<BotVersion>, CourseError> {
        let next = self.write(|transaction| {
            let select = "SELECT version.id, team FROM version JOIN team ON team.id = team \
                 WHERE state = 'received' AND withdrawn = 0 ORDER BY served, version.id LIMIT 1";
            let next = transaction
                .query_row(select, [], |row| Ok((row.get::<_, VersionId>(0)?, row.get(1)?)))
                .optional()?;
            let Some((version, team)) = next else { return Ok(None) };
            let team: crate::TeamId = team;
            transaction.execute("UPDATE version SET state = 'checking' WHERE id = ?", [version])?;
            let serve = "UPDATE team SET served = (SELECT max(served) + 1 FROM team) WHERE id = ?";
            transaction.execute(serve, [team])?;
            Ok(Some(version))
        })?;
        next.map(|version| self.version(version)).transpose()
    }

    /// Lets a version whose check was lost wait for one again. A withdrawn one is not checked again.
    ///
    /// # Errors
    ///
    /// [`Refusal::NotChecking`] or [`Refusal::NoVersion`]; else, when the course cannot be written.
    pub fn release(&mut self, version: VersionId) -> Result<(), CourseError> {
        self.version(version)?;
        let released = self
            .write(|transaction| transaction.execute(&format!("{AGAIN} AND id = ?"), [version]))?;
        if released > 0 { Ok(()) } else { Err(Refusal::NotChecking.into()) }
    }

    /// Keeps the verdict of a check, a JSON text of up to 64 KiB, and whether the version may play.
    ///
    /// # Errors
    ///
    /// [`Refusal::TooLong`], [`Refusal::Verdict`], [`Refusal::NotChecking`] or [`Refusal::NoVersion`]; else, when the
    /// course cannot be written.
    pub fn judge(
        &mut self,
        version: VersionId,
        verdict: &str,
        is_ready: bool,
    ) -> Result<(), CourseError> {
        check_length(verdict, VERDICT)?;
        if serde_json::from_str::<serde::de::IgnoredAny>(verdict).is_err() {
            return Err(Refusal::Verdict.into());
        }
        let known = self.version(version)?;
        if known.state != VersionState::Checking {
            return Err(Refusal::NotChecking.into());
        }
        let lag = if is_ready { self.lag(known.team)? } else { 0 };
        let lag = i64::try_from(lag).unwrap_or(0);
        let state = if is_ready { VersionState::Passed } else { VersionState::Failed };
        self.write(|transaction| {
            let update = "UPDATE version SET state = ?, verdict = ? WHERE id = ?";
            transaction.execute(update, params![state.name(), verdict, version])?;
            let credit = "UPDATE team SET credit = credit + ? WHERE id = ?";
            transaction.execute(credit, params![lag, known.team])
        })?;
        Ok(())
    }

    /// Withdraws a version: the one before plays again. A version that waits for its check is not checked. `by` is the
    /// team or the teacher.
    ///
    /// # Errors
    ///
    /// [`Refusal::NoVersion`] if there is no such version or it is not `by`'s; else, when the course cannot be written.
    pub fn withdraw(
        &mut self,
        version: VersionId,
        by: Who,
        now: Seconds,
    ) -> Result<(), CourseError> {
        let (at, found) = (time(now)?, self.version(version)?);
        if !by.may_change(Who::Team(found.team)) {
            return Err(Refusal::NoVersion.into());
        }
        self.write(|transaction| {
            // A version that still waits is checked no more: it counts as failed, so that its files can be removed.
            let update = "UPDATE version SET withdrawn = 1, \
                 state = iif(state = 'received', 'failed', state) WHERE id = ? AND withdrawn = 0";
            if transaction.execute(update, [version])? > 0 {
                log(transaction, at, by, &Deed::Withdrawn(version))?;
            }
            Ok(())
        })
    }
}
