//! The share of games in which a player is first, with its interval.

use statrs::distribution::{ContinuousCDF, StudentsT};

/// The normal distribution stays below it with probability 0.975.
const NORMAL: f64 = 1.959_964;

/// A share with its 95 % confidence interval; all three are from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    /// The share.
    pub value: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

impl Share {
    /// The share of some matchups, given as first places and games of each; a first place that is shared by k players
    /// counts 1/k. `None` without games.
    ///
    /// Games of a matchup have a seed in common and depend on each other. The interval is Wilson's for the number of
    /// independent games that would be worth as much (Korn and Graubard, *Confidence intervals for proportions with
    /// small expected number of positive counts estimated from survey data*, 1998).
    #[must_use]
    pub fn of(matchups: &[(f64, u32)]) -> Option<Self> {
        let games: f64 = matchups.iter().map(|&(_, games)| f64::from(games)).sum();
        if games == 0.0 {
            return None;
        }
        let value = matchups.iter().map(|(firsts, _)| firsts).sum::<f64>() / games;
        let (n, z) = (effective(matchups, value, games), NORMAL);
        let z2n = z * z / n;
        let middle = (value + z2n / 2.0) / (1.0 + z2n);
        let half = z / (1.0 + z2n) * (value * (1.0 - value) / n + z2n / (4.0 * n)).sqrt();
        // What is rounded away must not leave the share outside.
        let (low, high) = ((middle - half).clamp(0.0, value), (middle + half).clamp(value, 1.0));
        Some(Self { value, low, high })
    }
}

/// The number of independent games that tell as much as these; `games` at most.
#[expect(clippy::cast_precision_loss, reason = "fewer than 2⁵² matchups")]
fn effective(matchups: &[(f64, u32)], value: f64, games: f64) -> f64 {
    let count = matchups.len() as f64;
    if count < 2.0 {
        // Nothing tells how much the games of one matchup depend on each other.
        return games.min(1.0);
    }
    let squares: f64 =
        matchups.iter().map(|&(firsts, games)| (firsts - value * f64::from(games)).powi(2)).sum();
    let variance = squares * count / (count - 1.0) / (games * games);
    let independent = match variance > 0.0 {
        true => (value * (1.0 - value) / variance).min(games),
        false => games,
    };
    // The variance of few matchups is hardly known.
    let ratio = NORMAL / student_quantile(count - 1.0);
    independent * ratio * ratio
}

fn student_quantile(freedom: f64) -> f64 {
    StudentsT::new(0.0, 1.0, freedom).expect("freedom is positive").inverse_cdf(0.975)
}

#[cfg(test)]
#[expect(clippy::cast_precision_loss, clippy::float_cmp, reason = "small; exact")]
mod tests {
    use super::*;
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::{Rng, SeedableRng};

    #[test]
    fn no_games_have_no_share_and_few_a_wide_interval() {
        assert_eq!(Share::of(&[]), None);
        let one = Share::of(&[(4.0, 4)]).unwrap();
        assert!(one.value == 1.0 && one.low < 0.25 && one.high == 1.0, "{one:?}");
        let none = Share::of(&[(0.0, 4); 50]).unwrap();
        assert!(none.value == 0.0 && none.low == 0.0 && none.high < 0.03, "{none:?}");
    }

    #[test]
    fn many_independent_games_have_the_usual_interval() {
        let matchups = [[(1.0, 1); 40], [(0.0, 1); 40]].concat();
        let Share { value, low, high } = Share::of(&matchups).unwrap();
        assert_eq!(value, 0.5);
        assert!((low - 0.39).abs() < 0.01 && (high - 0.61).abs() < 0.01, "{low} {high}");
    }

    /// How often the interval holds the truth, for games of four, `alike` of whose matchups end four times alike.
    fn coverage(truth: f64, alike: f64, matchups: usize) -> f64 {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(11);
        let mut chance = |p: f64| (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64 <= p;
        let runs = 1500;
        let mut held = 0;
        for _ in 0..runs {
            let played: Vec<_> = (0..matchups)
                .map(|_| match chance(alike) {
                    true => (if chance(truth) { 4.0 } else { 0.0 }, 4),
                    false => ((0..4).filter(|_| chance(truth)).count() as f64, 4),
                })
                .collect();
            let Share { low, high, .. } = Share::of(&played).unwrap();
            held += u32::from((low..=high).contains(&truth));
        }
        f64::from(held) / f64::from(runs)
    }

    #[test]
    fn the_interval_holds_the_truth_also_when_games_depend_on_each_other() {
        for truth in [0.1, 0.25, 0.5] {
            for alike in [0.0, 0.25] {
                for matchups in [5, 15, 40] {
                    let coverage = coverage(truth, alike, matchups);
                    assert!(coverage >= 0.93, "{truth} {alike} {matchups}: {coverage}");
                }
            }
        }
    }
}
