//! The meetings that tell most about the order of players.

use plan::{Group, SEATS};

use super::plackett_luce::Fit;

/// Number of games of a group that its worth is that of. One game turns the order of few pairs that are fairly well known, and
/// would leave them as they are; several games do.
const HORIZON: f64 = 8.0;
/// Nodes and weights of the Gauss–Legendre rule with six nodes on [0, 1].
const NODES: [(f64, f64); 6] = [
    (0.033_765_242_898_423_99, 0.085_662_246_189_585_17),
    (0.169_395_306_766_867_75, 0.180_380_786_524_069_3),
    (0.380_690_406_958_401_55, 0.233_956_967_286_345_52),
    (0.619_309_593_041_598_5, 0.233_956_967_286_345_52),
    (0.830_604_693_233_132_2, 0.180_380_786_524_069_3),
    (0.966_234_757_101_576, 0.085_662_246_189_585_17),
];

/// Chooses the groups whose games are expected to correct most of an order.
///
/// The [`Fit`] gives the difference d of two players and its variance v. The difference has the wrong sign with probability
/// Φ(−|d| / √v), the *risk* of the two. The Fisher information of a game lowers the covariance of all strengths, and the worth of a
/// group is the sum of what all pairs of players lose of their risk by eight games of it: nothing for two who are far
/// apart, much for two who are close or little known, and less and less for two who are equal.
///
/// A group begins with the player who is due, which keeps shares equal, and takes in the player who adds most. A choice costs
/// O(n³) for n players.
///
/// Source: the criterion is the expected improvement of one step, as for the choice of experiments in `MacKay`, *Information-based
/// objective functions for active data selection*, Neural Computation 4, 1992.
#[derive(Clone, Debug)]
pub struct Meetings {
    strengths: Vec<f64>,
    /// The covariance of the strengths, row by row.
    covariance: Vec<f64>,
}

impl Meetings {
    /// The choice after the games of a fit.
    pub fn after(fit: &Fit) -> Self {
        Self { strengths: fit.strengths().to_vec(), covariance: fit.covariance() }
    }

    /// The next group: the first of `due`, and those of the others that add most. The games are then expected to be played, and the groups
    /// after it follow from that. `None` if nobody is due.
    pub fn next(&mut self, due: &[usize]) -> Option<Group> {
        let (&first, others) = due.split_first()?;
        let mut group = vec![first];
        while group.len() < SEATS {
            let worth = |player: usize| {
                let mut group = group.clone();
                group.push(player);
                self.worth(&group)
            };
            let free = others.iter().copied().filter(|player| !group.contains(player));
            let worths = free.map(|player| (worth(player), player));
            let Some((_, best)) = worths.max_by(|one, other| one.0.total_cmp(&other.0)) else {
                break;
            };
            group.push(best);
        }
        // In order, so that a game that is expected later leaves exactly the same.
        let group = Group::new(&group)?;
        self.expect(group.teams());
        Some(group)
    }

    /// Expects a game of these different players, such as one that is being played: what it tells is not told again.
    pub fn expect(&mut self, group: &[usize]) {
        let players = self.strengths.len();
        let (gain, known) = (self.gain(group, 1.0), self.covariances_with(group));
        for one in 0..players {
            for other in 0..players {
                self.covariance[one * players + other] -= form(&gain, &known[one], &known[other]);
            }
        }
    }

    /// Games of this group lower the expected number of pairs in the wrong order by this much.
    fn worth(&self, group: &[usize]) -> f64 {
        let players = self.strengths.len();
        let (gain, known) = (self.gain(group, HORIZON), self.covariances_with(group));
        let pairs = (0..players).flat_map(|one| (one + 1..players).map(move |other| (one, other)));
        let worth = pairs.map(|(one, other)| {
            let towards: [f64; SEATS] = std::array::from_fn(|at| known[one][at] - known[other][at]);
            let less = form(&gain, &towards, &towards);
            fall_of_risk(self.strengths[one] - self.strengths[other], less, || {
                self.variance(one, other)
            })
        });
        worth.sum()
    }

    fn covariance(&self, one: usize, other: usize) -> f64 {
        self.covariance[one * self.strengths.len() + other]
    }

    /// The variance of the difference of two players.
    fn variance(&self, one: usize, other: usize) -> f64 {
        self.covariance(one, one) + self.covariance(other, other)
            - 2.0 * self.covariance(one, other)
    }

    /// The covariances of every player with the members of a group; 0 for the members that it lacks.
    fn covariances_with(&self, group: &[usize]) -> Vec<[f64; SEATS]> {
        let with =
            |player, at| group.get(at).map_or(0.0, |&member| self.covariance(player, member));
        let players = 0..self.strengths.len();
        players.map(|player| std::array::from_fn(|at| with(player, at))).collect()
    }

