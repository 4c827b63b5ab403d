//! The progress of a tournament: which games are played, and which are next.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::store::{Delivery, Store, StoreError};
use plan::schedule::MatchupResult;
use plan::{Fixture, Key, Matchup, Outcome, Plan, Voided};
use rating::Standings;
use report::Results;

/// Bootstrap samples for reports.
pub const SAMPLES: usize = 1000;

/// A tournament, and the file that its results are in.
///
/// A tournament. The next games follow from the plan and from the results, never from the time or the player of those.
#[derive(Debug)]
pub struct Tournament {
    plan: Plan,
    store: Store,
    /// Everything that was ever played, without recordings.
    outcomes: BTreeMap<Key, Outcome>,
    /// The games of the rounds up to the one that is played.
    scheduled: BTreeSet<Key>,
    /// The meetings of the complete rounds before the first one that is not.
    complete: Vec<MatchupResult>,
    /// Rounds that have not settled it.
    judged: u32,
}

/// Next step of a tournament.
#[derive(Clone, Debug, PartialEq)]
pub enum Next {
    /// The first round that lacks games, with its missing games.
    Round(RoundToPlay),
    /// Nothing: all rounds are played.
    Over,
    /// Nothing: after this complete round, a team is shown to be the best.
    Settled {
        /// The round.
        round: u32,
        /// The team's name.
        team: String,
        /// The risk of an error, at most.
        risk: f64,
    },
}

/// A round that is played.
#[derive(Clone, Debug, PartialEq)]
pub struct RoundToPlay {
    /// Which one, from 1.
    pub number: u32,
    /// Number of its games.
    pub games: usize,
    /// Those that are still to be played.
    pub missing: Vec<Fixture>,
}

impl Tournament {
    /// Begins a tournament in a new file.
    ///
    /// # Errors
    ///
    /// When the file cannot be made.
    pub fn create(path: &Path, plan: Plan) -> Result<Self, StoreError> {
        let store = Store::create(path, &plan)?;
        Ok(Self::new(plan, store, BTreeMap::new()))
    }

    /// Begins a tournament that leaves no file.
    ///
    /// # Errors
    ///
    /// When there is no memory.
    pub fn in_memory(plan: Plan) -> Result<Self, StoreError> {
        let store = Store::in_memory(&plan)?;
        Ok(Self::new(plan, store, BTreeMap::new()))
    }

