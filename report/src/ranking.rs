//! The ranking as pages show it.

use std::time::Duration;

use serde::Serialize;

use super::ranks;
use plan::FaultKind;
use plan::record::Duel;
use rating::Standings;
use rating::standings::Row;

/// How the teams stand, as pages show it.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Ranking {
    /// Whether more games follow: intervals and probabilities are not computed yet.
    pub provisional: bool,
    /// Games that count.
    pub games: usize,
    /// The teams, best first.
    pub rows: Vec<Line>,
    /// `duels[a][b]`: games that teams `a` and `b` of `rows` were both in, and how many of them `a` won;
    /// equal points count half.
    pub duels: Vec<Vec<(u32, f64)>>,
}

/// How a team stands.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Line {
    /// From 1; teams that stand alike share one.
    pub rank: usize,
    /// Its name.
    pub name: String,
    /// Games it played.
    pub games: u32,
    /// Its rating.
    pub rating: f64,
    /// The middle 95 % of its ratings in the bootstrap samples; `None` in a provisional ranking.
    pub interval: Option<(f64, f64)>,
    /// The probability that it is the best; `None` in a provisional ranking.
    pub best: Option<f64>,
    /// Mean points of a game.
    pub points: f64,
    /// Mean rank in a game, from 1.
    pub mean_rank: f64,
    /// First places; one shared by k players counts 1/k.
    pub firsts: f64,
    /// How often which fault happened.
    pub faults: Vec<(FaultKind, u32)>,
    /// Orders that were malformed.
    pub malformed: u32,
    /// Deadlines missed.
    pub missed: u32,
    /// How long it thought about a state, on average, and at most; in milliseconds.
    pub thinking: (f64, f64),
}

impl Ranking {
    /// The final ranking.
    #[must_use]
    pub fn of(standings: &Standings) -> Self {
        let rows = standings.rows.iter().zip(ranks(standings));
        let duels = standings.head_to_head.iter().map(|row| row.iter().map(pair).collect());
        Self {
            provisional: false,
            games: standings.games,
            rows: rows.map(|(row, rank)| Line::of(row, rank)).collect(),
            duels: duels.collect(),
        }
    }

    /// The ranking while more games follow.
    #[must_use]
    pub fn provisional(standings: &Standings) -> Self {
        let mut ranking = Self { provisional: true, ..Self::of(standings) };
        for line in &mut ranking.rows {
            (line.interval, line.best) = (None, None);
        }
        ranking
    }
}

impl Line {
    fn of(row: &Row, rank: usize) -> Self {
        let (mean, longest) = row.record.thinking;
        Self {
            rank,
            name: row.name.clone(),
            games: row.record.games,
            rating: row.rating,
            interval: Some(row.interval),
            best: Some(row.best),
            points: row.record.mean_points,
            mean_rank: row.record.mean_rank,
            firsts: row.record.firsts,
            faults: row.record.faults.clone(),
            malformed: row.record.malformed,
            missed: row.record.missed,
            thinking: (milliseconds(mean), milliseconds(longest)),
        }
    }
}

fn pair(duel: &Duel) -> (u32, f64) {
    (duel.games, duel.wins)
}

/// To the microsecond.
pub(super) fn milliseconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e3
}
