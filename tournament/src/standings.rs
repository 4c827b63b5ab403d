//! How the teams stand.

#[cfg(test)]
mod tests;

use std::cmp::Ordering;
use std::time::Duration;

use crate::matchup::SEATS;
use crate::outcome::{FaultKind, Outcome, SeatOutcome};
use crate::rating::{Games, Online, Ranking, Roster, elo};
use crate::team::Team;

/// How all teams stand (*classement*), whatever the order in which the games were played.
#[derive(Clone, Debug, PartialEq)]
pub struct Standings {
    /// The teams, best first: by strength, then by mean points, then by name.
    pub rows: Vec<Row>,
    /// `head_to_head[a][b]`: what came of the games that teams `a` and `b` of `rows` were both in.
    pub head_to_head: Vec<Vec<Duel>>,
    /// Games that count.
    pub games: usize,
}

/// How a team stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Its place in the list of teams.
    pub team: usize,
    /// Its name.
    pub name: String,
    /// Games it played.
    pub games: u32,
    /// Its strength by the Plackett-Luce model, as a natural logarithm; the mean of all teams is 0.
    pub strength: f64,
    /// Its strength as an Elo-like number: 1500 + 400 / ln 10 · strength.
    pub rating: f64,
    /// Where 95 % of the bootstrap samples have its rating; the rating itself, twice, without samples.
    pub interval: (f64, f64),
    /// The probability that it is the best, from the bootstrap; 0 without samples.
    pub best: f64,
    /// Its rating by Weng-Lin, as it would be after the games in order of their keys, and its uncertainty.
    pub online: (f64, f64),
    /// Mean points of a game; 0 without games.
    pub mean_points: f64,
    /// Mean rank in a game among all four, 1 to 4; shared ranks averaged; 0 without games.
    pub mean_rank: f64,
    /// First places among all four; one shared by k players counts 1/k.
    pub firsts: f64,
    /// How often which fault happened, of those that did, in the order of [`FaultKind::ALL`].
    pub faults: Vec<(FaultKind, u32)>,
    /// Orders that were malformed.
    pub malformed: u32,
    /// Deadlines missed.
    pub missed: u32,
    /// How long it thought about a state, on average, and at most; the first ones of games left out.
    pub thinking: (Duration, Duration),
}

/// What came of the games of two teams.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Duel {
    /// Games that both were in.
    pub games: u32,
    /// Games in which the first one had more points; equal points count half.
    pub wins: f64,
}

impl Row {
    /// The share of its games that it won; 0 without games.
    #[must_use]
    pub fn firsts_share(&self) -> f64 {
        self.firsts / f64::from(self.games.max(1))
    }

    /// The better one is the lesser one.
    fn order(&self, other: &Self) -> Ordering {
        // Strengths that differ by less than a millionth are equal, but for rounding.
        let strength = |row: &Self| (row.strength * 1e6).round() as i64;
        let by_points = || other.mean_points.total_cmp(&self.mean_points);
        let by_name = || self.name.cmp(&other.name);
        strength(other).cmp(&strength(self)).then_with(by_points).then_with(by_name)
    }
}

impl Standings {
    /// The standings after these games, by `samples` bootstrap samples.
    ///
    /// A game counts when all its players but those of the house are in the list in this version, and
    /// once: of several with the same key, the one that began first. In which order they are given
    /// changes nothing: all sums are exact, and where an order matters it is that of the keys.
    ///
    /// Costs what [`Games::fit`] does, and at most as much again for each sample.
    #[must_use]
    pub fn of(teams: &[Team], outcomes: &[Outcome], samples: usize) -> Self {
        let roster = Roster::new(teams);
        let counts = |outcome| Some((outcome, roster.ranking(outcome)?));
        let mut played: Vec<(&Outcome, Ranking)> = outcomes.iter().filter_map(counts).collect();
        played.sort_by_key(|(outcome, _)| (outcome.key, outcome.began));
        played.dedup_by_key(|(outcome, _)| outcome.key);

        let mut games = Games::new(teams.len());
        let mut online = Online::new(teams);
        let mut tallies = vec![Tally::default(); teams.len()];
        let mut duels = vec![vec![Duel::default(); teams.len()]; teams.len()];
        for (outcome, ranking) in &played {
            games.add(outcome.matchup, ranking);
            online.add_ranking(ranking);
            let seated =
                || outcome.seats.iter().filter_map(|seat| Some((roster.place(seat)?, seat)));
            for (team, seat) in seated() {
                tallies[team].add(outcome, seat);
                for (other, opponent) in seated().filter(|(other, _)| *other != team) {
                    duels[team][other].add(seat.points, opponent.points);
                }
            }
        }

        let fit = games.fit();
        let drawn = fit.bootstrap(samples);
        let (best, online) = (drawn.best(), online.ratings());
        let rate = |team: usize| {
            let strength = fit.strengths()[team];
            let interval = drawn.interval(team).unwrap_or((strength, strength));
            let interval = (elo(interval.0), elo(interval.1));
            Rated { team, strength, interval, best: best[team], online: online[team] }
        };
        let row = |(team, tally): (usize, &Tally)| tally.row(&teams[team].name, &rate(team));
        let mut rows: Vec<Row> = tallies.iter().enumerate().map(row).collect();
        rows.sort_by(Row::order);
        let against_all = |a: &Row| rows.iter().map(|b| duels[a.team][b.team]).collect();
        let head_to_head = rows.iter().map(against_all).collect();
        Self { rows, head_to_head, games: played.len() }
    }

