//! The ranking as pages show it.

use std::time::Duration;

use serde::Serialize;

use super::ranks;
use crate::outcome::FaultKind;
use crate::standings::{Duel, Row, Standings};

/// So many standard deviations on both sides hold 95 % of a normal distribution.
const SIGMAS: f64 = 1.96;

/// How the teams stand, as pages show it.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Ranking {
    /// Whether the ratings are those that go on with every game, by Weng-Lin, not the final ones, by
    /// Plackett-Luce.
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
    /// Where its rating lies with 95 %.
    pub interval: (f64, f64),
    /// The probability that it is the best; not known of provisional ratings.
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
    /// The ranking that counts.
    #[must_use]
    pub fn of(standings: &Standings) -> Self {
        let lines = standings.rows.iter().zip(ranks(standings)).map(|(row, rank)| Line {
            rank,
            rating: row.rating,
            interval: row.interval,
            best: Some(row.best),
            ..Line::without_rating(row)
        });
        let duels = standings.head_to_head.iter().map(|row| row.iter().map(pair).collect());
        Self {
            provisional: false,
            games: standings.games,
            rows: lines.collect(),
            duels: duels.collect(),
        }
    }

    /// The ranking to follow while games go on.
    #[must_use]
    pub fn provisional(standings: &Standings) -> Self {
        let rows = &standings.rows;
        let mut order: Vec<usize> = (0..rows.len()).collect();
        order.sort_by(|&a, &b| rows[b].online.0.total_cmp(&rows[a].online.0));
        let mut lines: Vec<Line> = Vec::with_capacity(order.len());
        for (index, &place) in order.iter().enumerate() {
            let (rating, deviation) = rows[place].online;
            let shared = lines.last().filter(|before| before.rating.total_cmp(&rating).is_eq());
            lines.push(Line {
                rank: shared.map_or(index + 1, |before| before.rank),
                rating,
                interval: (rating - SIGMAS * deviation, rating + SIGMAS * deviation),
                ..Line::without_rating(&rows[place])
            });
        }
        let duels = order.iter().map(|&a| {
            let row = &standings.head_to_head[a];
            order.iter().map(|&b| pair(&row[b])).collect()
        });
        Self { provisional: true, games: standings.games, duels: duels.collect(), rows: lines }
    }
}

impl Line {
    fn without_rating(row: &Row) -> Self {
        let (mean, longest) = row.thinking;
        Self {
            rank: 0,
            name: row.name.clone(),
            games: row.games,
            rating: 0.0,
            interval: (0.0, 0.0),
            best: None,
            points: row.mean_points,
            mean_rank: row.mean_rank,
            firsts: row.firsts,
            faults: row.faults.clone(),
            malformed: row.malformed,
            missed: row.missed,
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
