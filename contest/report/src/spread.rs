//! The distribution of points over games.

use serde::Serialize;
use statrs::statistics::{Data, Distribution, Max, Min, OrderStatistics, Statistics};

/// The distribution of the points of some games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Spread {
    /// The number of games.
    pub games: usize,
    /// Mean points.
    pub mean: f64,
    /// The fewest points.
    pub min: f64,
    /// The lower quartile of the points; interpolated, like `median` and `high`.
    pub low: f64,
    /// The median of the points.
    pub median: f64,
    /// The upper quartile of the points.
    pub high: f64,
    /// The most points.
    pub max: f64,
    /// Mean rank, from 1; shared ranks averaged.
    pub mean_rank: f64,
}

impl Spread {
    /// Computes the spread of games given as points and rank; all 0 without games.
    #[must_use]
    pub fn of(games: &[(i32, f64)]) -> Self {
        if games.is_empty() {
            return Self::default();
        }
        let points: Vec<f64> = games.iter().map(|&(points, _)| points.into()).collect();
        let mut points = Data::new(points);
        let ranks: Vec<f64> = games.iter().map(|&(_, rank)| rank).collect();
        Self {
            games: games.len(),
            mean: points.mean().unwrap_or_default(),
            min: points.min(),
            low: points.lower_quartile(),
            median: points.median(),
            high: points.upper_quartile(),
            max: points.max(),
            mean_rank: ranks.mean(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quartiles_lie_between_the_least_and_the_most() {
        let games: Vec<_> = [40, -20, 0, 10, 20].map(|points| (points, 2.5)).into();
        let spread = Spread::of(&games);
        assert_eq!((spread.games, spread.mean, spread.mean_rank), (5, 10.0, 2.5));
        assert_eq!((spread.min, spread.median, spread.max), (-20.0, 10.0, 40.0));
        assert!(spread.min < spread.low && spread.low < spread.median, "{spread:?}");
        assert!(spread.median < spread.high && spread.high < spread.max, "{spread:?}");
    }

    #[test]
    fn few_games_have_a_spread_too() {
        assert_eq!(Spread::of(&[]), Spread::default());
        let (min, low, median, high, max) = (7.0, 7.0, 7.0, 7.0, 7.0);
        let one = Spread { games: 1, mean: 7.0, min, low, median, high, max, mean_rank: 1.5 };
        assert_eq!(Spread::of(&[(7, 1.5)]), one);
    }
}
