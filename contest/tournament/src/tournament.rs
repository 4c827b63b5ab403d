//! The progress of a tournament: the games that are played, and those that are next.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::Path;

use arcstr::ArcStr;

use crate::store::{Delivery, Store, StoreError};
use plan::schedule::MatchupResult;
use plan::{Fixture, Key, Matchup, Outcome, Plan, SeatOutcome, Voided};
use rating::Standings;
use report::Results;

/// Number of bootstrap samples for reports.
pub const SAMPLES: usize = 1000;

/// A tournament, and the store of its results.
///
/// The games to play follow from the plan and the results alone, never from when or by whom games were played.
#[derive(Debug)]
pub struct Tournament {
    plan: Plan,
    store: Store,
    /// All outcomes in the store, as they are [kept in memory](lean).
    outcomes: BTreeMap<Key, Box<Outcome>>,
    /// The games that count: those of rounds up to the current one, and later ones that depend on no results.
    scheduled: BTreeSet<Key>,
    /// The meetings of the complete rounds before the first incomplete one.
    complete: Vec<MatchupResult>,
    /// The last round whose results were tested and did not settle the tournament; 0 if none.
    judged: u32,
    texts: Texts,
}

/// The next step of a tournament.
#[derive(Clone, Debug, PartialEq)]
pub enum Next {
    /// The first incomplete round, with its missing games.
    Round(RoundToPlay),
    /// All rounds are complete.
    Over,
    /// A team is shown to be the best after this complete round.
    Settled {
        /// The number of the round, from 1.
        round: u32,
        /// The team's name.
        team: String,
        /// Upper bound of the risk of an error.
        risk: f64,
    },
}

/// A round to play.
#[derive(Clone, Debug, PartialEq)]
pub struct RoundToPlay {
    /// The number of the round, from 1.
    pub number: u32,
    /// The number of games of the round.
    pub games: usize,
    /// The games of the round that are still to be played.
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