    /// The matrix M of a number of games of a group: they lower the covariance of two players, whose covariances with the members of the
    /// group are x and y, by xᵀ M y. With the information I of the games and the covariance C of the members, M = (1 + I C)⁻¹ I (Woodbury's
    /// identity).
    fn gain(&self, group: &[usize], games: f64) -> Matrix {
        let mut strengths = [f64::NEG_INFINITY; SEATS];
        for (strength, &player) in strengths.iter_mut().zip(group) {
            *strength = self.strengths[player];
        }
        let information = information(&strengths).map(|row| row.map(|value| games * value));
        let covariance = |one, other| match (group.get(one), group.get(other)) {
            (Some(&one), Some(&other)) => self.covariance(one, other),
            _ => 0.0,
        };
        let product = |row: usize, column| {
            (0..SEATS).map(|at| information[row][at] * covariance(at, column)).sum::<f64>()
        };
        let one = |row, column| if row == column { 1.0 } else { 0.0 };
        let left = std::array::from_fn(|row| {
            std::array::from_fn(|column| one(row, column) + product(row, column))
        });
        solve(left, information)
    }
}

type Matrix = [[f64; SEATS]; SEATS];

/// xᵀ M y.
fn form(matrix: &Matrix, x: &[f64; SEATS], y: &[f64; SEATS]) -> f64 {
    let row = |row: &[f64; SEATS]| row.iter().zip(y).map(|(value, y)| value * y).sum::<f64>();
    matrix.iter().zip(x).map(|(values, x)| x * row(values)).sum()
}

/// The Fisher information of the ranking of a game of players with these strengths: for each set of players that may be left, the
/// probability that it is, times the covariance of who comes first in it. A strength of −∞ is that of a free seat.
fn information(strengths: &[f64; SEATS]) -> Matrix {
    let mut information = [[0.0; SEATS]; SEATS];
    let mut left = [0.0; 1 << SEATS];
    left[(1 << SEATS) - 1] = 1.0;
    // A set comes before its subsets.
    for set in (1..left.len()).rev() {
        let weight = |at: usize| if set >> at & 1 == 1 { strengths[at].exp() } else { 0.0 };
        let sum: f64 = (0..SEATS).map(weight).sum();
        for one in (0..SEATS).filter(|&at| weight(at) > 0.0) {
            let first = left[set] * weight(one) / sum;
            left[set & !(1 << one)] += first;
            information[one][one] += first;
            for (other, value) in information[one].iter_mut().enumerate() {
                *value -= first * weight(other) / sum;
            }
        }
    }
    information
}

/// The solution X of A X = B, by Gauss–Jordan elimination; A is regular.
fn solve(mut a: Matrix, mut b: Matrix) -> Matrix {
    for pivot in 0..SEATS {
        let size = |row: &usize| a[*row][pivot].abs();
        let largest = (pivot..SEATS).max_by(|one, other| size(one).total_cmp(&size(other)));
        let largest = largest.unwrap_or(pivot);
        a.swap(pivot, largest);
        b.swap(pivot, largest);
        let scale = a[pivot][pivot].recip();
        let (above, right) = (a[pivot].map(|it| it * scale), b[pivot].map(|it| it * scale));
        (a[pivot], b[pivot]) = (above, right);
        for row in (0..SEATS).filter(|&row| row != pivot) {
            let factor = a[row][pivot];
            for column in 0..SEATS {
                a[row][column] -= factor * above[column];
                b[row][column] -= factor * right[column];
            }
        }
    }
    b
}

