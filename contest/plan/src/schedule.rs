//! The schedule: which teams meet in which round.
//!
//! A round is a list of groups of up to four teams, all on one map; house bots fill the other seats. It is a pure
//! function of the schedule, the teams and, in Swiss tournaments and finals, the results of earlier rounds.
//!
//! `design` serves the formats in which everybody meets everybody, `partition` the Swiss format.

mod combinations;
mod design;
mod draft;
mod draw;
mod gauntlet;
mod groups;
mod partition;
mod pools;
mod swiss;
mod table;
mod tally;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod waves;

use std::collections::BTreeMap;

use language::said;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use self::draw::Lots;
use crate::matchup::{Group, Matchup, SEATS, Seatings};
use crate::team::Team;

/// The format of a tournament (*formule*).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// Groups of four: in each round all groups with up to nine teams, otherwise a balanced choice.
    Groups {
        /// Groups per team in a round; `None` to choose by the number of teams.
        per_team: Option<u32>,
    },
    /// One team against all others, three at a time: in each round all threes with up to eleven teams, otherwise a
    /// balanced choice.
    Gauntlet {
        /// The one team, by its place in the list.
        challenger: usize,
    },
    /// Up to four pools, in which everybody meets everybody about twice a round, then a final of the best
    /// four. With up to four teams, every round is a final.
    Pools {
        /// Rounds of the final, after those of the pools.
        final_rounds: u32,
    },
    /// Swiss system: in each round, teams with similar standings meet, if possible for the first time.
    Swiss,
}

impl Format {
    /// The default number of rounds for these numbers of teams and maps.
    pub fn usual_rounds(&self, teams: usize, maps: usize) -> u32 {
        let maps = maps as u32;
        match self {
            Self::Groups { .. } | Self::Gauntlet { .. } => maps,
            Self::Pools { final_rounds } => maps + final_rounds,
            // Enough rounds to halve the field down to one team, and one more.
            Self::Swiss => maps.max(teams.max(2).ilog2() + 2),
        }
    }
}

/// The format and the length of a tournament.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Schedule {
    /// The format.
    pub format: Format,
    /// Number of rounds.
    pub rounds: u32,
    /// The tournament stops early once a team is the best with at least this confidence, below 1; `None` to play all rounds.
    pub until: Option<f64>,
    /// The seed of the lots, which decide the pools, the first round of a Swiss tournament, the order of equal teams and
    /// the cyclic order of seats.
    pub lots: u64,
}

/// The result of a matchup, over all its seatings.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchupResult {
    /// The matchup.
    pub matchup: Matchup,
    /// For each team of the group, in its order: mean score, from 3 for the first of four places to 0 for the last, with
    /// shared places averaged; and mean points.
    pub scores: Vec<(f64, f64)>,
}

/// Maximum number of rounds of a tournament.
pub const MAX_ROUNDS: u32 = 10_000;

/// Maximum number of groups of a round.
pub const MAX_GROUPS: u64 = 20_000;

/// The reason why a schedule is impossible.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ScheduleError {
    /// There are no teams.
    #[error("{}", said!("there is no team", "il n'y a aucune équipe"))]
    NoTeam,
    /// There are no maps.
    #[error("{}", said!("there is no map", "il n'y a aucune carte"))]
    NoMap,
    /// There are no rounds.
    #[error("{}", said!(
        "expected at least one round, found 0",
        "au moins une manche est attendue, il y en a 0"
    ))]
    NoRound,
    /// There are more than `MAX_ROUNDS` rounds.
    #[error("{}", said!(
        "expected at most {MAX_ROUNDS} rounds, found {_0}",
        "{MAX_ROUNDS} manches au plus sont attendues, il y en a {_0}"
    ))]
    TooManyRounds(u32),
    /// There are no groups.
    #[error("{}", said!(
        "expected at least one group per team and round, found 0",
        "au moins un groupe par équipe et par manche est attendu, il y en a 0"
    ))]
    NoGroup,
    /// A round has more than `MAX_GROUPS` groups.
    #[error("{}", said!(
        "expected at most {MAX_GROUPS} groups a round, found {_0}",
        "{MAX_GROUPS} groupes au plus par manche sont attendus, il y en a {_0}"
    ))]
    TooManyGroups(u64),
    /// The challenger is not in the list of teams.
    #[error("{}", said!(
        "the challenger is team {number}, expected one of {teams}",
        "le champion est l'équipe {number}, il n'y en a que {teams}"
    ))]
    NoChallenger {
        /// The place of the challenger, from 1.
        number: usize,
        /// The number of teams.
        teams: usize,
    },
    /// There is no round of the final after the pools.
    #[error("{}", said!(
        "expected at least one round of the final, found 0",
        "au moins une manche de finale est attendue, il y en a 0"
    ))]
    NoFinal,
    /// There is no round of pools before the final.
    #[error("{}", said!(
        "expected rounds before the final, found {rounds} rounds, {final_rounds} of them of the final",
        "des manches sont attendues avant la finale, il y en a {rounds}, dont {final_rounds} de finale"
    ))]
    NoPools {
        /// Number of rounds of the final.
        final_rounds: u32,
        /// Number of rounds of the tournament.
        rounds: u32,
    },
}