    /// Begins a tournament without a file.
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
    /// When the file cannot be read, or another program writes to it.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        Self::of(Store::open(path)?)
    }

    /// Opens the tournament of a file for reading.
    ///
    /// # Errors
    ///
    /// When the file cannot be read.
    pub fn look(path: &Path) -> Result<Self, StoreError> {
        Self::of(Store::look(path)?)
    }

    fn of(store: Store) -> Result<Self, StoreError> {
        let (mut outcomes, mut texts) = (BTreeMap::new(), Texts::default());
        let plan = store.read_all(|outcome| {
            outcomes.insert(outcome.key, Box::new(texts.lean(&outcome)));
        })?;
        Ok(Self { texts, ..Self::new(plan, store, outcomes) })
    }

    fn new(plan: Plan, store: Store, outcomes: BTreeMap<Key, Box<Outcome>>) -> Self {
        let (scheduled, complete) = (BTreeSet::new(), Vec::new());
        let mut new =
            Self { plan, store, outcomes, scheduled, complete, judged: 0, texts: Texts::default() };
        new.next(None);
        new
    }

    /// The plan of the tournament.
    #[must_use]
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The store of the results.
    #[must_use]
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// The store, to write anything but results.
    pub fn store_mut(&mut self) -> &mut Store {
        &mut self.store
    }

    /// Continues with other teams, another schedule or other limits. Conditions and maps stay.
    ///
    /// # Errors
    ///
    /// When the change cannot be written.
    pub fn change(&mut self, change: impl FnOnce(&mut Plan)) -> Result<(), StoreError> {
        let mut plan = self.plan.clone();
        change(&mut plan);
        self.store.change(&plan)?;
        self.plan = plan;
        self.judged = 0;
        self.next(None);
        Ok(())
    }

    /// Records the outcomes of games, each once, in one transaction. Returns the status of each.
    ///
    /// # Errors
    ///
    /// When the outcomes cannot be written; then none of them is.
    pub fn deliver(&mut self, outcomes: &[Outcome]) -> Result<Vec<Delivery>, StoreError> {
        let deliveries = self.store.deliver(outcomes)?;
        for (outcome, delivery) in outcomes.iter().zip(&deliveries) {
            if *delivery == Delivery::New {
                self.outcomes.insert(outcome.key, Box::new(self.texts.lean(outcome)));
            }
        }
        Ok(deliveries)
    }

    /// Tests if a game has a result that was not voided.
    #[must_use]
    pub fn has_played(&self, game: Key) -> bool {
        self.outcomes.contains_key(&game)
    }

    /// Voids the results of games, for a reason. The results are kept but do not count; the games are played again.
    ///
    /// # Errors
    ///
    /// When the change cannot be written.
    pub fn void(&mut self, games: &[Key], reason: &str) -> Result<(), StoreError> {
        self.store.void(games, reason)?;
        self.reread()
    }

    /// Restores voided results of games that were not played again meanwhile.
    ///
    /// # Errors
    ///
    /// When the change cannot be written.
    pub fn restore(&mut self, voided: &[Voided]) -> Result<(), StoreError> {
        self.store.restore(voided)?;
        self.reread()
    }

    fn reread(&mut self) -> Result<(), StoreError> {
        let mut outcomes = BTreeMap::new();
        self.store.each_outcome(|outcome| {
            outcomes.insert(outcome.key, Box::new(outcome));
        })?;
        self.outcomes = outcomes;
        self.judged = 0;
        self.next(None);
        Ok(())
    }

    /// The teams that are in the final by lot, and the equally good teams that are not; both empty before the final, and
    /// if no lot was needed.
    #[must_use]
    pub fn lucky_finalists(&self) -> (Vec<&str>, Vec<&str>) {
        let Plan { schedule, teams, .. } = &self.plan;
        let names =
            |found: Vec<usize>| found.iter().map(|&team| teams[team].name.as_str()).collect();
        let (lucky, unlucky) = schedule.lucky_finalists(teams, &self.complete);
        (names(lucky), names(unlucky))
    }

    /// Returns the next step. If `until` is given, no round follows once a team is shown to be the best with a risk of an
    /// error of at most `1 − until`, by a [`rating::Race`]. This is tested each time that all maps have had the same number
    /// of complete rounds.
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

    /// Counts games of later rounds that were played before a result of this round was voided, up to the first round that
    /// depends on results.
    fn schedule_further(&mut self, number: u32) {
        let last = self.outcomes.values().map(|outcome| outcome.round).max().unwrap_or(0);
        let is_certain = |number: &u32| !self.plan.schedule.depends_on_results(*number);
        let rounds = (number + 1..=last).take_while(is_certain).filter_map(|n| self.round(n));
        let matchups: Vec<Matchup> = rounds.flatten().collect();
        let keys = matchups.iter().flat_map(|matchup| self.games_of(matchup)).map(|game| game.key);
        let keys: Vec<Key> = keys.collect();
        self.scheduled.extend(keys);
    }

    /// The outcomes that count, in order of their keys, without recordings and the usage of programs: those of the present plan up to the current
    /// round, and those of later rounds that depend on no results.
    pub fn outcomes(&self) -> impl Iterator<Item = &Outcome> {
        self.scheduled.iter().filter_map(|key| self.outcomes.get(key).map(Box::as_ref))
    }

    /// The standings after the games that count.
    #[must_use]
    pub fn standings(&self, samples: usize) -> Standings {
        Standings::of(&self.plan.teams, self.outcomes(), samples)
    }

    /// The plan, the games that count, without recordings, and these standings after them.
    ///
    /// # Errors
    ///
    /// When the voided results cannot be read.
    pub fn into_results(self, standings: Standings) -> Result<Results, StoreError> {
        let (lucky, unlucky) = self.lucky_finalists();
        let lots = [lucky, unlucky].map(|names| names.into_iter().map(str::to_owned).collect());
        let voids = self.store.voids()?;
        let mut counting = Vec::with_capacity(self.scheduled.len());
        let outcomes = self.outcomes.into_values().map(|outcome| *outcome);
        counting.extend(outcomes.filter(|outcome| self.scheduled.contains(&outcome.key)));
        Ok(Results { plan: self.plan, outcomes: counting, standings, voids, lots })
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

    /// The result of a meeting whose games are all played.
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

/// The names of teams and maps and the versions in all outcomes, each once.
#[derive(Debug, Default)]
struct Texts(HashSet<ArcStr>);

impl Texts {
    /// The part of an outcome that is kept in memory: without its recording and the usage of programs, which are in the
    /// file, and with texts that all outcomes share.
    fn lean(&mut self, outcome: &Outcome) -> Outcome {
        let seat = |seat: &SeatOutcome| SeatOutcome {
            team: self.share(&seat.team),
            version: self.share(&seat.version),
            usage: None,
            ..seat.clone()
        };
        let seats = outcome.seats.iter().map(seat).collect();
        let map = self.share(&outcome.map);
        Outcome { recording: Vec::new(), seats, map, ..*outcome }
    }

    fn share(&mut self, text: &ArcStr) -> ArcStr {
        if let Some(known) = self.0.get(text) {
            return known.clone();
        }
        self.0.insert(text.clone());
        text.clone()
    }
}

/// Number of other players with fewer points than these; players with equal points count half.
fn placing(outcome: &Outcome, points: i32) -> f64 {
    let against = |seat: &SeatOutcome| match points.cmp(&seat.points) {
        std::cmp::Ordering::Greater => 1.0,
        std::cmp::Ordering::Equal => 0.5,
        std::cmp::Ordering::Less => 0.0,
    };
    // The seat itself is among those with equal points.
    outcome.seats.iter().map(against).sum::<f64>() - 0.5
}