/// The expected fall of a pair's risk when games take `less` of the variance v of its difference d.
///
/// True and estimated difference are normal around d, with the variances v and `less` and the covariance `less`. The risk after the games
/// is the probability that they differ in sign, which Owen's T function gives; the fall is
/// 1/π ∫ exp(−d² / (2 v sin² φ)) dφ, for φ from 0 to arcsin √(less / v).
///
/// Source: D. B. Owen, *Tables for computing bivariate normal probabilities*, Annals of Mathematical Statistics 27, 1956.
fn fall_of_risk(difference: f64, less: f64, variance: impl FnOnce() -> f64) -> f64 {
    let square = difference * difference;
    // Then the integrand is below 2·10⁻⁹ everywhere.
    if square >= 40.0 * less {
        return 0.0;
    }
    let variance = variance();
    let (end, exponent) = ((less / variance).min(1.0).sqrt().asin(), -square / (2.0 * variance));
    let integral: f64 = NODES
        .iter()
        .map(|(node, weight)| weight * (exponent / (node * end).sin().powi(2)).exp())
        .sum();
    integral * end / std::f64::consts::PI
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

    /// Φ of numbers up to 0, by the midpoint rule.
    fn lower_tail(at: f64) -> f64 {
        let density = |z: f64| (-z * z / 2.0).exp() / std::f64::consts::TAU.sqrt();
        (0..3000).map(|step| density(at - (f64::from(step) + 0.5) / 300.0) / 300.0).sum()
    }

    /// The expected fall of the risk against a sum over all outcomes.
    #[test]
    fn the_fall_of_the_risk_is_that_of_all_outcomes() {
        let risk = |mean: f64, variance: f64| lower_tail(-mean.abs() / variance.sqrt());
        for (mean, before, after) in [
            (0.0, 4.0, 2.0),
            (0.7, 1.0, 0.8),
            (0.3, 1.0, 0.98),
            (3.0, 9.0, 3.4),
            (1.0, 0.1, 0.09),
            (2.0, 1.0, 0.1),
        ] {
            let spread = f64::sqrt(before - after);
            let steps = (-600..600).map(|step| (f64::from(step) + 0.5) / 75.0);
            let density = |z: f64| (-z * z / 2.0).exp() / std::f64::consts::TAU.sqrt() / 75.0;
            let risk_after: f64 = steps.map(|z| density(z) * risk(mean + spread * z, after)).sum();
            let expected = risk(mean, before) - risk_after;
            let found = fall_of_risk(mean, before - after, || before);
            assert!((found - expected).abs() < 2e-4, "{mean} {before} {after}: {found} {expected}");
        }
        assert!((fall_of_risk(0.0, 1.0, || 4.0) - 1.0 / 6.0).abs() < 1e-12, "arcsin(½) / π");
        assert!(fall_of_risk(0.0, 0.0, || 4.0).abs() < 1e-12, "nothing is told");
    }

    /// The information of a ranking of four equal players, summed by hand: ¼·¾ + ¾·⅓·⅔ + ½·¼ on the diagonal. That of two is p(1 − p).
    #[test]
    fn the_information_of_a_game_is_that_of_its_stages() {
        let four = information(&[0.7; SEATS]);
        let diagonal = 3.0 / 16.0 + 1.0 / 6.0 + 1.0 / 8.0;
        for (row, values) in four.iter().enumerate() {
            assert!((values[row] - diagonal).abs() < 1e-12, "{values:?}");
            assert!(values.iter().sum::<f64>().abs() < 1e-12, "{values:?}");
        }
        let two = information(&[1.0, f64::NEG_INFINITY, 0.0, f64::NEG_INFINITY]);
        let p = 1.0 / (1.0 + f64::exp(-1.0));
        assert!(
            (two[0][0] - p * (1.0 - p)).abs() < 1e-12 && two[1].iter().all(|it| it.abs() < 1e-12),
            "{two:?}"
        );
    }

    /// A game that is expected leaves the covariance that the fit of such a game has.
    #[test]
    fn an_expected_game_lowers_the_covariance_as_a_game_does() {
        // All orders of four players, each once: the strengths stay equal.
        let orders = (0..256_usize).map(|code| [code & 3, code >> 2 & 3, code >> 4 & 3, code >> 6]);
        let orders: Vec<_> = orders.filter(|order| Group::new(order).is_some()).collect();
        let orders: Vec<&[usize]> = orders.iter().map(<[usize; 4]>::as_slice).collect();
        let mut expected = Meetings::after(&fit(4, &[]));
        for _ in 0..24 {
            expected.expect(&[0, 1, 2, 3]);
        }
        for (one, other) in expected.covariance.iter().zip(fit(4, &orders).covariance()) {
            assert!((one - other).abs() < 1e-6, "{one} {other}");
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
        assert!(meetings.worth(&[4, 5]) > 2.0 * meetings.worth(&[0, 8]));
        assert!(meetings.worth(&[4, 9]) > meetings.worth(&[4, 5]));
    }

    #[test]
    fn a_group_begins_with_who_is_due_and_the_next_one_is_another() {
        let steps: [&[usize]; 2] = [&[0, 1, 2, 3], &[4, 5, 6, 7]];
        let mut meetings = Meetings::after(&fit(9, &steps));
        let due = [8, 0, 1, 2, 3, 4, 5, 6, 7];
        let first = meetings.next(&due).unwrap();
        assert!(first.teams().len() == 4 && first.teams().contains(&8), "{first:?}");
        // A game that repeats a matchup tells less than a new one.
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
