//! Teams: their names, groups, members and tokens.

use protocol::Name;
use rusqlite::{OptionalExtension, Row, Transaction, params};

use crate::audit::log;
use crate::course::{Failure, time};
use crate::row::json;
use crate::token::TokenHash;
use crate::{Course, CourseError, CourseReader, Deed, Refusal, Seconds, TeamId, Token};

/// Whose token it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// The teacher, who may do everything.
    Teacher,
    /// A team, which may see its own things.
    Team(TeamId),
}

impl Who {
    /// Tests if this may change what belongs to another: the teacher may change everything, a team its own things.
    pub(crate) fn may_change(self, other: Self) -> bool {
        self == Self::Teacher || self == other
    }
}

/// The description of a team to be added.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewTeam {
    /// The name: as [`Name`] allows, and different from the names and pseudonyms of other teams, whatever the case.
    pub name: String,
    /// The group, such as TD 1; may be empty.
    pub group: String,
    /// The names of the members.
    pub members: Vec<String>,
    /// The address for messages.
    pub mail: Option<String>,
    /// The name that others see instead of the team's name.
    pub pseudonym: Option<String>,
}

/// A team of a course.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CourseTeam {
    /// The id of the team.
    pub id: TeamId,
    /// The name, group, members, mail and pseudonym.
    pub about: NewTeam,
    /// The reason why the team does not play, if it is disqualified.
    pub disqualified: Option<String>,
}

impl CourseTeam {
    /// The name that others see.
    pub fn public_name(&self) -> &str {
        self.about.pseudonym.as_deref().unwrap_or(&self.about.name)
    }
}

/// Number of pseudonyms that are reserved for a team.
const PSEUDONYMS: u32 = 2;

const TEAMS: &str = "SELECT id, name, cohort, members, mail, pseudonym, disqualified FROM team";

fn read(row: &Row<'_>) -> rusqlite::Result<CourseTeam> {
    let about = NewTeam {
        name: row.get(1)?,
        group: row.get(2)?,
        members: json(row, 3)?,
        mail: row.get(4)?,
        pseudonym: row.get(5)?,
    };
    Ok(CourseTeam { id: row.get(0)?, about, disqualified: row.get(6)? })
}

/// Reserves a name or pseudonym for a team, which keeps its name and its last two pseudonyms.
fn reserve(transaction: &Transaction<'_>, name: &str, team: TeamId) -> Result<(), Failure> {
    let folded = name.to_lowercase();
    let select = "SELECT team FROM alias WHERE name = ?";
    let owner: Option<TeamId> =
        transaction.query_row(select, [&folded], |row| row.get(0)).optional()?;
    if owner.is_some_and(|owner| owner != team) {
        return Err(Refusal::Taken(name.to_owned()).into());
    }
    transaction.execute(
        "INSERT OR REPLACE INTO alias (name, team) VALUES (?, ?)",
        params![folded, team],
    )?;
    let select = "SELECT name FROM team WHERE id = ?";
    let own: String = transaction.query_row(select, [team], |row| row.get(0))?;
    let release = "DELETE FROM alias WHERE team = ?1 AND name <> ?2 AND id NOT IN (SELECT id \
         FROM alias WHERE team = ?1 AND name <> ?2 ORDER BY id DESC LIMIT ?3)";
    transaction.execute(release, params![team, own.to_lowercase(), PSEUDONYMS])?;
    Ok(())
}

/// Tests a name by the rules of [`Name`].
pub(crate) fn check_name(name: &str) -> Result<(), Refusal> {
    let is_name = Name::new(name).as_str() == name;
    if is_name { Ok(()) } else { Err(Refusal::Name(name.to_owned())) }
}

/// Tests a text that people read: a group, a member, an address or a reason.
pub(crate) fn check_text(text: &str) -> Result<(), Refusal> {
    let is_shown = text.len() <= 1000 && !text.contains(protocol::is_invisible);
    if is_shown { Ok(()) } else { Err(Refusal::Name(text.chars().take(80).collect())) }
}

/// Adds a team in a transaction.
pub(crate) fn insert(
    transaction: &Transaction<'_>,
    team: &NewTeam,
    token: TokenHash,
) -> Result<TeamId, Failure> {
    let NewTeam { name, group, members, mail, pseudonym } = team;
    check_name(name)?;
    pseudonym.iter().try_for_each(|name| check_name(name))?;
    members.iter().chain(mail).chain([group]).try_for_each(|text| check_text(text))?;
    let members = serde_json::to_string(members).expect("texts have a text");
    transaction.execute(
        "INSERT INTO team (name, cohort, members, mail, pseudonym, token) VALUES (?, ?, ?, ?, ?, ?)",
        params![name, group, members, mail, pseudonym, token.0],
    )?;
    let last = "SELECT max(id) FROM team";
    let id = transaction.query_row(last, [], |row| row.get(0))?;
    reserve(transaction, name, id)?;
    pseudonym.iter().try_for_each(|name| reserve(transaction, name, id))?;
    Ok(id)
}

impl CourseReader {
    /// All teams, in the order in which they were added.
    ///
    /// # Errors
    ///
    /// When the course cannot be read.
    pub fn teams(&self) -> Result<Vec<CourseTeam>, CourseError> {
        self.rows(&format!("{TEAMS} ORDER BY id"), [], read)
    }