    /// Opens the tournament of a file, to continue it.
    ///
    /// # Errors
    ///
    /// When it cannot be read, or another program continues it.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        Self::of(Store::open(path)?)
    }

    /// Looks at the tournament of a file.
    ///
    /// # Errors
    ///
    /// When it cannot be read.
    pub fn look(path: &Path) -> Result<Self, StoreError> {
        Self::of(Store::look(path)?)
    }

    fn of(store: Store) -> Result<Self, StoreError> {
        let (plan, outcomes) = store.read_all()?;
        let outcomes = outcomes.into_iter().map(|outcome| (outcome.key, outcome));
        Ok(Self::new(plan, store, outcomes.collect()))
    }

    fn new(plan: Plan, store: Store, outcomes: BTreeMap<Key, Outcome>) -> Self {
        let (scheduled, complete) = (BTreeSet::new(), Vec::new());
        let mut new = Self { plan, store, outcomes, scheduled, complete, judged: 0 };
        new.next(None);
        new
    }

    /// Teams, maps and conditions.
    #[must_use]
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The file.
    #[must_use]
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// The file, for what is not a result.
    pub fn store_mut(&mut self) -> &mut Store {
        &mut self.store
    }

    /// Continues with other teams, another schedule or other limits. Conditions and maps stay.
    ///
    /// # Errors
    ///
    /// When that cannot be written.
    pub fn change(&mut self, change: impl FnOnce(&mut Plan)) -> Result<(), StoreError> {
        let mut plan = self.plan.clone();
        change(&mut plan);
        self.store.change(&plan)?;
        self.plan = plan;
        self.judged = 0;
        self.next(None);
        Ok(())
    }

    /// Records the outcomes of games, each once, in one transaction. Tells what became of each.
    ///
    /// # Errors
    ///
    /// When they cannot be written, and then none of them is.
    pub fn deliver(&mut self, outcomes: &[Outcome]) -> Result<Vec<Delivery>, StoreError> {
        let deliveries = self.store.deliver(outcomes)?;
        for (outcome, delivery) in outcomes.iter().zip(&deliveries) {
            if *delivery == Delivery::New {
                let outcome = Outcome { recording: Vec::new(), ..outcome.clone() };
                self.outcomes.insert(outcome.key, outcome);
            }
        }
        Ok(deliveries)
    }

    /// Tests if a game has a result that was not voided.
    #[must_use]
    pub fn has_played(&self, game: Key) -> bool {
        self.outcomes.contains_key(&game)
    }

    /// Voids the results of games that were played, for a reason. They are kept and do not count; the games are played
    /// again.
    ///
    /// # Errors
    ///
    /// When that cannot be written.
    pub fn void(&mut self, games: &[Key], reason: &str) -> Result<(), StoreError> {
        self.store.void(games, reason)?;
        self.reread()
    }

    /// Makes voided results count again, whose games were not played again meanwhile.
    ///
    /// # Errors
    ///
    /// When that cannot be written.
    pub fn restore(&mut self, voided: &[Voided]) -> Result<(), StoreError> {
        self.store.restore(voided)?;
        self.reread()
    }

    fn reread(&mut self) -> Result<(), StoreError> {
        let outcomes = self.store.outcomes()?;
        self.outcomes = outcomes.into_iter().map(|outcome| (outcome.key, outcome)).collect();
        self.judged = 0;
        self.next(None);
        Ok(())
    }

    /// The teams that are in the final by lot, and those that are as good and in whose stead they are; nobody before the
    /// final, and where no lot was needed.
    #[must_use]
    pub fn lucky_finalists(&self) -> (Vec<&str>, Vec<&str>) {
        let Plan { schedule, teams, .. } = &self.plan;
        let names =
            |found: Vec<usize>| found.iter().map(|&team| teams[team].name.as_str()).collect();
        let (lucky, unlucky) = schedule.lucky_finalists(teams, &self.complete);
        (names(lucky), names(unlucky))
    }

    /// Next step. If `until` is given, the end once a team is shown to be the best with a risk of
    /// an error of at most `1 − until`, as a [`rating::Race`] tells. That is asked each time that the maps have had the
    /// same number of complete rounds.
    pub fn next(&mut self, until: Option<f64>) -> Next {
        let maps = self.plan.maps.len() as u64;
        self.scheduled.clear();
        self.complete.clear();
        for number in 1.. {
            let Some(matchups) = self.round(number) else { break };
            let games: Vec<Fixture> = matchups.iter().flat_map(|m| self.games_of(m)).collect();
            self.scheduled.extend(games.iter().map(|game| game.key));
            let is_missing = |game: &&Fixture| !self.outcomes.contains_key(&game.key);
            let missing: Vec<Fixture> = games.iter().filter(is_missing).copied().collect();
            if !missing.is_empty() {
                self.schedule_further(number);
                return Next::Round(RoundToPlay { number, games: games.len(), missing });
            }
            let results: Vec<_> = matchups.iter().map(|matchup| self.played(matchup)).collect();
            self.complete.extend(results);
            let is_due = number > self.judged && u64::from(number).is_multiple_of(maps);
            if let Some(until) = until.filter(|_| is_due) {
                let standings = self.standings(0);
                if standings.is_settled(1.0 - until) {
                    let team = standings.rows[0].name.clone();
                    return Next::Settled { round: number, team, risk: standings.risk() };
                }
                self.judged = number;
            }
        }
        Next::Over
    }

    /// Lets games of later rounds count that were played before a result of this round was voided, as far as it is certain
    /// that these rounds have them.
    fn schedule_further(&mut self, number: u32) {
        let last = self.outcomes.values().map(|outcome| outcome.round).max().unwrap_or(0);
        let is_certain = |number: &u32| !self.plan.schedule.depends_on_results(*number);
        let rounds = (number + 1..=last).take_while(is_certain).filter_map(|n| self.round(n));
        let matchups: Vec<Matchup> = rounds.flatten().collect();
        let keys = matchups.iter().flat_map(|matchup| self.games_of(matchup)).map(|game| game.key);
        let keys: Vec<Key> = keys.collect();
        self.scheduled.extend(keys);
    }

    /// The outcomes that count, in order of their keys, without recordings: those of the plan as it is
    /// now, up to the round that is played, and those of later rounds that follow from no results.
    pub fn outcomes(&self) -> impl Iterator<Item = &Outcome> {
        self.scheduled.iter().filter_map(|key| self.outcomes.get(key))
    }

    /// Standings after the games that count.
    #[must_use]
    pub fn standings(&self, samples: usize) -> Standings {
        Standings::of(&self.plan.teams, self.outcomes(), samples)
    }

    /// The plan, the games that count with their recordings, and how the teams stand.
    ///
    /// # Errors
    ///
    /// When a recording cannot be read.
    pub fn results(&self, samples: usize) -> Result<Results, StoreError> {
        let (lucky, unlucky) = self.lucky_finalists();
        let outcomes = self.outcomes().map(|outcome| {
            let recording = self.store.recording(outcome.key)?.unwrap_or_default();
            Ok(Outcome { recording, ..outcome.clone() })
        });
        Ok(Results {
            plan: self.plan.clone(),
            outcomes: outcomes.collect::<Result<_, StoreError>>()?,
            standings: self.standings(samples),
            voids: self.store.voids()?,
            lots: [lucky, unlucky].map(|names| names.into_iter().map(str::to_owned).collect()),
        })
    }

    fn round(&self, number: u32) -> Option<Vec<Matchup>> {
        let Plan { schedule, teams, maps, .. } = &self.plan;
        schedule.round(number, teams, maps.len(), &self.complete)
    }

    fn games_of(&self, matchup: &Matchup) -> impl Iterator<Item = Fixture> {
        let seatings = self.plan.seatings(matchup).into_iter();
        let matchup = *matchup;
        seatings.map(move |seating| {
            let key = Key::of_game(&self.plan, &matchup, seating);
            Fixture { key, matchup, seating }
        })
    }

    /// The result of a meeting, all of whose games are played.
    fn played(&self, matchup: &Matchup) -> MatchupResult {
        let mut sums = vec![(0.0, 0.0); matchup.group.teams().len()];
        let mut games = 0.0;
        for game in self.games_of(matchup) {
            let Some(outcome) = self.outcomes.get(&game.key) else { continue };
            games += 1.0;
            for (seat, member) in outcome.seats.iter().zip(game.seating.0) {
                if let Some((score, points)) = sums.get_mut(member) {
                    *score += placing(outcome, seat.points);
                    *points += f64::from(seat.points);
                }
            }
        }
        let scores = sums.into_iter().map(|(score, points)| (score / games, points / games));
        MatchupResult { matchup: *matchup, scores: scores.collect() }
    }
}

/// Number of other players with fewer points than these; players with equal points count half.
fn placing(outcome: &Outcome, points: i32) -> f64 {
    let against = |seat: &plan::outcome::SeatOutcome| match points.cmp(&seat.points) {
        std::cmp::Ordering::Greater => 1.0,
        std::cmp::Ordering::Equal => 0.5,
        std::cmp::Ordering::Less => 0.0,
    };
    // The one itself is level with itself.
    outcome.seats.iter().map(against).sum::<f64>() - 0.5
}
