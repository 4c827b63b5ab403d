//! The records of games and of teams. A game's record is the part of its outcome that standings and schedules need. A
//! team's record has sums and means over its games, all of the standings that needs no rating.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::time::Duration;

use arcstr::ArcStr;

use crate::matchup::{Group, Key, SEATS};
use crate::outcome::{FaultKind, Outcome, SeatOutcome};
use crate::team::Team;

/// The part of an [`Outcome`] that standings and schedules need, in less than half of its memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRecord {
    /// The key of the matchup of the game.
    pub matchup: Key,
    /// The round of the game, from 1.
    pub round: u32,
    /// The players by colour.
    pub seats: Box<[SeatRecord]>,
}

/// The part of a [`SeatOutcome`] in a [`GameRecord`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatRecord {
    /// The name of the team or of the house bot.
    pub team: ArcStr,
    /// The team's version; empty for the house.
    pub version: ArcStr,
    /// True if an unranked house bot fills the seat.
    pub is_house: bool,
    /// Its points.
    pub points: i32,
    /// Its rank among the four players, from 1; equal points share a rank.
    pub rank: u32,
    /// The kind of its fault, if any.
    pub fault: Option<FaultKind>,
    /// Number of its answers that were malformed, at least in part.
    pub malformed: u32,
    /// Number of missed deadlines.
    pub missed: u32,
    /// Number of states answered, without the first one.
    pub answers: u32,
    /// Sum of the times to answer these states, in microseconds.
    pub thought: u64,
    /// Longest time to answer one of these states, in microseconds.
    pub longest: u64,
}

/// The records of all teams of a list. The order in which games are added changes no sum or mean.
#[derive(Clone, Debug)]
pub struct Records<'a> {
    roster: Roster<'a>,
    sums: Vec<Sums>,
    /// `duels[a][b]`: the common games of teams `a` and `b` of the list.
    pub duels: Vec<Vec<HeadToHead>>,
    /// The ranking of each game that counts, with the key of its matchup, in the order in which they were added.
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

/// The teams of a list, found by name and version.
#[derive(Clone, Debug)]
pub struct Roster<'a> {
    teams: &'a [Team],
    places: BTreeMap<&'a str, usize>,
}

impl From<&Outcome> for GameRecord {
    fn from(outcome: &Outcome) -> Self {
        let seats = outcome.seats.iter().map(SeatRecord::from).collect();
        Self { matchup: outcome.matchup, round: outcome.round, seats }
    }
}

impl From<&SeatOutcome> for SeatRecord {
    fn from(seat: &SeatOutcome) -> Self {
        // A file may hold any numbers.
        let micros = |time: Duration| u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        Self {
            team: seat.team.clone(),
            version: seat.version.clone(),
            is_house: seat.is_house,
            points: seat.points,
            rank: seat.rank,
            fault: seat.fault.as_ref().map(|fault| fault.kind),
            malformed: seat.malformed,
            missed: seat.thinking.missed(),
            answers: seat.thinking.answers,
            thought: micros(seat.thinking.others),
            longest: micros(seat.thinking.longest),
        }
    }
}

impl<'a> Records<'a> {
    /// The records of these teams without games.
    #[must_use]
    pub fn new(teams: &'a [Team]) -> Self {
        Self {
            roster: Roster::new(teams),
            sums: vec![Sums::default(); teams.len()],
            duels: vec![vec![HeadToHead::default(); teams.len()]; teams.len()],
            games: Vec::new(),
        }
    }

    /// Adds a game, which must not be added twice. It counts if [`Roster::ranking`] ranks it.
    pub fn add(&mut self, game: &GameRecord) {
        let Some(ranking) = self.roster.ranking(game) else { return };
        let seats = game.seats.iter();
        let seated: Vec<_> =
            seats.filter_map(|seat| Some((self.roster.place(seat)?, seat))).collect();
        for &(team, seat) in &seated {
            self.sums[team].add(&ranking, seat);
            for (other, opponent) in seated.iter().filter(|(other, _)| *other != team) {
                self.duels[team][*other].add(seat.points, opponent.points);
            }
        }
        self.games.push((game.matchup, ranking));
    }

    /// The teams of the list.
    pub fn teams(&self) -> &'a [Team] {
        self.roster.teams
    }

    /// The record of each team, in the order of the list of teams.
    pub fn of_teams(&self) -> impl Iterator<Item = Record> {
        self.sums.iter().map(Sums::record)
    }
}

