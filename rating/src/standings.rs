//! The standings of all teams.

#[cfg(test)]
mod tests;

use std::cmp::Ordering;

use plan::record::{HeadToHead, Record, Records};
use plan::{Outcome, Team};

use crate::{Games, elo};

/// The standings of all teams (*classement*), whatever the order in which the games were played.
#[derive(Clone, Debug, PartialEq)]
pub struct Standings {
    /// The teams, best first: by strength, then by mean points, then by name.
    pub rows: Vec<Row>,
    /// `head_to_head[a][b]`: the games that teams `a` and `b` of `rows` were both in.
    pub head_to_head: Vec<Vec<HeadToHead>>,
    /// Games that count.
    pub games: usize,
}

/// The standing of a team.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Its place in the list of teams.
    pub team: usize,
    /// Its name.
    pub name: String,
    /// Sums and means over its games.
    pub record: Record,
    /// Its strength by the Plackett-Luce model, as a natural logarithm; the mean of all teams is 0.
    pub strength: f64,
    /// Its strength as an Elo-like number: 1500 + 400 / ln 10 · strength.
    pub rating: f64,
    /// The middle 95 % of its ratings in the bootstrap samples; the rating itself, twice, without samples.
    pub interval: (f64, f64),
    /// The probability that it is the best, from the bootstrap; 0 without samples.
    pub best: f64,
}

impl Row {
    /// The better one is the lesser one.
    fn order(&self, other: &Self) -> Ordering {
        // Strengths that differ by less than a millionth are equal, but for rounding.
        let strength = |row: &Self| (row.strength * 1e6).round() as i64;
        let by_points = || other.record.mean_points.total_cmp(&self.record.mean_points);
        let by_name = || self.name.cmp(&other.name);
        strength(other).cmp(&strength(self)).then_with(by_points).then_with(by_name)
    }
}

impl Standings {
    /// The standings after the games that count, as [`Records::of`] says, by `samples` bootstrap samples. The
    /// order in which the games are given changes nothing.
    ///
    /// Costs what [`Games::fit`] does, and at most as much again for each sample.
    #[must_use]
    pub fn of(teams: &[Team], outcomes: &[Outcome], samples: usize) -> Self {
        let Records { teams: records, duels, games: played } = Records::of(teams, outcomes);
        let mut games = Games::new(teams.len());
        for (matchup, ranking) in &played {
            games.add(*matchup, ranking);
        }
        let fit = games.fit();
        let drawn = fit.bootstrap(samples);
        let best = drawn.best();
        let row = |(team, record): (usize, Record)| {
            let strength = fit.strengths()[team];
            let (low, high) = drawn.interval(team).unwrap_or((strength, strength));
            Row {
                team,
                name: teams[team].name.clone(),
                record,
                strength,
                rating: elo(strength),
                interval: (elo(low), elo(high)),
                best: best[team],
            }
        };
        let mut rows: Vec<Row> = records.into_iter().enumerate().map(row).collect();
        rows.sort_by(Row::order);
        let against_all = |a: &Row| rows.iter().map(|b| duels[a.team][b.team]).collect();
        let head_to_head = rows.iter().map(against_all).collect();
        Self { rows, head_to_head, games: played.len() }
    }

    /// The team that is most probably the best: its place in `rows`, and the probability; `None` without games or
    /// without samples. A tournament is settled once this probability is high enough.
    #[must_use]
    pub fn settled(&self) -> Option<(usize, f64)> {
        let by_best = |a: &(usize, f64), b: &(usize, f64)| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0));
        let best = self.rows.iter().map(|row| row.best).enumerate().max_by(by_best)?;
        (self.games > 0 && best.1 > 0.0).then_some(best)
    }
}
