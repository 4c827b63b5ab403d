//! How strong the teams are.
//!
//! - [`Games`] collects who came where, and [`Fit`] is the Plackett-Luce model of it, by maximum likelihood:
//!   it looks at all games at once, so that their order means nothing.
//! - [`Samples`] are what the strengths might be instead, by a bootstrap over meetings.
//! - [`Online`] is a rating by Weng-Lin for the time being, one game after the other.

mod bootstrap;
mod games;
mod newton;
mod online;
mod plackett_luce;
#[cfg(test)]
#[expect(clippy::cast_precision_loss, reason = "small")]
mod tests;

use std::collections::BTreeMap;
use std::f64::consts::LN_10;

pub use bootstrap::Samples;
pub use games::Games;
pub use online::Online;
pub use plackett_luce::{Fit, PRIOR_DEVIATION};

use crate::matchup::{Group, SEATS};
use crate::outcome::{Outcome, SeatOutcome};
use crate::team::Team;

/// A strength, in nats, as an Elo-like number: 1500 for the mean, and 400 more for ten times the odds of
/// being before someone.
#[must_use]
pub fn elo(strength: f64) -> f64 {
    1500.0 + 400.0 / LN_10 * strength
}

/// Who came where in a game (*classement*): one to four players, by their places in a list, each with its
/// rank. A lower rank is better, and equal ranks are ties.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ranking {
    group: Group,
    ranks: [u32; SEATS],
}

impl Ranking {
    /// The ranking of these players, given as place and rank, in any order; `None` when there are none,
    /// more than four, or one twice.
    #[must_use]
    pub fn new(places: &[(usize, u32)]) -> Option<Self> {
        let mut places = places.to_vec();
        places.sort_unstable();
        let group = Group::new(&places.iter().map(|&(player, _)| player).collect::<Vec<_>>())?;
        let rank = |index| places.get(index).map_or(0, |&(_, rank)| rank);
        Some(Self { group, ranks: std::array::from_fn(rank) })
    }

    /// The players.
    #[must_use]
    pub fn group(&self) -> Group {
        self.group
    }

    /// Their ranks, in the order of the group.
    #[must_use]
    pub fn ranks(&self) -> &[u32] {
        &self.ranks[..self.group.teams().len()]
    }
}

/// Which team is which, in the version that counts.
#[derive(Clone, Debug)]
pub struct Roster(BTreeMap<String, (String, usize)>);

impl Roster {
    /// The roster of a list of teams.
    #[must_use]
    pub fn new(teams: &[Team]) -> Self {
        let entry =
            |(place, team): (usize, &Team)| (team.name.clone(), (team.version.clone(), place));
        Self(teams.iter().enumerate().map(entry).collect())
    }

    /// The place in the list of the team in this seat; `None` for the house, for a team that is not in the
    /// list, and for one that is there in another version.
    #[must_use]
    pub fn place(&self, seat: &SeatOutcome) -> Option<usize> {
        let (version, place) = self.0.get(&seat.team)?;
        (!seat.is_house && *version == seat.version).then_some(*place)
    }

    /// How the teams of a game came out of it, players of the house left out.
    ///
    /// `None` for a game that does not count: without any team, with one that has no [place](Self::place),
    /// with one twice, or with other than four seats.
    #[must_use]
    pub fn ranking(&self, outcome: &Outcome) -> Option<Ranking> {
        let teams = outcome.seats.iter().filter(|seat| !seat.is_house);
        let places: Option<Vec<_>> =
            teams.map(|seat| Some((self.place(seat)?, seat.rank))).collect();
        Ranking::new(&places?).filter(|_| outcome.seats.len() == SEATS)
    }
}