impl Schedule {
    /// Checks that the schedule can be played by these teams on this number of maps.
    ///
    /// # Errors
    ///
    /// The first error found.
    pub fn check(&self, teams: &[Team], maps: usize) -> Result<(), ScheduleError> {
        let rounds = self.rounds;
        match self.format {
            _ if teams.is_empty() => Err(ScheduleError::NoTeam),
            _ if maps == 0 => Err(ScheduleError::NoMap),
            _ if rounds == 0 => Err(ScheduleError::NoRound),
            _ if rounds > MAX_ROUNDS => Err(ScheduleError::TooManyRounds(rounds)),
            Format::Groups { per_team: Some(0) } => Err(ScheduleError::NoGroup),
            Format::Gauntlet { challenger } if challenger >= teams.len() => {
                Err(ScheduleError::NoChallenger { number: challenger + 1, teams: teams.len() })
            }
            Format::Pools { final_rounds: 0 } => Err(ScheduleError::NoFinal),
            Format::Pools { final_rounds } if final_rounds >= rounds => {
                Err(ScheduleError::NoPools { final_rounds, rounds })
            }
            _ => match self.groups_at_most(teams) {
                groups if groups > MAX_GROUPS => Err(ScheduleError::TooManyGroups(groups)),
                _ => Ok(()),
            },
        }
    }

    /// The matchups of a round, from 1, in a fixed order: teams that have played the least come first. `None` after the
    /// last round, and for schedules that [`check`](Self::check) refuses.
    ///
    /// `played` has all matchups of earlier rounds, in any order, and possibly others; `maps` is the number of maps.
    /// The rounds cycle through the maps.
    ///
    /// ```
    /// use plan::{Format, Program, Schedule, Team};
    ///
    /// let teams = ["Ada", "Bob", "Cléo", "Dan", "Eva"];
    /// let teams = teams.map(|name| Team::new(name, Program::Remote, "1"));
    /// let schedule = Schedule { format: Format::Swiss, rounds: 3, until: None, lots: 7 };
    /// let round = schedule.round(1, &teams, 2, &[]).unwrap();
    /// // Three teams meet, and the two others.
    /// let mut sizes: Vec<_> = round.iter().map(|matchup| matchup.group.teams().len()).collect();
    /// sizes.sort();
    /// assert_eq!(sizes, [2, 3]);
    /// assert_eq!(schedule.round(4, &teams, 2, &[]), None);
    /// ```
    pub fn round(
        &self,
        number: u32,
        teams: &[Team],
        maps: usize,
        played: &[MatchupResult],
    ) -> Option<Vec<Matchup>> {
        self.check(teams, maps).ok()?;
        if number == 0 || number > self.rounds {
            return None;
        }
        // The remainder is smaller than `maps`, and so fits.
        let map = ((u64::from(number) - 1) % maps as u64) as usize;
        let matchup =
            |group: Vec<usize>| Some(Matchup { round: number, map, group: Group::new(&group)? });
        Some(self.groups(number, teams, played).into_iter().filter_map(matchup).collect())
    }

