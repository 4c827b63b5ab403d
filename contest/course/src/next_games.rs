//! Who plays next on the ladder.

use std::collections::BTreeMap;

use plan::SEATS;
use rating::Meetings;

use crate::row::unsigned;
use crate::{Course, CourseError, CourseReader, Player, TeamId, VersionId};

/// How the ladder chooses games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LadderRules {
    /// Number of games until a version is no longer new. New versions play first.
    pub new_until: u32,
    /// How far, in microseconds of processor time, a team may be ahead of the team that has used least, and play on. A
    /// team with a new version may be four times as far ahead: many versions do not earn much more time.
    pub ahead: u64,
    /// Each game of this number of a version is one against house levels only, so that marks have evidence; 0 for none.
    pub house_every: u32,
}

impl Default for LadderRules {
    /// 20 games, two minutes, and each fourth game.
    fn default() -> Self {
        Self { new_until: 20, ahead: 120_000_000, house_every: 4 }
    }
}

/// A player of the ladder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entrant {
    /// True for a level of the house, which plays whenever it is wanted.
    pub is_house: bool,
    /// Number of its games.
    pub games: u32,
    /// Processor time that its team has used, in microseconds.
    pub used: u64,
    /// Expected processor time of a game, in microseconds.
    pub expected: u64,
}

/// The next `n` games: for each, the players by their places in the list, two to four of them. The list must be that of
/// the players of the fit behind `meetings`.
///
/// Each game is for the first team that is due. Teams with new versions come first, the one with the fewest games before
/// others; then the teams by the processor time that they have used. Teams that are further ahead than the rules allow are
/// not due. The others in the game are chosen by [`Meetings`], among teams that are due and house levels. Games count as
/// played for the games after them.
pub fn next_games(
    n: usize,
    entrants: &[Entrant],
    meetings: &mut Meetings,
    rules: &LadderRules,
) -> Vec<Vec<usize>> {
    let mut entrants = entrants.to_vec();
    let house: Vec<usize> = (0..entrants.len()).filter(|&at| entrants[at].is_house).collect();
    let mut games = Vec::new();
    for _ in 0..n {
        let teams = due(&entrants, rules);
        let Some(&first) = teams.first() else { break };
        let every = rules.house_every;
        // At the end of each run, so that a new version meets others first.
        let is_against_house = every > 0 && entrants[first].games % every == every - 1;
        let among: Vec<usize> = if is_against_house && !house.is_empty() {
            [first].into_iter().chain(house.iter().copied()).collect()
        } else {
            teams.iter().chain(&house).copied().collect()
        };
        let Some(group) = meetings.next(&among).filter(|group| group.teams().len() > 1) else {
            break;
        };
        for &player in group.teams() {
            let entrant = &mut entrants[player];
            entrant.games = entrant.games.saturating_add(1);
            entrant.used = entrant.used.saturating_add(entrant.expected);
        }
        games.push(group.teams().to_vec());
    }
    games
}

/// The teams that may play, the first one first.
fn due(entrants: &[Entrant], rules: &LadderRules) -> Vec<usize> {
    let teams = || entrants.iter().enumerate().filter(|(_, entrant)| !entrant.is_house);
    let Some(least) = teams().map(|(_, entrant)| entrant.used).min() else { return Vec::new() };
    let is_new = |entrant: &Entrant| entrant.games < rules.new_until;
    let may_play = |entrant: &Entrant| {
        let ahead = rules.ahead.saturating_mul(if is_new(entrant) { 4 } else { 1 });
        entrant.used - least <= ahead
    };
    let mut due: Vec<usize> =
        teams().filter(|(_, entrant)| may_play(entrant)).map(|(place, _)| place).collect();
    due.sort_by_key(|&place| {
        let entrant = &entrants[place];
        if is_new(entrant) {
            (0, u64::from(entrant.games), place)
        } else {
            (1, entrant.used, place)
        }
    });
    due
}

