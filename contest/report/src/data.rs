//! The data of the page, as one JSON object.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};

use serde::Serialize;

use super::about::About;
use super::ranking::{Ranking, milliseconds};
use super::spread::Spread;
use plan::record::{GameRecord, Roster};
use plan::{FaultKind, Key, Note, Outcome, Plan, SEATS, SeatOutcome, Voided};
use rating::{RoundRating, Standings};

/// Maximum number of games in the list; those of the last rounds are kept.
const GAMES: usize = 3000;
/// Maximum number of faults in the list of a team.
const FAULTS: usize = 100;
/// Maximum number of characters of the detail of a fault.
const DETAIL: usize = 1000;

/// The results of a tournament so far, for all reports.
#[derive(Clone, Debug)]
pub struct Results {
    /// The data of the page.
    pub data: Data,
    /// The standings after the games that count.
    pub standings: Standings,
    /// The voided results.
    pub voids: Vec<Voided>,
}

/// The results in the form of the page.
#[derive(Clone, Debug, Serialize)]
pub struct Data {
    /// The conditions of the tournament.
    pub about: About,
    /// The ranking of the teams.
    pub ranking: Ranking,
    /// The teams, in the order of the ranking.
    pub teams: Vec<TeamDetails>,
    /// The games of the last rounds, in order of rounds; at most 3000.
    pub games: Vec<GameLine>,
    /// The voided results, oldest first.
    pub voids: Vec<VoidLine>,
    /// The teams that a lot put into the final, and the equal teams that it left out.
    pub lots: [Vec<String>; 2],
    /// The films of the games that the page can replay, by key: JSON, compressed (zlib), in base 64.
    pub films: BTreeMap<String, String>,
    /// True if no games are missing, as far as its maker knows.
    pub over: bool,
}

/// The statistics of a team.
#[derive(Clone, Debug, Serialize)]
pub struct TeamDetails {
    /// The points on each map played, by the map's index in [`About::maps`].
    pub maps: Vec<(usize, Spread)>,
    /// The points in each seat.
    pub seats: [Spread; SEATS],
    /// The points in all games.
    pub all: Spread,
    /// The first faults, in order of rounds; at most 100.
    pub faults: Vec<FaultLine>,
    /// The team's rating after some rounds, in their order, with the ends of its interval: at most 20 rounds, always with the
    /// last one; without the rounds before the team's first game.
    pub ratings: Vec<(u32, f64, f64, f64)>,
    /// The thinking times.
    pub thinking: ThinkingTimes,
    /// The keys of the games with the most and the fewest points; `None` without games.
    pub extremes: Option<(String, String)>,
}

/// A fault of a team in a game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FaultLine {
    /// The key of the game.
    pub game: String,
    /// The round of the game, from 1.
    pub round: u32,
    /// The map, by its index in [`About::maps`]; `None` if the plan no longer has it.
    pub map: Option<usize>,
    /// The kind of fault.
    pub kind: FaultKind,
    /// The turn of the fault, from 1; `None` before or after the game.
    pub turn: Option<u32>,
    /// Details for people.
    pub detail: Note,
}

/// The thinking times of a team over all its games, in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct ThinkingTimes {
    /// Mean time for the first state of a game.
    pub first: f64,
    /// Longest time for the first state of a game.
    pub first_longest: f64,
    /// Mean time for a later state.
    pub mean: f64,
    /// Longest time for a later state.
    pub longest: f64,
    /// The number of states not answered in time.
    pub missed: u32,
}

/// A game in a list: its key, its round, its map by index in [`About::maps`], the number of turns played,
/// and its seats.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GameLine(pub String, pub u32, pub Option<usize>, pub u32, pub Vec<SeatLine>);

/// A voided result.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct VoidLine {
    /// The voided result, with the key of the game.
    pub game: GameLine,
    /// The reason given by the organiser.
    pub reason: String,
    /// True if the game was played again.
    pub again: bool,
}

/// A seat of a game in a list: its player, its points, its rank, and true if the player had a fault.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SeatLine(pub Who, pub i32, pub u32, pub bool);

/// The player in a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Who {
    /// A team, by its index in the ranking, from 0.
    Team(usize),
    /// A player of the house, by its name.
    House(String),
}