    /// Who is most probably the best: its place in `rows`, and the probability; `None` without games or
    /// without samples. A tournament is settled once this is as probable as wanted.
    #[must_use]
    pub fn settled(&self) -> Option<(usize, f64)> {
        let by_best = |a: &(usize, f64), b: &(usize, f64)| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0));
        let best = self.rows.iter().map(|row| row.best).enumerate().max_by(by_best)?;
        (self.games > 0 && best.1 > 0.0).then_some(best)
    }
}

impl Duel {
    /// Halves are exact: the order of the games changes nothing.
    fn add(&mut self, points: i32, opponent: i32) {
        self.games += 1;
        self.wins += match points.cmp(&opponent) {
            Ordering::Greater => 1.0,
            Ordering::Equal => 0.5,
            Ordering::Less => 0.0,
        };
    }
}

/// What the models say of a team.
struct Rated {
    team: usize,
    strength: f64,
    interval: (f64, f64),
    best: f64,
    online: (f64, f64),
}

/// What a team has made of its games, in whole numbers.
#[derive(Clone, Debug, Default)]
struct Tally {
    games: u32,
    points: i64,
    /// Twice the sum of its ranks.
    double_ranks: u64,
    /// First places in twelfths, which up to four players can share.
    twelfths: u32,
    faults: [u32; FaultKind::ALL.len()],
    malformed: u32,
    missed: u32,
    answers: u32,
    thought: Duration,
    longest: Duration,
}

impl Tally {
    fn add(&mut self, outcome: &Outcome, seat: &SeatOutcome) {
        let sharers =
            outcome.seats.iter().filter(|other| other.rank == seat.rank).count().min(SEATS);
        self.games += 1;
        self.points += i64::from(seat.points);
        self.double_ranks += 2 * u64::from(seat.rank) + sharers as u64 - 1;
        if seat.rank == 1 {
            self.twelfths += 12 / sharers as u32;
        }
        if let Some(fault) = &seat.fault {
            self.faults[fault.kind as usize] += 1;
        }
        // Files may say anything: where sums have no room left they stay there.
        let thinking = &seat.thinking;
        self.malformed = self.malformed.saturating_add(seat.malformed);
        self.missed = self.missed.saturating_add(thinking.missed());
        self.answers = self.answers.saturating_add(thinking.answers);
        self.thought = self.thought.saturating_add(thinking.others);
        self.longest = self.longest.max(thinking.longest);
    }

    /// The row of the team.
    fn row(&self, name: &str, rated: &Rated) -> Row {
        let games = f64::from(self.games.max(1));
        #[expect(clippy::cast_precision_loss, reason = "need not be exact beyond 2⁵²")]
        let (points, double_ranks) = (self.points as f64, self.double_ranks as f64);
        let faults = FaultKind::ALL.into_iter().zip(self.faults);
        let Rated { team, strength, interval, best, online } = *rated;
        Row {
            team,
            name: name.to_owned(),
            games: self.games,
            strength,
            rating: elo(strength),
            interval,
            best,
            online,
            mean_points: points / games,
            mean_rank: double_ranks / 2.0 / games,
            firsts: f64::from(self.twelfths) / 12.0,
            faults: faults.filter(|(_, times)| *times > 0).collect(),
            malformed: self.malformed,
            missed: self.missed,
            thinking: (self.thought / self.answers.max(1), self.longest),
        }
    }
}
