//! The share of games in which a player is first, with its interval.

/// The 0.975 quantile of the standard normal distribution.
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
    /// The share of first places in independent games, with Wilson's interval; a first place that is shared by k players
    /// counts 1/k. `None` without games.
    ///
    /// ```
    /// let share = rating::Share::of(9.0, 10).unwrap();
    /// assert!(share.value == 0.9 && share.low > 0.59 && share.high < 0.99);
    /// ```
    pub fn of(firsts: f64, games: u32) -> Option<Self> {
        if games == 0 {
            return None;
        }
        let n = f64::from(games);
        let value = (firsts / n).clamp(0.0, 1.0);
        let z2n = NORMAL * NORMAL / n;
        let middle = (value + z2n / 2.0) / (1.0 + z2n);
        let half = NORMAL / (1.0 + z2n) * ((value * (1.0 - value) + z2n / 4.0) / n).sqrt();
        // Rounding must not leave the share outside.
        let (low, high) = ((middle - half).clamp(0.0, value), (middle + half).clamp(value, 1.0));
        Some(Self { value, low, high })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The probability of each number of first places in `games` games.
    fn binomial(games: u32, share: f64) -> Vec<f64> {
        let mut all = vec![1.0];
        for _ in 0..games {
            let mut next = vec![0.0; all.len() + 1];
            for (firsts, p) in all.iter().enumerate() {
                next[firsts] += p * (1.0 - share);
                next[firsts + 1] += p * share;
            }
            all = next;
        }
        all
    }

    #[test]
    fn the_interval_holds_the_truth_in_nineteen_of_twenty_trials() {
        for games in [4, 20, 60, 240] {
            let mut mean = 0.0;
            let truths: Vec<_> = (1..40).map(|step| f64::from(step) / 40.0).collect();
            for &truth in &truths {
                let held = (0..).zip(binomial(games, truth)).filter(|(firsts, _)| {
                    let Share { low, high, .. } = Share::of(f64::from(*firsts), games).unwrap();
                    (low..=high).contains(&truth)
                });
                let held: f64 = held.map(|(_, p)| p).sum();
                assert!(held > 0.82, "{games} games, {truth}: {held}");
                mean += held / 39.0;
            }
            assert!((0.94..0.97).contains(&mean), "{games} games: {mean}");
        }
    }

    #[test]
    fn no_games_have_no_share() {
        assert_eq!(Share::of(0.0, 0), None);
        let all = Share::of(4.0, 4).unwrap();
        assert!(all.low > 0.5 && all.high > 0.999, "{all:?}");
    }
}
