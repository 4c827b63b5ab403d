//! The data of the page, as one JSON object.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use super::about::About;
use super::ranking::{Ranking, milliseconds};
use super::spread::Spread;
use plan::{FaultKind, Note, Outcome, Plan, SEATS, SeatOutcome, Voided};
use rating::Standings;

/// The most games in the list: those of the last rounds.
const GAMES: usize = 3000;
/// The most faults of a team in its list.
const FAULTS: usize = 100;
/// The most characters of the detail of a fault.
const DETAIL: usize = 1000;

/// All that was played so far, and how the teams stand after it.
#[derive(Clone, Debug)]
pub struct Results {
    /// The tournament.
    pub plan: Plan,
    /// Its games.
    pub outcomes: Vec<Outcome>,
    /// How the teams stand.
    pub standings: Standings,
    /// Results that were voided.
    pub voids: Vec<Voided>,
    /// The teams that are in the final by lot, and those in whose stead they are.
    pub lots: [Vec<String>; 2],
}

/// All that was played, as the page shows it.
#[derive(Clone, Debug, Serialize)]
pub struct Data {
    /// What was played for.
    pub about: About,
    /// How the teams stand.
    pub ranking: Ranking,
    /// The teams, in the order of the ranking.
    pub teams: Vec<TeamDetails>,
    /// The games of the last rounds, first round first; all of them when there are not too many.
    pub games: Vec<GameLine>,
    /// Results that were voided, oldest first.
    pub voids: Vec<VoidLine>,
    /// The teams that are in the final by lot, and those in whose stead they are.
    pub lots: [Vec<String>; 2],
    /// Games that can be looked at within the page: their films by key, as JSON, compressed (zlib) and in
    /// base 64.
    pub films: BTreeMap<String, String>,
}

/// What there is to say about a team.
#[derive(Clone, Debug, Serialize)]
pub struct TeamDetails {
    /// Its points on each map that it played on, by the map's place in [`About::maps`].
    pub maps: Vec<(usize, Spread)>,
    /// Its points in each seat.
    pub seats: [Spread; SEATS],
    /// Its points in all games.
    pub all: Spread,
    /// What went wrong, first round first; the first of many.
    pub faults: Vec<FaultLine>,
    /// How long it thought.
    pub thinking: ThinkingTimes,
    /// Its game with the most points, and the one with the fewest, by their keys.
    pub extremes: Option<(String, String)>,
}

/// What went wrong with a team in a game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FaultLine {
    /// The key of the game.
    pub game: String,
    /// Its round, from 1.
    pub round: u32,
    /// The map, by its place in [`About::maps`].
    pub map: Option<usize>,
    /// What kind of thing.
    pub kind: FaultKind,
    /// After how many turns, if during the game.
    pub turn: Option<u32>,
    /// More about it, for people.
    pub detail: Note,
}

/// How long a team thought, over all its games; in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct ThinkingTimes {
    /// About the first state of a game, on average.
    pub first: f64,
    /// About a first state, at most.
    pub first_longest: f64,
    /// About another state, on average.
    pub mean: f64,
    /// About another state, at most.
    pub longest: f64,
    /// States that it did not answer in time.
    pub missed: u32,
}

/// A game in a list: its key, its round, its map by its place in [`About::maps`], the turns that were
/// played, and its seats.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GameLine(pub String, pub u32, pub Option<usize>, pub u32, pub Vec<SeatLine>);

/// A voided result.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct VoidLine {
    /// The result, under the key of the game.
    pub game: GameLine,
    /// Why.
    pub reason: String,
    /// Whether the game was played again.
    pub again: bool,
}

/// A seat of a game in a list: the team by its place in the ranking, or what the house's player was
/// called; its points; its rank; whether something went wrong.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SeatLine(pub Who, pub i32, pub u32, pub bool);

/// Who plays.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Who {
    /// A team, by its place in the ranking, from 0.
    Team(usize),
    /// The house, by its name.
    House(String),
}

impl Data {
    /// What there is to show. Outcomes of teams that are not in the plan, or not any more as they were,
    /// are left out.
    #[must_use]
    pub fn of(Results { plan, outcomes, standings, voids, lots }: &Results) -> Self {
        let versions: HashMap<_, _> =
            plan.teams.iter().map(|team| (&*team.name, &*team.version)).collect();
        let counts = |seat: &SeatOutcome| {
            seat.is_house || versions.get(&*seat.team) == Some(&&*seat.version)
        };
        let counting = outcomes.iter().filter(|outcome| outcome.seats.iter().all(counts));
        let mut outcomes: Vec<&Outcome> = counting.collect();
        // Whatever the order in which they were played, the page is the same.
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

    /// The keys of the games that are worth a look: the best and the worst one of each team.
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

/// Where teams stand in the ranking, and maps in the plan.
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
        place.map_or_else(|| Who::House(seat.team.clone()), |&place| Who::Team(place))
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
                turn: fault.turn,
                detail: fault.detail.shortened(DETAIL),
            });
        }
        thinking.add(seat.thinking);
        // The first of equal games, so that the page is the same whatever else is played.
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

/// Where a team sat in a game, if it was in it.
fn find<'a>(name: &str, outcome: &'a Outcome) -> Option<(usize, &'a SeatOutcome)> {
    let mut seats = outcome.seats.iter().enumerate();
    seats.find(|(_, seat)| !seat.is_house && seat.team == name)
}

/// Its rank among the teams of the game, the mean of those that equal points share.
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

/// Thinking times over several games, summed up.
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
        // A team that never answered did not think for 0 ms.
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