    /// A team.
    ///
    /// # Errors
    ///
    /// [`Refusal::NoTeam`]; else, when the course cannot be read.
    pub fn team(&self, team: TeamId) -> Result<CourseTeam, CourseError> {
        let found = self.rows(&format!("{TEAMS} WHERE id = ?"), [team], read)?;
        found.into_iter().next().ok_or_else(|| Refusal::NoTeam.into())
    }

    /// Whose token this is; `None` if nobody's. Takes the same time for each wrong token of 32 digits.
    ///
    /// # Errors
    ///
    /// When the course cannot be read.
    pub fn who(&self, token: &str) -> Result<Option<Who>, CourseError> {
        let Some(hash) = Token::parse(token).map(|token| token.hash()) else { return Ok(None) };
        let all = "SELECT NULL, token FROM course UNION ALL SELECT id, token FROM team";
        let all = self.rows(all, [], |row| Ok((row.get(0)?, TokenHash(row.get(1)?))))?;
        // No early end: each hash is compared.
        let found = all.iter().fold(
            None,
            |found, (team, known): &(Option<TeamId>, _)| {
                if known.is(&hash) { Some(*team) } else { found }
            },
        );
        Ok(found.map(|team| team.map_or(Who::Teacher, Who::Team)))
    }
}

impl Course {
    /// Adds a team. Returns its token, which cannot be read again.
    ///
    /// # Errors
    ///
    /// [`Refusal::Name`] or [`Refusal::Taken`] for its name; else, when the course cannot be written.
    pub fn add_team(
        &mut self,
        team: &NewTeam,
        now: Seconds,
    ) -> Result<(TeamId, Token), CourseError> {
        let (token, at) = (Token::draw()?, time(now)?);
        let id = self.try_write(|transaction| {
            let id = insert(transaction, team, token.hash())?;
            log(transaction, at, Who::Teacher, &Deed::TeamAdded(id))?;
            Ok(id)
        })?;
        Ok((id, token))
    }

    /// Replaces a token; the old one is not valid any more. `by` is who asks for it.
    ///
    /// # Errors
    ///
    /// [`Refusal::NoTeam`] if there is no such team or the token is not `by`'s; else, when the course cannot be written.
    pub fn renew_token(&mut self, whose: Who, by: Who, now: Seconds) -> Result<Token, CourseError> {
        let (token, at) = (Token::draw()?, time(now)?);
        if !by.may_change(whose) {
            return Err(Refusal::NoTeam.into());
        }
        let hash = token.hash().0;
        self.try_write(|transaction| {
            let (changed, deed) = match whose {
                Who::Teacher => {
                    let update = "UPDATE course SET token = ?";
                    (transaction.execute(update, [hash])?, Deed::TeacherTokenRenewed)
                }
                Who::Team(team) => {
                    let update = "UPDATE team SET token = ? WHERE id = ?";
                    (transaction.execute(update, params![hash, team])?, Deed::TokenRenewed(team))
                }
            };
            if changed == 0 {
                return Err(Refusal::NoTeam.into());
            }
            Ok(log(transaction, at, by, &deed)?)
        })?;
        Ok(token)
    }

    /// Shows a team by a pseudonym, or by its name if there is none. The pseudonym before this one stays reserved for the
    /// team; earlier ones are free again.
    ///
    /// # Errors
    ///
    /// [`Refusal::Name`], [`Refusal::Taken`] or, also if the team is not `by`, [`Refusal::NoTeam`]; else, when the course
    /// cannot be written.
    pub fn show_as(
        &mut self,
        team: TeamId,
        pseudonym: Option<&str>,
        by: Who,
        now: Seconds,
    ) -> Result<(), CourseError> {
        let at = time(now)?;
        pseudonym.map_or(Ok(()), check_name)?;
        if !by.may_change(Who::Team(team)) {
            return Err(Refusal::NoTeam.into());
        }
        if self.team(team)?.about.pseudonym.as_deref() == pseudonym {
            return Ok(());
        }
        self.try_write(|transaction| {
            let update = "UPDATE team SET pseudonym = ? WHERE id = ?";
            if transaction.execute(update, params![pseudonym, team])? == 0 {
                return Err(Refusal::NoTeam.into());
            }
            pseudonym.map_or(Ok(()), |name| reserve(transaction, name, team))?;
            Ok(log(transaction, at, by, &Deed::ShownAs(team))?)
        })
    }

    /// Disqualifies a team for a reason, or lets it play again if there is none.
    ///
    /// # Errors
    ///
    /// [`Refusal::NoTeam`]; else, when the course cannot be written.
    pub fn disqualify(
        &mut self,
        team: TeamId,
        reason: Option<&str>,
        now: Seconds,
    ) -> Result<(), CourseError> {
        let at = time(now)?;
        reason.map_or(Ok(()), check_text)?;
        let lag = if reason.is_none() { self.lag(team)? } else { 0 };
        let lag = i64::try_from(lag).unwrap_or(0);
        let deed = match reason {
            Some(reason) => Deed::Disqualified { team, reason: reason.to_owned() },
            None => Deed::Readmitted(team),
        };
        self.try_write(|transaction| {
            let update = "UPDATE team SET disqualified = ?, credit = credit + ? WHERE id = ?";
            if transaction.execute(update, params![reason, lag, team])? == 0 {
                return Err(Refusal::NoTeam.into());
            }
            Ok(log(transaction, at, Who::Teacher, &deed)?)
        })
    }
}
