//! A rating for the time being.

use skillratings::MultiTeamOutcome;
use skillratings::weng_lin::{WengLinConfig, WengLinRating, weng_lin_multi_team};

use super::{Ranking, Roster};
use crate::outcome::Outcome;
use crate::team::Team;

/// The teams' ratings by Weng-Lin, brought up to date by one game after the other (R. C. Weng and C.-J.
/// Lin, *A Bayesian approximation method for online ranking*, 2011, with full pairs of a Bradley-Terry
/// model).
///
/// It depends on the order of the games, and forgets none: it is for looking at while they are played.
#[derive(Clone, Debug)]
pub struct Online {
    roster: Roster,
    ratings: Vec<WengLinRating>,
}

impl Online {
    /// The ratings before the first game: 25 each, with the uncertainty 25/3.
    #[must_use]
    pub fn new(teams: &[Team]) -> Self {
        Self { roster: Roster::new(teams), ratings: vec![WengLinRating::new(); teams.len()] }
    }

    /// Takes in a game; whether it counts, by [`Roster::ranking`].
    pub fn add(&mut self, outcome: &Outcome) -> bool {
        let ranking = self.roster.ranking(outcome);
        if let Some(ranking) = &ranking {
            self.add_ranking(ranking);
        }
        ranking.is_some()
    }

    /// Takes in who came where.
    pub(crate) fn add_ranking(&mut self, ranking: &Ranking) {
        let players = ranking.group();
        let before: Vec<_> = players.teams().iter().map(|&team| [self.ratings[team]]).collect();
        let ranks = ranking.ranks().iter().map(|&rank| MultiTeamOutcome::new(rank as usize));
        let places: Vec<_> = before.iter().map(|team| &team[..]).zip(ranks).collect();
        let after = weng_lin_multi_team(&places, &WengLinConfig::new());
        for (&team, rating) in players.teams().iter().zip(after.iter().flatten()) {
            self.ratings[team] = *rating;
        }
    }

    /// The rating of each team and its uncertainty, a standard deviation, in the order of the list.
    #[must_use]
    pub fn ratings(&self) -> Vec<(f64, f64)> {
        self.ratings.iter().map(|rating| (rating.rating, rating.uncertainty)).collect()
    }
}