    /// Tests if the matchups of a round, from 1, depend on the results of earlier rounds.
    pub fn depends_on_results(&self, number: u32) -> bool {
        match self.format {
            Format::Groups { .. } | Format::Gauntlet { .. } => false,
            Format::Pools { final_rounds } => number > self.rounds.saturating_sub(final_rounds),
            Format::Swiss => number > 1,
        }
    }

    /// Number of games of a round, from 1, with these seatings; `None` after the last round, and for schedules that
    /// [`check`](Self::check) refuses. The number does not depend on results.
    pub fn games_of_round(&self, number: u32, teams: &[Team], seatings: Seatings) -> Option<u64> {
        let matchups = self.round(number, teams, 1, &[])?;
        let games = matchups.iter().map(|matchup| seatings.of_group(matchup.group).len() as u64);
        Some(games.sum())
    }

    /// Number of games of all rounds, with these seatings; 0 for schedules that [`check`](Self::check) refuses.
    pub fn games(&self, teams: &[Team], seatings: Seatings) -> u64 {
        // The last round has the number of games of every round of the final, the first round that of the others.
        let finals = match self.format {
            Format::Pools { final_rounds } => final_rounds.min(self.rounds),
            _ => 0,
        };
        let of = |number| self.games_of_round(number, teams, seatings).unwrap_or(0);
        u64::from(self.rounds - finals) * of(1) + u64::from(finals) * of(self.rounds)
    }

    /// The teams that are in the final by lot, and the equally good teams that lost the draw; both empty if no draw was
    /// needed, and before the last round of the pools. `played` has all matchups of complete rounds, in any order.
    pub fn lucky_finalists(
        &self,
        teams: &[Team],
        played: &[MatchupResult],
    ) -> (Vec<usize>, Vec<usize>) {
        let Format::Pools { final_rounds } = self.format else { return Default::default() };
        let pool_rounds = self.rounds.saturating_sub(final_rounds);
        let are_over = played.iter().any(|result| result.matchup.round == pool_rounds);
        let matchups = in_pools(pool_rounds, played);
        if are_over { pools::lucky(teams, self.lots, &matchups) } else { Default::default() }
    }

    fn groups(&self, number: u32, teams: &[Team], played: &[MatchupResult]) -> Vec<Vec<usize>> {
        let (generations, lots) = (generations(teams), Lots::Seeded(self.lots));
        match self.format {
            Format::Groups { per_team } => {
                waves::in_waves(groups::design(&generations, per_team).round(number))
            }
            Format::Gauntlet { challenger } => {
                let design = gauntlet::design(challenger, &generations);
                let others = match teams.len() {
                    1 => vec![Vec::new()],
                    _ => waves::in_waves(design.round(number)),
                };
                others.into_iter().map(|others| [others, vec![challenger]].concat()).collect()
            }
            Format::Pools { final_rounds } => {
                let pool_rounds = self.rounds.saturating_sub(final_rounds);
                if number <= pool_rounds && teams.len() > SEATS {
                    return waves::in_waves(pools::round(number, teams, lots));
                }
                vec![pools::finalists(teams, lots, &in_pools(pool_rounds, played))]
            }
            Format::Swiss => swiss::round(number, teams, lots, played),
        }
    }

    fn groups_at_most(&self, teams: &[Team]) -> u64 {
        let generations = generations(teams);
        match self.format {
            Format::Groups { per_team } => groups::design(&generations, per_team).groups_a_round(),
            Format::Gauntlet { challenger } => {
                gauntlet::design(challenger, &generations).groups_a_round()
            }
            Format::Pools { .. } => pools::groups_a_round(teams),
            // Newcomers have a group each, and teams there from the start share groups.
            Format::Swiss => teams.len() as u64,
        }
    }
}

/// The matchups of the first `rounds` rounds.
fn in_pools(rounds: u32, played: &[MatchupResult]) -> Vec<&MatchupResult> {
    played.iter().filter(|result| result.matchup.round <= rounds).collect()
}

/// The teams by generation, those there from the start first.
fn generations(teams: &[Team]) -> Vec<Vec<usize>> {
    let mut generations: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (index, team) in teams.iter().enumerate() {
        generations.entry(team.generation).or_default().push(index);
    }
    generations.into_values().collect()
}
