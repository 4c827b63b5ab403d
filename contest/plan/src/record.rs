//! The records of teams: sums and means over their games, all of the standings that needs no rating.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::time::Duration;

use crate::matchup::{Group, Key, SEATS};
use crate::outcome::{FaultKind, Outcome, SeatOutcome};
use crate::team::Team;

/// The records of all teams. The order in which the games were played changes nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct Records {
    /// The record of each team, in the order of the list of teams.
    pub teams: Vec<Record>,
    /// `duels[a][b]`: the common games of teams `a` and `b` of the list.
    pub duels: Vec<Vec<HeadToHead>>,
    /// The ranking of each game that counts, with the key of its matchup, in order of the keys of the games.
    pub games: Vec<(Key, GameRanking)>,
}

/// The record of a team: sums and means over its games.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Record {
    /// Number of games played.
    pub games: u32,
    /// Mean points of a game; 0 without games.
    pub mean_points: f64,
    /// Mean rank in a game among its teams, 1 to 4; shared ranks averaged; 0 without games. Players of the house do not
    /// count, as in ratings.
    pub mean_rank: f64,
    /// Number of first places among the teams of a game; a place shared by k teams counts 1/k.
    pub firsts: f64,
    /// Kinds of faults with their counts, in the order of [`FaultKind::ALL`]; kinds with a count of 0 are left out.
    pub faults: Vec<(FaultKind, u32)>,
    /// Number of malformed orders.
    pub malformed: u32,
    /// Number of missed deadlines.
    pub missed: u32,
    /// Mean and longest time to answer a state, without the first state of each game.
    pub thinking: (Duration, Duration),
}

/// The common games of two teams.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HeadToHead {
    /// Number of games.
    pub games: u32,
    /// Number of games in which the first team had more points; equal points count ½.
    pub wins: f64,
}

/// The ranking of one game: one to four players, by their places in a list, each with its rank. A lower rank
/// is better, and equal ranks are ties.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameRanking {
    group: Group,
    ranks: [u32; SEATS],
}

/// The teams of a list by name, each with the version that counts and its place in the list.
#[derive(Clone, Debug)]
pub struct Roster(BTreeMap<String, (String, usize)>);

impl Records {
    /// The records over these games.
    ///
    /// A game counts if [`Roster::ranking`] ranks it. Of several games with the same key, only the earliest counts. The
    /// order of `outcomes` does not matter, since all sums are exact.
    #[must_use]
    pub fn of<'a>(teams: &[Team], outcomes: impl IntoIterator<Item = &'a Outcome>) -> Self {
        let roster = Roster::new(teams);
        let counts = |outcome: &'a Outcome| Some((outcome, roster.ranking(outcome)?));
        let mut played: Vec<_> = outcomes.into_iter().filter_map(counts).collect();
        played.sort_by_key(|(outcome, _)| (outcome.key, outcome.began));
        played.dedup_by_key(|(outcome, _)| outcome.key);

        let mut sums = vec![Sums::default(); teams.len()];
        let mut duels = vec![vec![HeadToHead::default(); teams.len()]; teams.len()];
        for (outcome, _) in &played {
            let seated =
                || outcome.seats.iter().filter_map(|seat| Some((roster.place(seat)?, seat)));
            for (team, seat) in seated() {
                sums[team].add(outcome, seat);
                for (other, opponent) in seated().filter(|(other, _)| *other != team) {
                    duels[team][other].add(seat.points, opponent.points);
                }
            }
        }
        Self {
            teams: sums.iter().map(Sums::record).collect(),
            duels,
            games: played
                .into_iter()
                .map(|(outcome, ranking)| (outcome.matchup, ranking))
                .collect(),
        }
    }
}

impl HeadToHead {
    fn add(&mut self, points: i32, opponent: i32) {
        self.games += 1;
        self.wins += match points.cmp(&opponent) {
            Ordering::Greater => 1.0,
            Ordering::Equal => 0.5,
            Ordering::Less => 0.0,
        };
    }
}