impl Course {
    /// Makes house levels known, which then take part in the ladder.
    ///
    /// # Errors
    ///
    /// [`Refusal::Name`](crate::Refusal::Name); else, when the course cannot be written.
    pub fn add_house<'a>(
        &mut self,
        levels: impl IntoIterator<Item = &'a str>,
    ) -> Result<(), CourseError> {
        self.try_write(|transaction| {
            for level in levels {
                crate::team::check_name(level)?;
                transaction.execute("INSERT OR IGNORE INTO house (name) VALUES (?)", [level])?;
            }
            Ok(())
        })
    }
}

impl CourseReader {
    /// The next `n` games of the ladder, by [`next_games`](crate::next_games): four players each, in no order of seats.
    /// Seats that stay free are filled with house levels in turn; games that cannot be filled are left out.
    ///
    /// # Errors
    ///
    /// When the course cannot be read.
    pub fn next_games(
        &self,
        n: usize,
        rules: &LadderRules,
    ) -> Result<Vec<[Player; SEATS]>, CourseError> {
        let _moment = self.moment()?;
        let house: BTreeMap<_, _> = self.house()?.into_iter().collect();
        let used = self.used()?;
        self.with_fit(|players, fit| {
            let (mut entrants, mut named) = (Vec::new(), Vec::new());
            for id in players {
                let (player, entrant) = if let Some(version) = id.version() {
                    (Player::Version(version), self.entrant(version, &used)?)
                } else {
                    let name = house.get(id).cloned().unwrap_or_default();
                    let level = Entrant { is_house: true, games: 0, used: 0, expected: 0 };
                    (Player::House(name), level)
                };
                entrants.push(entrant);
                named.push(player);
            }
            let levels: Vec<&Player> =
                named.iter().filter(|player| matches!(player, Player::House(_))).collect();
            let games = next_games(n, &entrants, &mut Meetings::after(fit), rules);
            let fill = |game: Vec<usize>| {
                let mut seats: Vec<Player> = game.iter().map(|&at| named[at].clone()).collect();
                let free = SEATS - seats.len();
                seats.extend(levels.iter().copied().cycle().take(free).cloned());
                <[Player; SEATS]>::try_from(seats).ok()
            };
            Ok(games.into_iter().filter_map(fill).collect())
        })
    }

    /// The processor time that each team has used, in microseconds, with the credit of teams that began to play later:
    /// they begin with the time of the team that has used least, and do not keep all others waiting.
    ///
    /// # Errors
    ///
    /// When the course cannot be read.
    pub fn used(&self) -> Result<BTreeMap<TeamId, u64>, CourseError> {
        let select = "SELECT team.id, credit + coalesce(sum(cpu), 0) FROM team \
                      LEFT JOIN version ON team = team.id GROUP BY team.id";
        let used = self.rows(select, [], |row| Ok((row.get(0)?, unsigned(row, 1)?)))?;
        Ok(used.into_iter().collect())
    }

    fn entrant(
        &self,
        version: VersionId,
        used: &BTreeMap<TeamId, u64>,
    ) -> Result<Entrant, CourseError> {
        let known = self.version(version)?;
        let used = used.get(&known.team).copied().unwrap_or_default();
        // A version without games is expected to use a second.
        let expected = known.cpu.checked_div(known.games.into()).unwrap_or(1_000_000);
        Ok(Entrant { is_house: false, games: known.games, used, expected })
    }

    /// The processor time that a team lacks to have used as much as the team of least among those that play.
    pub(crate) fn lag(&self, team: TeamId) -> Result<u64, CourseError> {
        let (used, present) = (self.used()?, self.present()?);
        if present.iter().any(|(other, _)| *other == team) {
            return Ok(0);
        }
        let least = present.iter().filter_map(|(other, _)| used.get(other)).min();
        let own = used.get(&team).copied().unwrap_or_default();
        Ok(least.map_or(0, |least| least.saturating_sub(own)))
    }
}