impl HeadToHead {
    fn add(&mut self, points: i32, opponent: i32) {
        self.games += 1;
        self.wins += duel(points, opponent);
    }
}

/// The score of a player against another one in a game, by their points: 1 for more points, ½ for equal ones, 0 for fewer.
pub fn duel(points: i32, opponent: i32) -> f64 {
    match points.cmp(&opponent) {
        Ordering::Greater => 1.0,
        Ordering::Equal => 0.5,
        Ordering::Less => 0.0,
    }
}

impl GameRanking {
    /// The ranking of these players, given as place in the list and rank, in any order; `None` for no players, more than
    /// four, or duplicates.
    pub fn new(places: &[(usize, u32)]) -> Option<Self> {
        let mut places = places.to_vec();
        places.sort_unstable();
        let group = Group::new(&places.iter().map(|&(player, _)| player).collect::<Vec<_>>())?;
        let rank = |index| places.get(index).map_or(0, |&(_, rank)| rank);
        Some(Self { group, ranks: std::array::from_fn(rank) })
    }

    /// The players.
    pub fn group(&self) -> Group {
        self.group
    }

    /// Their ranks, in the order of the group.
    pub fn ranks(&self) -> &[u32] {
        &self.ranks[..self.group.teams().len()]
    }

    /// The ranking of the players that `is_in` holds for; `None` without any.
    pub fn among(&self, is_in: impl Fn(usize) -> bool) -> Option<Self> {
        let players = self.group.teams().iter().copied().zip(self.ranks().iter().copied());
        Self::new(&players.filter(|&(player, _)| is_in(player)).collect::<Vec<_>>())
    }

    /// Number of players with a better rank than this one, and number of players with this rank.
    pub fn rivals(&self, rank: u32) -> (u32, u32) {
        let better = self.ranks().iter().filter(|other| **other < rank).count();
        let sharers = self.ranks().iter().filter(|other| **other == rank).count();
        (better as u32, sharers as u32)
    }
}

impl<'a> Roster<'a> {
    /// The roster of a list of teams.
    #[must_use]
    pub fn new(teams: &'a [Team]) -> Self {
        let places = teams.iter().enumerate().map(|(place, team)| (team.name.as_str(), place));
        Self { teams, places: places.collect() }
    }

    /// The place in the list of the team in this seat; `None` for the house, for a team that is not in the list, and for
    /// another version of a team.
    pub fn place(&self, seat: &SeatRecord) -> Option<usize> {
        let place = *self.places.get(seat.team.as_str())?;
        (!seat.is_house && self.teams[place].version == seat.version).then_some(place)
    }

    /// The ranking of the teams of a game, without house bots.
    ///
    /// `None` for a game that does not count: without any team, with a team that has no [place](Self::place), with a
    /// duplicate team, or without exactly four seats.
    pub fn ranking(&self, game: &GameRecord) -> Option<GameRanking> {
        let teams = game.seats.iter().filter(|seat| !seat.is_house);
        let places: Option<Vec<_>> =
            teams.map(|seat| Some((self.place(seat)?, seat.rank))).collect();
        GameRanking::new(&places?).filter(|_| game.seats.len() == SEATS)
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
    /// Times in microseconds.
    thought: u64,
    longest: u64,
}

impl Sums {
    fn add(&mut self, ranking: &GameRanking, seat: &SeatRecord) {
        let (better, sharers) = ranking.rivals(seat.rank);
        self.games += 1;
        self.points += i64::from(seat.points);
        self.double_ranks += 2 * u64::from(better) + u64::from(sharers) + 1;
        if better == 0 {
            self.twelfths += 12 / sharers;
        }
        if let Some(fault) = seat.fault {
            self.faults[fault as usize] += 1;
        }
        // A file may hold any numbers: sums saturate instead of overflowing.
        self.malformed = self.malformed.saturating_add(seat.malformed);
        self.missed = self.missed.saturating_add(seat.missed);
        self.answers = self.answers.saturating_add(seat.answers);
        self.thought = self.thought.saturating_add(seat.thought);
        self.longest = self.longest.max(seat.longest);
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
            thinking: (
                Duration::from_micros(self.thought) / self.answers.max(1),
                Duration::from_micros(self.longest),
            ),
        }
    }
}