impl GameRanking {
    /// The ranking of these players, given as place in the list and rank, in any order; `None` for no players, more than
    /// four, or duplicates.
    #[must_use]
    pub fn new(places: &[(usize, u32)]) -> Option<Self> {
        let mut places = places.to_vec();
        places.sort_unstable();
        let group = Group::new(&places.iter().map(|&(player, _)| player).collect::<Vec<_>>())?;
        let rank = |index| places.get(index).map_or(0, |&(_, rank)| rank);
        Some(Self { group, ranks: std::array::from_fn(rank) })
    }

    /// The players.
    #[must_use]
    pub fn group(&self) -> Group {
        self.group
    }

    /// Their ranks, in the order of the group.
    #[must_use]
    pub fn ranks(&self) -> &[u32] {
        &self.ranks[..self.group.teams().len()]
    }
}

impl Roster {
    /// The roster of a list of teams.
    #[must_use]
    pub fn new(teams: &[Team]) -> Self {
        let entry =
            |(place, team): (usize, &Team)| (team.name.clone(), (team.version.clone(), place));
        Self(teams.iter().enumerate().map(entry).collect())
    }

    /// The place in the list of the team in this seat; `None` for the house, for a team that is not in the list, and for
    /// another version of a team.
    #[must_use]
    pub fn place(&self, seat: &SeatOutcome) -> Option<usize> {
        let (version, place) = self.0.get(seat.team.as_str())?;
        (!seat.is_house && *version == seat.version).then_some(*place)
    }

    /// The ranking of the teams of a game, without house bots.
    ///
    /// `None` for a game that does not count: without any team, with a team that has no [place](Self::place), with a
    /// duplicate team, or without exactly four seats.
    #[must_use]
    pub fn ranking(&self, outcome: &Outcome) -> Option<GameRanking> {
        let teams = outcome.seats.iter().filter(|seat| !seat.is_house);
        let places: Option<Vec<_>> =
            teams.map(|seat| Some((self.place(seat)?, seat.rank))).collect();
        GameRanking::new(&places?).filter(|_| outcome.seats.len() == SEATS)
    }
}

/// The games of a team, summed up in whole numbers.
#[derive(Clone, Debug, Default)]
struct Sums {
    games: u32,
    points: i64,
    /// Twice the sum of its ranks.
    double_ranks: u64,
    /// First places in twelfths: a place shared by up to four teams is a whole number of them.
    twelfths: u32,
    faults: [u32; FaultKind::ALL.len()],
    malformed: u32,
    missed: u32,
    answers: u32,
    thought: Duration,
    longest: Duration,
}

impl Sums {
    fn add(&mut self, outcome: &Outcome, seat: &SeatOutcome) {
        let (better, sharers) = outcome.rivals(seat);
        self.games += 1;
        self.points += i64::from(seat.points);
        self.double_ranks += 2 * u64::from(better) + u64::from(sharers) + 1;
        if better == 0 {
            self.twelfths += 12 / sharers;
        }
        if let Some(fault) = &seat.fault {
            self.faults[fault.kind as usize] += 1;
        }
        // A file may hold any numbers: sums saturate instead of overflowing.
        let thinking = &seat.thinking;
        self.malformed = self.malformed.saturating_add(seat.malformed);
        self.missed = self.missed.saturating_add(thinking.missed());
        self.answers = self.answers.saturating_add(thinking.answers);
        self.thought = self.thought.saturating_add(thinking.others);
        self.longest = self.longest.max(thinking.longest);
    }

    fn record(&self) -> Record {
        let games = f64::from(self.games.max(1));
        #[expect(clippy::cast_precision_loss, reason = "need not be exact beyond 2⁵²")]
        let (points, double_ranks) = (self.points as f64, self.double_ranks as f64);
        let faults = FaultKind::ALL.into_iter().zip(self.faults);
        Record {
            games: self.games,
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
