//! The ranking in the form of the pages.

use std::time::Duration;

use serde::Serialize;

use super::{RISK, ranks};
use plan::FaultKind;
use plan::record::HeadToHead;
use rating::Standings;
use rating::standings::Row;

/// The ranking of the teams.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Ranking {
    /// True if more games follow; intervals are then left out.
    pub provisional: bool,
    /// The number of games that count.
    pub games: usize,
    /// The risk of an error at which the first team is shown to be the best; `None` if above 5 %.
    pub risk: Option<f64>,
    /// The teams, best first.
    pub rows: Vec<RankingLine>,
    /// `duels[a][b]`: the number of games with both teams `a` and `b` of `rows`, and the number that `a` won;
    /// equal points count half.
    pub duels: Vec<Vec<(u32, f64)>>,
}

/// The ranking line of a team.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RankingLine {
    /// The rank, from 1; teams with equal strength and points share one. `None` for a team without games, and
    /// for a disqualified one.
    pub rank: Option<usize>,
    /// The name of the team.
    pub name: String,
    /// The number of games played.
    pub games: u32,
    /// The rating, on a scale like Elo's.
    pub rating: f64,
    /// The middle 95 % of the team's ratings in the bootstrap samples; `None` in a provisional ranking.
    pub interval: Option<(f64, f64)>,
    /// The smallest risk of an error at which the team is shown not to be the best; 1 if at none.
    pub risk: f64,
    /// The organiser's reason, if the team is disqualified.
    pub disqualified: Option<String>,
    /// Mean points of a game.
    pub points: f64,
    /// Mean rank in a game, from 1.
    pub mean_rank: f64,
    /// The number of first places; one shared by k teams counts 1/k.
    pub firsts: f64,
    /// Kinds of faults with their counts.
    pub faults: Vec<(FaultKind, u32)>,
    /// The number of malformed orders.
    pub malformed: u32,
    /// The number of missed deadlines.
    pub missed: u32,
    /// Mean and longest time to answer a state, without the first state of each game, in milliseconds.
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
            line.interval = None;
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
            risk: row.risk,
            disqualified: row.disqualified.clone(),
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

/// Converts a time to milliseconds, rounded to the microsecond.
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
            risk: 1.0,
            disqualified: None,
        };
        let duels = vec![vec![HeadToHead::default()]];
        let standings = Standings { rows: vec![row], head_to_head: duels, games: 12 };
        let [before, after] = [Ranking::provisional(&standings), Ranking::of(&standings)];
        assert!(before.provisional && !after.provisional);
        let rated = |ranking: &Ranking| (ranking.rows[0].rank, ranking.rows[0].rating);
        assert_eq!(rated(&before), rated(&after));
        assert_eq!(before.rows[0].interval, None);
        assert_eq!(after.rows[0].interval, Some((1600.0, 1700.0)));
    }
}
