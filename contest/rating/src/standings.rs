//! The standings of all teams.

#[cfg(test)]
mod tests;

use std::cmp::Ordering;

use plan::record::{GameRanking, HeadToHead, Record, Records};
use plan::{Key, Team};

use crate::{Games, Race, elo};

/// The standings of all teams (*classement*), independent of the order of the games.
#[derive(Clone, Debug, PartialEq)]
pub struct Standings {
    /// The teams, best first: by strength, then by mean points, then by name. Teams without games and, after them,
    /// disqualified ones come last, and are not ranked.
    pub rows: Vec<Row>,
    /// `head_to_head[a][b]`: the games that teams `a` and `b` of `rows` were both in.
    pub head_to_head: Vec<Vec<HeadToHead>>,
    /// The number of games that count.
    pub games: usize,
}

/// The standing of a team.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The index of the team in the list of teams.
    pub team: usize,
    /// The name of the team.
    pub name: String,
    /// Sums and means over the team's games.
    pub record: Record,
    /// The team's strength by the Plackett-Luce model, as a natural logarithm; the mean of all teams is 0.
    pub strength: f64,
    /// The team's strength as an Elo-like number: 1500 + 400 / ln 10 · strength.
    pub rating: f64,
    /// The middle 95 % of the team's ratings in the bootstrap samples; without samples, both ends are the rating.
    pub interval: (f64, f64),
    /// The smallest risk at which the team is shown not to be the best, from [`Race::risks`]; 1 if there is none, and 0 for a
    /// disqualified team, which has no part in the race.
    pub risk: f64,
    /// The organiser's reason, if the team is disqualified. Its games count for the strengths of the others.
    pub disqualified: Option<String>,
}

impl Row {
    /// Tests if the team has a rank: if it has played and is not disqualified.
    pub fn is_ranked(&self) -> bool {
        self.record.games > 0 && self.disqualified.is_none()
    }

    /// Orders better teams first.
    fn order(&self, other: &Self) -> Ordering {
        // Strengths that differ by less than a millionth are equal up to rounding.
        let strength = |row: &Self| (row.strength * 1e6).round() as i64;
        let by_points = || other.record.mean_points.total_cmp(&self.record.mean_points);
        let by_name = || self.name.cmp(&other.name);
        let by_strength = || strength(other).cmp(&strength(self));
        let by_kind = other.is_ranked().cmp(&self.is_ranked());
        let by_kind = by_kind.then(self.disqualified.is_some().cmp(&other.disqualified.is_some()));
        by_kind.then_with(by_strength).then_with(by_points).then_with(by_name)
    }
}

impl Standings {
    /// The standings by these records, with `samples` bootstrap samples. The order in which their games were added does
    /// not matter.
    ///
    /// Costs as much as [`Games::fit`], and at most as much again for each sample.
    ///
    /// ```
    /// use plan::record::{GameRecord, Records, SeatRecord};
    /// use plan::{Key, Program, Team};
    /// use rating::Standings;
    ///
    /// let teams = ["Bob", "Ada"].map(|name| Team::new(name, Program::Remote, "1"));
    /// let seat = |(team, points, rank): (&str, i32, u32)| SeatRecord {
    ///     team: team.into(),
    ///     version: "1".into(),
    ///     is_house: team == "glouton",
    ///     points,
    ///     rank,
    ///     fault: None,
    ///     malformed: 0,
    ///     missed: 0,
    ///     answers: 100,
    ///     thought: 5_000,
    ///     longest: 80,
    /// };
    /// let seats = [("Ada", 30, 1), ("glouton", 20, 2), ("Bob", 10, 3), ("glouton", 0, 4)].map(seat);
    /// let mut records = Records::new(&teams);
    /// records.add(&GameRecord { matchup: Key::from_bytes([1; 16]), round: 1, seats: seats.into() });
    ///
    /// let standings = Standings::of(records, 100);
    /// assert_eq!((&*standings.rows[0].name, &*standings.rows[1].name), ("Ada", "Bob"));
    /// assert!(standings.rows[0].rating > 1500.0 && !standings.is_settled(0.05));
    /// ```
    #[must_use]
    pub fn of(records: Records<'_>, samples: usize) -> Self {
        let (teams, each) = (records.teams(), records.of_teams().collect::<Vec<_>>());
        let Records { duels, games: played, .. } = records;
        let count = played.len();
        let risks = risks(teams, &played);
        let mut games = Games::new(teams.len());
        for (matchup, ranking) in &played {
            games.add(*matchup, ranking);
        }
        drop(played);
        let fit = games.fit();
        drop(games);
        let drawn = fit.bootstrap(samples);
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
                risk: risks[team],
                disqualified: teams[team].disqualified.clone(),
            }
        };
        let mut rows: Vec<Row> = each.into_iter().enumerate().map(row).collect();
        rows.sort_by(Row::order);
        let against_all = |a: &Row| rows.iter().map(|b| duels[a.team][b.team]).collect();
        let head_to_head = rows.iter().map(against_all).collect();
        Self { rows, head_to_head, games: count }
    }

    /// Tests if the first team is shown to be the best: all others have dropped out of the [`Race`] with an error of at most
    /// this probability. A tournament may check this after each round, and stop as soon as it holds.
    pub fn is_settled(&self, risk: f64) -> bool {
        let rows: Vec<_> = self.rows.iter().filter(|row| row.disqualified.is_none()).collect();
        let Some((first, others)) = rows.split_first() else { return false };
        !others.is_empty() && first.risk > risk && others.iter().all(|row| row.risk <= risk)
    }

    /// The smallest risk at which [`is_settled`](Self::is_settled) holds; 1 if there is none.
    pub fn risk(&self) -> f64 {
        let most = self.rows.iter().skip(1).map(|row| row.risk).fold(0.0, f64::max);
        if self.is_settled(most) { most } else { 1.0 }
    }
}

/// The risk of each team in the race of those that are not disqualified; 0 for the others.
fn risks(teams: &[Team], played: &[(Key, GameRanking)]) -> Vec<f64> {
    let is_in = |team: usize| teams[team].disqualified.is_none();
    let race = if (0..teams.len()).all(is_in) {
        Race::after(teams.len(), played)
    } else {
        let games = played.iter().filter_map(|(key, game)| Some((*key, game.among(is_in)?)));
        Race::after(teams.len(), &games.collect::<Vec<_>>())
    };
    let risks = race.risks().into_iter().enumerate();
    risks.map(|(team, risk)| if is_in(team) { risk } else { 0.0 }).collect()
}