impl Data {
    /// Returns the keys of the best and the worst game of each team.
    pub fn extremes(&self) -> impl Iterator<Item = &str> {
        let pairs = self.teams.iter().filter_map(|team| team.extremes.as_ref());
        pairs.flat_map(|(best, worst)| [&**best, &**worst])
    }
}

/// Collects the data of the page from outcomes, of which few stay in memory.
#[derive(Debug)]
pub struct Collector<'a> {
    plan: &'a Plan,
    roster: Roster<'a>,
    maps: HashMap<&'a str, usize>,
    /// The games of each team of the plan.
    teams: Vec<TeamGames>,
    /// The last games.
    listed: VecDeque<Outcome>,
    voids: &'a [Voided],
    /// The voided games that were not played again.
    missing: HashSet<Key>,
}

impl<'a> Collector<'a> {
    /// A collector of the games of a plan, some of which were voided.
    #[must_use]
    pub fn new(plan: &'a Plan, voids: &'a [Voided]) -> Self {
        Self {
            plan,
            roster: Roster::new(&plan.teams),
            maps: plan.maps.iter().zip(0..).map(|(map, place)| (&*map.name, place)).collect(),
            teams: plan.teams.iter().map(|_| TeamGames::default()).collect(),
            listed: VecDeque::with_capacity(GAMES),
            voids,
            missing: voids.iter().map(|voided| voided.game).collect(),
        }
    }

    /// Adds a game, without its recording. Games are added in order of their rounds, the names of their maps, and their
    /// keys. A game that [`Roster::ranking`] does not rank is left out.
    pub fn add(&mut self, outcome: Outcome) {
        let record = GameRecord::from(&outcome);
        let Some(ranking) = self.roster.ranking(&record) else { return };
        let map = self.maps.get(&*outcome.map).copied();
        for (index, (record, seat)) in record.seats.iter().zip(&outcome.seats).enumerate() {
            let Some(team) = self.roster.place(record) else { continue };
            let (better, sharers) = ranking.rivals(seat.rank);
            let double_rank = 2 * better + sharers + 1;
            let game = TeamGame {
                points: seat.points,
                double_rank: double_rank as u8,
                seat: index as u8,
                map: map.map(|map| map as u32),
            };
            self.teams[team].add(&outcome, seat, game);
        }
        self.missing.remove(&outcome.key);
        if self.listed.len() == GAMES {
            self.listed.pop_front();
        }
        self.listed.push_back(outcome);
    }

    /// The data, with the standings after these games, their [history](rating::history), and the teams that a lot put into
    /// the final and those that it left out.
    pub fn data(
        self,
        standings: &Standings,
        history: &[Vec<RoundRating>],
        lots: [Vec<String>; 2],
    ) -> Data {
        let rows = standings.rows.iter().enumerate();
        let places = Indices {
            teams: rows.map(|(place, row)| (&*row.name, place)).collect(),
            maps: self.maps,
        };
        let void = |voided: &Voided| VoidLine {
            game: GameLine { 0: voided.game.to_string(), ..places.line(&voided.outcome) },
            reason: voided.reason.clone(),
            again: !self.missing.contains(&voided.game),
        };
        let mut teams = self.teams;
        let round = self.listed.back().map_or(0, |outcome| outcome.round);
        let details = standings.rows.iter().map(|row| {
            let mut details = std::mem::take(&mut teams[row.team]).details();
            let earlier = history.get(row.team).into_iter().flatten().copied();
            let last = RoundRating { round, rating: row.rating, interval: row.interval };
            let ratings = earlier.chain(row.is_ranked().then_some(last));
            let point = |at: RoundRating| (at.round, at.rating, at.interval.0, at.interval.1);
            details.ratings = ratings.map(point).collect();
            details
        });
        Data {
            about: About::of(self.plan),
            ranking: Ranking::of(standings),
            teams: details.collect(),
            games: self.listed.iter().map(|outcome| places.line(outcome)).collect(),
            voids: self.voids.iter().map(void).collect(),
            lots,
            films: BTreeMap::new(),
            over: false,
        }
    }
}

/// The indices of teams in the ranking, and of maps in the plan, by name.
struct Indices<'a> {
    teams: HashMap<&'a str, usize>,
    maps: HashMap<&'a str, usize>,
}

