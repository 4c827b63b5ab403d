//! The table of a tournament after its matchups so far.

use std::cmp::Ordering;
use std::ops::AddAssign;

use super::MatchupResult;
use super::draw::Lots;
use crate::team::Team;

/// The order of teams: by mean score, then by mean points, then by lot. Teams without results are average.
///
/// The sums are integers and fractions are compared exactly, so that the order of the results does not matter.
pub(super) struct Ladder<'a> {
    teams: &'a [Team],
    lots: Lots,
    totals: Vec<Totals>,
    all: Totals,
}

/// Sums over matchups; score and points in units of 1 / [`PARTS`].
#[derive(Clone, Copy, Default)]
struct Totals {
    matchups: i64,
    score: i64,
    points: i64,
}

/// Units per score and per point. Scores of a game are multiples of ½, and means are over 4, 12 or 24 games: all of
/// them are integers in this unit.
const PARTS: f64 = 48.0;

impl<'a> Ladder<'a> {
    pub(super) fn of(teams: &'a [Team], lots: Lots, played: &[&MatchupResult]) -> Self {
        let mut totals = vec![Totals::default(); teams.len()];
        let mut all = Totals::default();
        for result in played {
            for (&team, &(score, points)) in result.matchup.group.teams().iter().zip(&result.scores)
            {
                // No real result is so large that the conversion saturates.
                let parts = |value: f64| (value * PARTS).round() as i64;
                let result = Totals { matchups: 1, score: parts(score), points: parts(points) };
                if let Some(own) = totals.get_mut(team) {
                    *own += result;
                    all += result;
                }
            }
        }
        Self { teams, lots, totals, all }
    }

    /// The order of two teams in the table: the better team is less.
    pub(super) fn compare(&self, a: usize, b: usize) -> Ordering {
        let (one, other) = (self.own(a), self.own(b));
        let by = |part: fn(Totals) -> i64| {
            let cross = |of: Totals, with: Totals| i128::from(part(of)) * i128::from(with.matchups);
            cross(other, one).cmp(&cross(one, other))
        };
        by(|own| own.score)
            .then_with(|| by(|own| own.points))
            .then_with(|| self.lots.compare(&self.teams[a], &self.teams[b]))
    }

    fn own(&self, team: usize) -> Totals {
        match self.totals[team] {
            Totals { matchups: 0, .. } => self.all,
            own => own,
        }
    }
}

impl AddAssign for Totals {
    fn add_assign(&mut self, other: Self) {
        self.matchups += other.matchups;
        self.score = self.score.saturating_add(other.score);
        self.points = self.points.saturating_add(other.points);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::testing::{played, teams};
    use super::*;

    fn order_by(lots: Lots, teams: &[Team], played: &[MatchupResult]) -> Vec<usize> {
        let table = Ladder::of(teams, lots, &played.iter().collect::<Vec<_>>());
        let mut order: Vec<_> = (0..teams.len()).collect();
        order.sort_by(|&a, &b| table.compare(a, b));
        order
    }

    fn order(teams: &[Team], played: &[MatchupResult]) -> Vec<usize> {
        order_by(Lots::Seeded(7), teams, played)
    }

    /// Tests that lots alone decide the order of all teams.
    fn check_lots(teams: &[Team], played: &[MatchupResult]) {
        let orders = (0..300).map(|seed| order_by(Lots::Seeded(seed), teams, played));
        let found: BTreeSet<_> = orders.collect();
        assert_eq!(found.len(), (1..=teams.len()).product::<usize>());
    }

    #[test]
    fn means_count_and_not_sums() {
        let teams = teams(&[0; 3]);
        let results = [
            played(1, &[0, 1], &[(2.5, 10.0), (2.0, 90.0)]),
            played(2, &[1, 2], &[(2.5, 10.0), (3.0, 0.0)]),
            played(3, &[1], &[(2.5, 10.0)]),
        ];
        assert_eq!(order(&teams, &results), [2, 0, 1]);
    }

    #[test]
    fn equal_scores_are_told_apart_by_points_then_by_lot() {
        let third = 4.0 / 3.0;
        let results = [played(1, &[0, 1], &[(third, 7.0), (third, 8.0)])];
        assert_eq!(order(&teams(&[0; 2]), &results), [1, 0]);
        let results = [played(1, &[0, 1, 2], &[(third, 7.0); 3])];
        check_lots(&teams(&[0; 3]), &results);
    }

    #[test]
    fn fractions_that_are_equal_are_equal() {
        // The mean of 1/24, 7/24 and 1/24 against 1/8.
        let thirds = [1.0 / 24.0, 7.0 / 24.0, 1.0 / 24.0];
        let mut results = thirds.map(|score| played(1, &[0], &[(score, 0.0)])).to_vec();
        results.push(played(1, &[1], &[(1.0 / 8.0, 0.0)]));
        check_lots(&teams(&[0; 2]), &results);
    }

    #[test]
    fn who_has_no_results_is_average() {
        let teams = teams(&[0; 4]);
        let results = [played(1, &[0, 1, 2], &[(3.0, 9.0), (1.5, 3.0), (0.0, 0.0)])];
        // The average is 1.5 and 4 points.
        assert_eq!(order(&teams, &results), [0, 3, 1, 2]);
        check_lots(&teams, &[]);
    }

    #[test]
    fn nonsense_does_no_harm() {
        let results = [
            played(1, &[0, 1], &[(f64::NAN, f64::INFINITY), (-1e300, f64::NEG_INFINITY)]),
            played(1, &[0, 9], &[(f64::INFINITY, f64::MAX)]),
        ];
        assert_eq!(order(&teams(&[0; 2]), &results), [0, 1]);
    }
}
