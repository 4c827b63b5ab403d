//! The data of the page, as one JSON object.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use super::about::About;
use super::ranking::{Ranking, milliseconds};
use super::spread::Spread;
use plan::{FaultKind, Note, Outcome, Plan, SEATS, SeatOutcome, Voided};
use rating::Standings;

/// Maximum number of games in the list; those of the last rounds are kept.
const GAMES: usize = 3000;
/// Maximum number of faults in the list of a team.
const FAULTS: usize = 100;
/// Maximum number of characters of the detail of a fault.
const DETAIL: usize = 1000;

/// The games played so far, and the standings after them.
#[derive(Clone, Debug)]
pub struct Results {
    /// The tournament.
    pub plan: Plan,
    /// The outcomes of the games; only [`html`](crate::html) needs their recordings.
    pub outcomes: Vec<Outcome>,
    /// The standings after the games.
    pub standings: Standings,
    /// The voided results.
    pub voids: Vec<Voided>,
    /// The teams that a lot put into the final, and the equal teams that it left out.
    pub lots: [Vec<String>; 2],
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
    /// Computes the data of the page. Outcomes with teams that are not in the plan, or in it with another
    /// version, are left out.
    #[must_use]
    pub fn of(Results { plan, outcomes, standings, voids, lots }: &Results) -> Self {
        let versions: HashMap<_, _> =
            plan.teams.iter().map(|team| (&*team.name, &*team.version)).collect();
        let counts = |seat: &SeatOutcome| {
            seat.is_house || versions.get(&*seat.team) == Some(&&*seat.version)
        };
        let counting = outcomes.iter().filter(|outcome| outcome.seats.iter().all(counts));
        let mut outcomes: Vec<&Outcome> = counting.collect();
        // The page must not depend on the order in which the games were played.
        outcomes.sort_by_key(|outcome| (outcome.round, &outcome.map, outcome.key));
        let place = Places::of(plan, standings);
        let listed = &outcomes[outcomes.len().saturating_sub(GAMES)..];
        let teams = standings.rows.iter().map(|row| details(&row.name, &outcomes, &place));
        Self {
            about: About::of(plan),
            ranking: Ranking::of(standings),
            teams: teams.collect(),
            games: listed.iter().map(|outcome| line(outcome, &place)).collect(),
            voids: voids.iter().map(|voided| VoidLine::of(voided, &outcomes, &place)).collect(),
            lots: lots.clone(),
            films: BTreeMap::new(),
        }
    }

    /// Returns the keys of the best and the worst game of each team.
    pub fn extremes(&self) -> impl Iterator<Item = &str> {
        let pairs = self.teams.iter().filter_map(|team| team.extremes.as_ref());
        pairs.flat_map(|(best, worst)| [&**best, &**worst])
    }
}

impl VoidLine {
    fn of(voided: &Voided, outcomes: &[&Outcome], places: &Places<'_>) -> Self {
        let mut game = line(&voided.outcome, places);
        game.0 = voided.game.to_string();
        let again = outcomes.iter().any(|outcome| outcome.key == voided.game);
        Self { game, reason: voided.reason.clone(), again }
    }
}

/// The indices of teams in the ranking, and of maps in the plan, by name.
struct Places<'a> {
    teams: HashMap<&'a str, usize>,
    maps: HashMap<&'a str, usize>,
}

impl<'a> Places<'a> {
    fn of(plan: &'a Plan, standings: &'a Standings) -> Self {
        let rows = standings.rows.iter().enumerate();
        let maps = plan.maps.iter().enumerate();
        Self {
            teams: rows.map(|(place, row)| (&*row.name, place)).collect(),
            maps: maps.map(|(place, map)| (&*map.name, place)).collect(),
        }
    }

    fn map(&self, outcome: &Outcome) -> Option<usize> {
        self.maps.get(&*outcome.map).copied()
    }

    fn who(&self, seat: &SeatOutcome) -> Who {
        let place = self.teams.get(&*seat.team).filter(|_| !seat.is_house);
        place.map_or_else(|| Who::House(seat.team.to_string()), |&place| Who::Team(place))
    }
}

fn line(outcome: &Outcome, places: &Places<'_>) -> GameLine {
    let seat = |seat: &SeatOutcome| {
        SeatLine(places.who(seat), seat.points, seat.rank, seat.fault.is_some())
    };
    let seats = outcome.seats.iter().map(seat).collect();
    GameLine(outcome.key.to_string(), outcome.round, places.map(outcome), outcome.elapsed, seats)
}

fn details(name: &str, outcomes: &[&Outcome], places: &Places<'_>) -> TeamDetails {
    let mut maps: BTreeMap<usize, Vec<(i32, f64)>> = BTreeMap::new();
    let mut seats: [Vec<(i32, f64)>; SEATS] = Default::default();
    let mut all = Vec::new();
    let mut faults = Vec::new();
    let mut thinking = ThinkingSum::default();
    let mut extremes: Option<(Extreme<'_>, Extreme<'_>)> = None;
    for outcome in outcomes {
        let Some((index, seat)) = find(name, outcome) else { continue };
        let game = (seat.points, mean_rank(seat, outcome));
        all.push(game);
        if let Some(place) = places.map(outcome) {
            maps.entry(place).or_default().push(game);
        }
        if let Some(seat) = seats.get_mut(index) {
            seat.push(game);
        }
        if let Some(fault) = seat.fault.as_ref().filter(|_| faults.len() < FAULTS) {
            faults.push(FaultLine {
                game: outcome.key.to_string(),
                round: outcome.round,
                map: places.map(outcome),
                kind: fault.kind,
                turn: fault.turn(),
                detail: fault.detail.shortened(DETAIL),
            });
        }
        thinking.add(seat.thinking);
        // Of equal games, the first one is kept, so that later games do not change the page.
        let this = Extreme { points: seat.points, rank: seat.rank, outcome };
        extremes = Some(match extremes {
            None => (this, this),
            Some((best, worst)) => (
                if this.better() > best.better() { this } else { best },
                if this.better() < worst.better() { this } else { worst },
            ),
        });
    }
    let spreads = maps.into_iter().map(|(place, games)| (place, Spread::of(&games)));
    let key = |extreme: Extreme<'_>| extreme.outcome.key.to_string();
    TeamDetails {
        maps: spreads.collect(),
        seats: seats.map(|games| Spread::of(&games)),
        all: Spread::of(&all),
        faults,
        thinking: thinking.finish(),
        extremes: extremes.map(|(best, worst)| (key(best), key(worst))),
    }
}

/// Returns the seat of a team in a game; `None` if the team was not in the game.
fn find<'a>(name: &str, outcome: &'a Outcome) -> Option<(usize, &'a SeatOutcome)> {
    let mut seats = outcome.seats.iter().enumerate();
    seats.find(|(_, seat)| !seat.is_house && seat.team == name)
}

/// The rank of a seat among the teams of the game; a shared rank is the mean of the ranks shared.
fn mean_rank(seat: &SeatOutcome, outcome: &Outcome) -> f64 {
    let (better, sharers) = outcome.rivals(seat);
    f64::from(better) + f64::midpoint(f64::from(sharers), 1.0)
}

#[derive(Clone, Copy)]
struct Extreme<'a> {
    points: i32,
    rank: u32,
    outcome: &'a Outcome,
}

impl Extreme<'_> {
    fn better(&self) -> (i32, std::cmp::Reverse<u32>) {
        (self.points, std::cmp::Reverse(self.rank))
    }
}

/// Sums of thinking times over several games.
#[derive(Default)]
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