impl Indices<'_> {
    fn who(&self, seat: &SeatOutcome) -> Who {
        let place = self.teams.get(&*seat.team).filter(|_| !seat.is_house);
        place.map_or_else(|| Who::House(seat.team.to_string()), |&place| Who::Team(place))
    }

    fn line(&self, outcome: &Outcome) -> GameLine {
        let seat = |seat: &SeatOutcome| {
            SeatLine(self.who(seat), seat.points, seat.rank, seat.fault.is_some())
        };
        let seats = outcome.seats.iter().map(seat).collect();
        let map = self.maps.get(&*outcome.map).copied();
        GameLine(outcome.key.to_string(), outcome.round, map, outcome.elapsed, seats)
    }
}

/// The games of a team, in their order.
#[derive(Debug, Default)]
struct TeamGames {
    games: Vec<TeamGame>,
    faults: Vec<FaultLine>,
    thinking: ThinkingSum,
    /// The best and the worst game.
    extremes: Option<(Extreme, Extreme)>,
}

/// A game of a team.
#[derive(Clone, Copy, Debug)]
struct TeamGame {
    points: i32,
    /// Twice the rank among the teams of the game; a shared rank is the mean of the ranks shared.
    double_rank: u8,
    /// The seat, from 0.
    seat: u8,
    map: Option<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Extreme {
    points: i32,
    rank: u32,
    game: Key,
}

impl TeamGames {
    fn add(&mut self, outcome: &Outcome, seat: &SeatOutcome, game: TeamGame) {
        self.games.push(game);
        if let Some(fault) = seat.fault.as_ref().filter(|_| self.faults.len() < FAULTS) {
            self.faults.push(FaultLine {
                game: outcome.key.to_string(),
                round: outcome.round,
                map: game.map.map(|map| map as usize),
                kind: fault.kind,
                turn: fault.turn(),
                detail: fault.detail.shortened(DETAIL),
            });
        }
        self.thinking.add(seat.thinking);
        // Of equal games, the first one is kept, so that later games do not change the page.
        let this = Extreme { points: seat.points, rank: seat.rank, game: outcome.key };
        self.extremes = Some(match self.extremes {
            None => (this, this),
            Some((best, worst)) => (
                if this.better() > best.better() { this } else { best },
                if this.better() < worst.better() { this } else { worst },
            ),
        });
    }

    fn details(self) -> TeamDetails {
        let mut maps: BTreeMap<usize, Vec<(i32, f64)>> = BTreeMap::new();
        let mut seats: [Vec<(i32, f64)>; SEATS] = Default::default();
        let mut all = Vec::with_capacity(self.games.len());
        for game in self.games {
            let result = (game.points, f64::from(game.double_rank) / 2.0);
            all.push(result);
            seats[usize::from(game.seat)].push(result);
            if let Some(map) = game.map {
                maps.entry(map as usize).or_default().push(result);
            }
        }
        let key = |extreme: Extreme| extreme.game.to_string();
        TeamDetails {
            maps: maps.into_iter().map(|(map, games)| (map, Spread::of(&games))).collect(),
            seats: seats.map(|games| Spread::of(&games)),
            all: Spread::of(&all),
            faults: self.faults,
            ratings: Vec::new(),
            thinking: self.thinking.finish(),
            extremes: self.extremes.map(|(best, worst)| (key(best), key(worst))),
        }
    }
}

impl Extreme {
    fn better(&self) -> (i32, std::cmp::Reverse<u32>) {
        (self.points, std::cmp::Reverse(self.rank))
    }
}

/// Sums of thinking times over several games.
#[derive(Debug, Default)]
struct ThinkingSum {
    games: f64,
    answers: f64,
    first: f64,
    others: f64,
    longest: ThinkingTimes,
}

impl ThinkingSum {
    fn add(&mut self, thinking: referee::Thinking) {
        let (first, longest) = (milliseconds(thinking.first), milliseconds(thinking.longest));
        // A time of 0 means no answer, so the game does not count for the mean.
        if !thinking.first.is_zero() {
            self.games += 1.0;
            self.first += first;
        }
        self.answers += f64::from(thinking.answers);
        self.others += milliseconds(thinking.others);
        self.longest.first_longest = self.longest.first_longest.max(first);
        self.longest.longest = self.longest.longest.max(longest);
        self.longest.missed = self.longest.missed.saturating_add(thinking.missed());
    }

    fn finish(self) -> ThinkingTimes {
        ThinkingTimes {
            first: self.first / self.games.max(1.0),
            mean: self.others / self.answers.max(1.0),
            ..self.longest
        }
    }
}
