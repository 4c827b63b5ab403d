//! Invitations: a code with which a bounded number of teams joins a group.

use rusqlite::params;

use crate::audit::log;
use crate::course::time;
use crate::team::{check_text, insert};
use crate::{Course, CourseError, Deed, NewTeam, Refusal, Seconds, TeamId, Token, Who};

impl Course {
    /// Makes an invitation for up to `uses` teams, who join the group. Returns its code, which cannot be read again.
    ///
    /// # Errors
    ///
    /// [`Refusal::Name`] for the group; else, when the course cannot be written.
    pub fn invite(&mut self, group: &str, uses: u32, now: Seconds) -> Result<Token, CourseError> {
        let (code, at) = (Token::draw()?, time(now)?);
        check_text(group)?;
        self.write(|transaction| {
            let insert = "INSERT INTO invitation (code, cohort, uses) VALUES (?, ?, ?)";
            transaction.execute(insert, params![code.hash().0, group, uses])?;
            let deed = Deed::Invited { group: group.to_owned(), uses };
            log(transaction, at, Who::Teacher, &deed)
        })?;
        Ok(code)
    }

    /// Adds a team by the code of an invitation, in whose group it is. Returns the team's token. The file has only hashes
    /// of codes, so the time of the search tells nothing of a code.
    ///
    /// # Errors
    ///
    /// [`Refusal::Invitation`], [`Refusal::Name`] or [`Refusal::Taken`], and the invitation stays as it was; else, when
    /// the course cannot be written.
    pub fn join(
        &mut self,
        code: &str,
        team: &NewTeam,
        now: Seconds,
    ) -> Result<(TeamId, Token), CourseError> {
        let hash = Token::parse(code).ok_or(Refusal::Invitation)?.hash();
        let (token, at) = (Token::draw()?, time(now)?);
        let id = self.try_write(|transaction| {
            let update = "UPDATE invitation SET uses = uses - 1 WHERE code = ? AND uses > 0 \
                          RETURNING cohort";
            let mut update = transaction.prepare(update)?;
            let mut found = update.query_map([hash.0], |row| row.get(0))?;
            let group = found.next().ok_or(Refusal::Invitation)??;
            let id = insert(transaction, &NewTeam { group, ..team.clone() }, token.hash())?;
            log(transaction, at, Who::Team(id), &Deed::Joined(id))?;
            Ok(id)
        })?;
        Ok((id, token))
    }
}
