//! The meetings that tell most about the order of players.

use plan::{Group, SEATS};

use super::plackett_luce::Fit;

/// Chooses the groups whose games are expected to correct most of an order.
///
/// By Luce's axiom, a game tells of each two of its players who is the better one, as a duel would that the first one wins with
/// probability p = 1 / (1 + exp(θ₂ − θ₁)): its Fisher information on their difference is p(1 − p), most between equals. The difference has
/// an estimate d and a variance v, from the curvature of the [`Fit`]. It has the wrong sign with probability Φ(−|d| / √v), the *risk* of
/// the two. A game between them leaves the variance 1 / (1/v + p(1 − p)), and the worth of a group is the sum of what its pairs
/// lose of their risk: nothing for two who are far apart, much for two who are close or little known, and less and less for
/// two who are equal.
///
/// A group begins with the player who is due, which keeps shares equal, and takes in whoever adds most.
///
/// Source: the criterion is the expected improvement of one step, as for the choice of experiments in `MacKay`, *Information-based
/// objective functions for active data selection*, Neural Computation 4, 1992.
#[derive(Clone, Debug)]
pub struct Meetings {
    players: usize,
    strengths: Vec<f64>,
    /// The variance of the difference of two players, row by row.
    variances: Vec<f64>,
}

impl Meetings {
    /// The choice after the games of a fit.
    pub fn after(fit: &Fit) -> Self {
        let (strengths, covariance) = (fit.strengths().to_vec(), fit.covariance());
        let players = strengths.len();
        let at = |row: usize, column: usize| covariance[row * players + column];
        let pairs = (0..players).flat_map(|one| (0..players).map(move |other| (one, other)));
        let variances = pairs
            .map(|(one, other)| at(one, one) + at(other, other) - 2.0 * at(one, other))
            .collect();
        Self { players, strengths, variances }
    }

    /// The next group: the first of `due`, and those of the others that add most. The games are then expected to be played, and the groups
    /// after it follow from that. `None` if nobody is due.
    pub fn next(&mut self, due: &[usize]) -> Option<Group> {
        let (&first, others) = due.split_first()?;
        let mut group = vec![first];
        while group.len() < SEATS {
            let worth = |&player: &usize| -> f64 {
                group.iter().map(|&member| self.worth(member, player)).sum()
            };
            let free = others.iter().copied().filter(|player| !group.contains(player));
            let Some(best) = free.max_by(|one, other| worth(one).total_cmp(&worth(other))) else {
                break;
            };
            group.push(best);
        }
        self.expect(&group);
        Group::new(&group)
    }

    /// Expects a game of these different players, such as one that is being played: what it tells is not told again.
    pub fn expect(&mut self, group: &[usize]) {
        for (place, &one) in group.iter().enumerate() {
            for &other in &group[place + 1..] {
                let after = self.variance_after(one, other);
                for (row, column) in [(one, other), (other, one)] {
                    self.variances[row * self.players + column] = after;
                }
            }
        }
    }

    /// How much less likely a game makes it that two players are in the wrong order.
    fn worth(&self, one: usize, other: usize) -> f64 {
        let difference = self.strengths[one] - self.strengths[other];
        let (before, after) = (self.variance(one, other), self.variance_after(one, other));
        risk(difference, before) - expected_risk(difference, before, after)
    }

    fn variance(&self, one: usize, other: usize) -> f64 {
        self.variances[one * self.players + other]
    }

    fn variance_after(&self, one: usize, other: usize) -> f64 {
        let first = 1.0 / (1.0 + (self.strengths[other] - self.strengths[one]).exp());
        1.0 / (1.0 / self.variance(one, other) + first * (1.0 - first))
    }
}

/// The probability that a normal number with this mean and variance has not the sign of its mean.
fn risk(mean: f64, variance: f64) -> f64 {
    lower_tail(-mean.abs() / variance.sqrt())
}

/// The risk that is expected after a game which leaves the variance `after` of `before`: the new mean is normal around the mean, with the
/// variance that the game takes away. The midpoint rule is nearly exact for it.
fn expected_risk(mean: f64, before: f64, after: f64) -> f64 {
    let spread = (before - after).max(0.0).sqrt();
    let nodes = (0..24).map(|node| (f64::from(node) - 11.5) / 3.0);
    let (mut sum, mut weights) = (0.0, 0.0);
    for node in nodes {
        let weight = (-node * node / 2.0).exp();
        sum += weight * risk(mean + spread * node, after);
        weights += weight;
    }
    sum / weights
}

