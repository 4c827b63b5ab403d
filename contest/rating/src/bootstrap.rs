//! A bootstrap: strengths that the same games could have come from.
#![expect(clippy::cast_precision_loss, clippy::cast_sign_loss, reason = "below 2⁵², not negative")]

use std::f64::consts::TAU;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::newton::{Newton, centre};
use super::plackett_luce::{Fit, ITS_OWN, PRIOR_DEVIATION, Weights};

/// Draws of the strengths, given the games, by a bootstrap over matchups (*tirages*).
///
/// The games of a matchup share their map, their seed and their players, so the bootstrap draws matchups, not games. A
/// draw is the [`Fit`] of games that are changed in three ways:
///
/// - Each matchup has an exponential weight, scaled to the mean 1: the Bayesian bootstrap (D. B. Rubin, *The Bayesian
///   bootstrap*, 1981). No matchup is left out: with few matchups, the usual bootstrap has draws in which teams never
///   met.
/// - One imaginary matchup is added: a copy of a random matchup, with its results shuffled among the players. Without it,
///   the bootstrap would be certain of the winner after a single matchup. With it, the loser of all n matchups of two
///   players is the better one in one draw of 2ⁿ⁺¹: the probability that a coin with a uniform prior favours tails after
///   n heads. Among many matchups, its weight is small.
/// - The prior's means are drawn from the prior. So where the games say nothing (a team without games,
///   groups that never met), the draws are as wide as the prior is.
///
/// Each draw's strengths have the mean 0 over the players with games. Each draw has its own random generator, and
/// matchups are in order of their keys: the result depends neither on the order of the games nor on the number of
/// threads.
///
/// A draw costs a few steps of Newton's method, from the strengths of the fit; see [`Fit`]. A draw for 500 players takes
/// some 350 times as long as one for 12.
#[derive(Clone, Debug, PartialEq)]
pub struct Samples {
    players: usize,
    strengths: Vec<f64>,
}

impl Samples {
    pub(super) fn draw(fit: &Fit, samples: usize, threads: usize) -> Self {
        let players = fit.model.players;
        let mut strengths = vec![0.0; samples * players];
        let each = samples.div_ceil(threads.max(1)).max(1);
        std::thread::scope(|scope| {
            for (thread, part) in strengths.chunks_mut((each * players).max(1)).enumerate() {
                scope.spawn(move || {
                    let mut drawing = Drawing::new(fit);
                    for (number, sample) in part.chunks_mut(players).enumerate() {
                        drawing.draw((thread * each + number) as u64, sample);
                    }
                });
            }
        });
        Self { players, strengths }
    }

    /// The middle 95 % of the samples of a player's strength; `None` without samples, or for an unknown player.
    pub fn interval(&self, player: usize) -> Option<(f64, f64)> {
        let mut strengths: Vec<f64> =
            self.iter().filter_map(|sample| sample.get(player)).copied().collect();
        strengths.sort_unstable_by(f64::total_cmp);
        Some((quantile(&strengths, 0.025)?, quantile(&strengths, 0.975)?))
    }

    /// The fraction of the samples in which each player is the best; ties for the best share a sample equally. All are 0
    /// without samples. After few games this is no probability of being the best: it is far too sure.
    pub fn best(&self) -> Vec<f64> {
        let mut best = vec![0.0; self.players];
        for sample in self.iter() {
            let most = sample.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let leads = |player: &usize| sample[*player].total_cmp(&most).is_eq();
            let leaders: Vec<usize> = (0..self.players).filter(leads).collect();
            for &leader in &leaders {
                best[leader] += 1.0 / leaders.len() as f64;
            }
        }
        let samples = self.iter().count().max(1) as f64;
        best.iter().map(|times| times / samples).collect()
    }

    #[cfg(test)]
    pub(super) fn from_strengths(players: usize, strengths: Vec<f64>) -> Self {
        Self { players, strengths }
    }

    fn iter(&self) -> impl Iterator<Item = &[f64]> {
        self.strengths.chunks(self.players.max(1))
    }
}

/// The quantile `share`, 0 to 1, of sorted numbers, by linear interpolation between neighbours; `None` without numbers.
///
/// ```
/// assert_eq!(rating::quantile(&[1.0, 2.0, 4.0, 5.0], 0.5), Some(3.0));
/// ```
pub fn quantile(sorted: &[f64], share: f64) -> Option<f64> {
    let place = share * sorted.len().checked_sub(1)? as f64;
    let below = sorted[place as usize];
    let above = sorted[(place as usize + 1).min(sorted.len() - 1)];
    Some(below + place.fract() * (above - below))
}

/// The working memory of a thread that draws samples.
struct Drawing<'a> {
    fit: &'a Fit,
    newton: Newton<'a>,
    weights: Weights,
    /// The weights of the matchups, then of the imaginary one.
    shares: Vec<f64>,
    means: Vec<f64>,
}

impl<'a> Drawing<'a> {
    fn new(fit: &'a Fit) -> Self {
        let (newton, weights) = (Newton::new(&fit.model), Weights::new(&fit.model));
        Self { fit, newton, weights, shares: Vec::new(), means: vec![0.0; fit.model.players] }
    }

    fn draw(&mut self, number: u64, strengths: &mut [f64]) {
        let mut random = Random::new(number);
        self.weigh(&mut random);
        self.means.fill_with(|| PRIOR_DEVIATION * random.normal());
        centre(&mut self.means, |_| true);
        strengths.copy_from_slice(&self.fit.strengths);
        self.newton.maximise(&self.weights, &self.means, strengths);
        centre(strengths, |player| self.fit.has_played(player));
    }

    fn weigh(&mut self, random: &mut Random) {
        self.weights.clear();
        let matchups = &self.fit.model.matchups;
        let Some(of) = random.below(matchups.len()) else { return };
        self.shares.clear();
        self.shares.extend((0..=matchups.len()).map(|_| random.exponential()));
        let scale = self.shares.len() as f64 / self.shares.iter().sum::<f64>();
        for (matchup, share) in matchups.iter().zip(&self.shares) {
            self.weights.add(matchup, share * scale, &ITS_OWN);
        }
        let mut results_go_to = ITS_OWN;
        random.shuffle(&mut results_go_to[..matchups[of].players.teams().len()]);
        self.weights.add(&matchups[of], self.shares[matchups.len()] * scale, &results_go_to);
    }
}

pub(crate) struct Random(Xoshiro256PlusPlus);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// A uniform number above 0 and at most 1.
    pub(crate) fn uniform(&mut self) -> f64 {
        ((self.0.next_u64() >> 11) + 1) as f64 / (1_u64 << 53) as f64
    }

    /// An exponential number with the mean 1.
    pub(crate) fn exponential(&mut self) -> f64 {
        -self.uniform().ln()
    }

    /// A normal number with the mean 0 and the standard deviation 1 (Box–Muller).
    pub(crate) fn normal(&mut self) -> f64 {
        (2.0 * self.exponential()).sqrt() * (TAU * self.uniform()).cos()
    }

    /// A uniform integer below the bound; `None` if the bound is 0. Its bias is too small to show in samples.
    fn below(&mut self, bound: usize) -> Option<usize> {
        let wide = u128::from(self.0.next_u64()) * bound as u128;
        (bound > 0).then_some((wide >> 64) as usize)
    }

    pub(crate) fn shuffle(&mut self, items: &mut [usize]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1).unwrap_or(last));
        }
    }
}
