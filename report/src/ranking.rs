//! The ranking as pages show it.

use std::time::Duration;

use serde::Serialize;

use super::{RISK, ranks};
use plan::FaultKind;
use plan::record::HeadToHead;
use rating::Standings;
use rating::standings::Row;

/// How the teams stand, as pages show it.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Ranking {
    /// Whether more games follow: intervals and probabilities are not computed yet.
    pub provisional: bool,
    /// Games that count.
    pub games: usize,
    /// The risk of an error at which the first team is shown to be the best, if it is at one of at most 5 %.
    pub risk: Option<f64>,
    /// The teams, best first.
    pub rows: Vec<RankingLine>,
    /// `duels[a][b]`: games that teams `a` and `b` of `rows` were both in, and how many of them `a` won;
    /// equal points count half.
    pub duels: Vec<Vec<(u32, f64)>>,
}

/// How a team stands.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RankingLine {
    /// From 1; teams that stand alike share one. `None` for a team without games.
    pub rank: Option<usize>,
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
    /// The smallest risk of an error at which it is shown not to be the best.
    pub risk: f64,
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
            risk: Some(standings.risk()).filter(|risk| *risk <= RISK),
            rows: rows.map(|(row, rank)| RankingLine::of(row, rank)).collect(),
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

impl RankingLine {
    fn of(row: &Row, rank: Option<usize>) -> Self {
        let (mean, longest) = row.record.thinking;
        Self {
            rank,
            name: row.name.clone(),
            games: row.record.games,
            rating: row.rating,
            interval: Some(row.interval),
            best: Some(row.best),
            risk: row.risk,
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

fn pair(duel: &HeadToHead) -> (u32, f64) {
    (duel.games, duel.wins)
}

/// To the microsecond.
pub(super) fn milliseconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e3
}

#[cfg(test)]
mod tests {
    use plan::record::Record;

    use super::*;

    #[test]
    fn ratings_do_not_jump_when_a_tournament_ends() {
        let row = Row {
            team: 0,
            name: "Ada".to_owned(),
            record: Record::default(),
            strength: 1.0,
            rating: 1673.7,
            interval: (1600.0, 1700.0),
            best: 0.9,
            risk: 1.0,
        };
        let duels = vec![vec![HeadToHead::default()]];
        let standings = Standings { rows: vec![row], head_to_head: duels, games: 12 };
        let [before, after] = [Ranking::provisional(&standings), Ranking::of(&standings)];
        assert!(before.provisional && !after.provisional);
        let rated = |ranking: &Ranking| (ranking.rows[0].rank, ranking.rows[0].rating);
        assert_eq!(rated(&before), rated(&after));
        let certainty = |ranking: &Ranking| (ranking.rows[0].interval, ranking.rows[0].best);
        assert_eq!(certainty(&before), (None, None));
        assert_eq!(certainty(&after), (Some((1600.0, 1700.0)), Some(0.9)));
    }
}