/// The standard normal distribution function for numbers up to 0, with an error below 7.5·10⁻⁸ (M. Abramowitz and I. A. Stegun, *Handbook
/// of Mathematical Functions*, 26.2.17).
fn lower_tail(at: f64) -> f64 {
    const TERMS: [f64; 5] =
        [1.330_274_429, -1.821_255_978, 1.781_477_937, -0.356_563_782, 0.319_381_530];
    let t = 1.0 / (1.0 - 0.231_641_9 * at);
    let sum = TERMS.iter().fold(0.0, |sum, term| (sum + term) * t);
    (-at * at / 2.0).exp() / std::f64::consts::TAU.sqrt() * sum
}

#[cfg(test)]
mod tests {
    use plan::Key;
    use plan::record::GameRanking;

    use super::*;
    use crate::Games;

    /// The fit of games of groups that always end in the order of their numbers, the first with the lowest.
    fn fit(players: usize, groups: &[&[usize]]) -> Fit {
        let mut games = Games::new(players);
        for (number, group) in (0_u128..).zip(groups) {
            let places: Vec<_> = group.iter().copied().zip(1..).collect();
            games.add(Key::from_bytes(number.to_be_bytes()), &GameRanking::new(&places).unwrap());
        }
        games.fit()
    }

    #[test]
    fn the_normal_distribution_has_its_known_values() {
        for (at, expected) in
            [(0.0, 0.5), (-1.0, 0.158_655_254), (-1.96, 0.024_997_895), (-4.0, 3.167e-5)]
        {
            assert!((lower_tail(at) - expected).abs() < 1e-7, "{at}");
        }
    }

    /// The expectation of the risk against a sum over many means.
    #[test]
    fn the_expected_risk_is_that_of_all_outcomes() {
        for (mean, before, after) in
            [(0.0, 4.0, 2.0), (0.7, 1.0, 0.8), (3.0, 9.0, 3.4), (1.0, 0.1, 0.09)]
        {
            let spread = f64::sqrt(before - after);
            let steps = (-4000..=4000).map(|step| f64::from(step) / 500.0);
            let density = |z: f64| (-z * z / 2.0).exp() / std::f64::consts::TAU.sqrt() / 500.0;
            let exact: f64 = steps.map(|z| density(z) * risk(mean + spread * z, after)).sum();
            let found = expected_risk(mean, before, after);
            assert!((found - exact).abs() < 2e-3, "{mean} {before} {after}: {found} {exact}");
            assert!(found <= risk(mean, before) + 1e-9);
        }
    }

    #[test]
    fn a_game_is_worth_more_between_players_who_are_close_or_little_known() {
        // Player 9 has not played; 0 to 8 form an order by steps.
        let steps = (0..6).flat_map(|one| {
            let up = [one, one + 1, one + 2, one + 3];
            [up, up, [one + 1, one, one + 3, one + 2]]
        });
        let steps: Vec<_> = steps.collect();
        let steps: Vec<&[usize]> = steps.iter().map(<[usize; 4]>::as_slice).collect();
        let meetings = Meetings::after(&fit(10, &steps));
        assert!(meetings.worth(4, 5) > 10.0 * meetings.worth(0, 8));
        assert!(meetings.worth(4, 9) > meetings.worth(4, 5));
    }

    #[test]
    fn a_group_begins_with_who_is_due_and_the_next_one_is_another() {
        let steps: [&[usize]; 2] = [&[0, 1, 2, 3], &[4, 5, 6, 7]];
        let mut meetings = Meetings::after(&fit(9, &steps));
        let due = [8, 0, 1, 2, 3, 4, 5, 6, 7];
        let first = meetings.next(&due).unwrap();
        assert!(first.teams().len() == 4 && first.teams().contains(&8), "{first:?}");
        // What a game tells is not told a second time.
        assert_ne!(meetings.next(&due), Some(first));
        assert_eq!(meetings.next(&[5, 2]), Group::new(&[2, 5]));
        assert_eq!(meetings.next(&[]), None);
    }

    #[test]
    fn the_covariance_is_the_inverse_of_the_curvature() {
        // Two players who have won as often: each is known from the prior, the difference from the games as well.
        let fit = fit(2, &[&[0, 1], &[1, 0], &[0, 1], &[1, 0]]);
        let covariance = fit.covariance();
        let difference = covariance[0] + covariance[3] - 2.0 * covariance[1];
        // Precision of the difference: half of that of the prior on each, and ¼ for each of four games.
        let prior = super::super::PRIOR_DEVIATION.powi(2);
        assert!((difference - 1.0 / (0.5 / prior + 1.0)).abs() < 1e-9, "{difference}");
    }
}
