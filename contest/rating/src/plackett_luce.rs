//! The Plackett-Luce model, by maximum likelihood.

use std::collections::BTreeSet;

use super::bootstrap::Samples;
use super::games::{Games, Stages};
use super::newton::Newton;
use plan::{Group, SEATS};

/// The standard deviation of the prior on strengths, in nats. It is weak: 3 nats are 521 points of
/// [`elo`](super::elo), or odds of 20 to 1.
pub const PRIOR_DEVIATION: f64 = 3.0;

/// The players' strengths by the Plackett-Luce model (*forces*): a player of strength θ comes first in a group with a
/// probability proportional to exp θ, the second one comes first among the others likewise, and so on (R. L. Plackett,
/// *The analysis of permutations*, 1975). If players of the house are left out of a game, the others follow the same
/// model, by Luce's axiom.
///
/// The strengths maximise the likelihood under a weak Gaussian prior with the mean 0 and the standard deviation
/// [`PRIOR_DEVIATION`]: a player that wins everything gets a finite strength, and groups that never met have the same
/// mean. The mean of all strengths is 0.
///
/// The likelihood is concave. Newton's method finds its maximum in about five steps from zero; a step costs n³/6
/// multiplications for n players, and about 10 for each set of players that was ever left. Memory: n² numbers.
#[derive(Clone, Debug)]
pub struct Fit {
    pub(super) model: Model,
    pub(super) strengths: Vec<f64>,
    weights: Weights,
}

impl Fit {
    pub(super) fn of(games: &Games) -> Self {
        let model = Model::new(games);
        let mut weights = Weights::new(&model);
        for matchup in &model.matchups {
            weights.add(matchup, 1.0, &ITS_OWN);
        }
        let mut strengths = vec![0.0; model.players];
        Newton::new(&model).maximise(&weights, &vec![0.0; model.players], &mut strengths);
        Self { model, strengths, weights }
    }

    /// The strengths as natural logarithms, by player.
    pub fn strengths(&self) -> &[f64] {
        &self.strengths
    }

    /// The covariance of the strengths, row by row: the inverse of the curvature of the likelihood and the prior at their maximum.
    pub fn covariance(&self) -> Vec<f64> {
        Newton::new(&self.model).covariance(&self.weights, &self.strengths)
    }

    /// Tests if a player has been in a game with another player.
    pub(super) fn has_played(&self, player: usize) -> bool {
        self.weights.games[player] > 0.0
    }

    /// Draws `samples` bootstrap samples of the strengths. See [`Samples`].
    pub fn bootstrap(&self, samples: usize) -> Samples {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        Samples::draw(self, samples, threads)
    }
}

/// All games, and every set of players that can be left at a stage of a game.
#[derive(Clone, Debug)]
pub(super) struct Model {
    pub(super) players: usize,
    pub(super) matchups: Vec<MatchupGames>,
    pub(super) sets: Vec<Group>,
}

#[derive(Clone, Debug)]
pub(super) struct MatchupGames {
    pub(super) players: Group,
    /// The number of stages, in 24ths, at which each set of players was left, as in [`Stages`].
    left: [f64; 1 << SEATS],
    /// The index of each of these sets among the model's sets.
    sets: [usize; 1 << SEATS],
}

impl Model {
    fn new(games: &Games) -> Self {
        let groups: BTreeSet<Group> = games.matchups.keys().map(|&(_, group)| group).collect();
        let sets: BTreeSet<Group> =
            groups.iter().flat_map(|group| subsets(*group)).flatten().collect();
        let sets: Vec<Group> = sets.into_iter().collect();
        let index = |set: Option<Group>| set.and_then(|set| sets.binary_search(&set).ok());
        #[expect(clippy::cast_precision_loss, reason = "exact up to 10¹⁴ games")]
        let matchup = |(&(_, players), stages): (&(_, Group), &Stages)| MatchupGames {
            players,
            left: stages.map(|count| count as f64),
            sets: subsets(players).map(|set| index(set).unwrap_or(0)),
        };
        let matchups = games.matchups.iter().map(matchup).collect();
        Self { players: games.players, matchups, sets }
    }
}

/// The players of each mask; `None` for the empty mask, and for masks with bits beyond the group.
fn subsets(group: Group) -> [Option<Group>; 1 << SEATS] {
    std::array::from_fn(|mask| {
        let members = group.teams().iter().enumerate().filter(|(bit, _)| mask >> bit & 1 == 1);
        let members: Vec<usize> = members.map(|(_, &player)| player).collect();
        Group::new(&members).filter(|_| mask >> group.teams().len() == 0)
    })
}

/// Each member of a matchup keeps its own results.
pub(super) const ITS_OWN: [usize; SEATS] = [0, 1, 2, 3];

/// The weights of the games, in 24ths: all that the likelihood depends on.
#[derive(Clone, Debug)]
pub(super) struct Weights {
    /// The weight of the games of each player.
    pub(super) games: Vec<f64>,
    /// The weight of the stages at which each set of players was left.
    pub(super) left: Vec<f64>,
}

impl Weights {
    pub(super) fn new(model: &Model) -> Self {
        Self { games: vec![0.0; model.players], left: vec![0.0; model.sets.len()] }
    }

    pub(super) fn clear(&mut self) {
        self.games.fill(0.0);
        self.left.fill(0.0);
    }

    /// Adds a matchup with this weight. The results of member `i` go to member `results_go_to[i]`.
    pub(super) fn add(
        &mut self,
        matchup: &MatchupGames,
        weight: f64,
        results_go_to: &[usize; SEATS],
    ) {
        let members = matchup.players.teams();
        let everybody = matchup.left[(1 << members.len()) - 1] * weight;
        for &player in members {
            self.games[player] += everybody;
        }
        for (mask, &count) in matchup.left.iter().enumerate().filter(|(_, count)| **count > 0.0) {
            let moved = results_go_to.iter().enumerate().filter(|(from, _)| mask >> from & 1 == 1);
            let moved = moved.map(|(_, to)| 1_usize << to).sum::<usize>();
            self.left[matchup.sets[moved]] += count * weight;
        }
    }
}
