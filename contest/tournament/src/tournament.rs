//! The progress of a tournament: the games that are played, and those that are next.

mod remaining;

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::Path;
use std::sync::Arc;

use arcstr::ArcStr;

use crate::store::{Delivery, GameOrder, Store, StoreError};
use plan::record::{GameRecord, Records, SeatRecord, duel};
use plan::schedule::MatchupResult;
use plan::{Fixture, Key, Matchup, Outcome, Plan, Voided};
use rating::Standings;
use tokio::sync::watch;

/// Number of bootstrap samples for reports.
pub const SAMPLES: usize = 1000;

/// A tournament, and the store of its results.
///
/// The games to play follow from the plan and the results alone, never from when or by whom games were played.
#[derive(Debug)]
pub struct Tournament {
    plan: Arc<Plan>,
    store: Store,
    /// The records of all games in the store.
    games: BTreeMap<Key, GameRecord>,
    /// The games that count: those of rounds up to the current one, and later ones that depend on no results.
    scheduled: Arc<BTreeSet<Key>>,
    /// The present plan and schedule, for other threads.
    scope: watch::Sender<Scope>,
    /// The matchups of the complete rounds before the first incomplete one.
    complete: Vec<MatchupResult>,
    /// The last round whose results were tested and did not settle the tournament; 0 if none.
    judged: u32,
    texts: Texts,
}

/// The plan of a tournament and the keys of the games that count. With them, another thread reads the results from the
/// file, without a second set of all records in memory.
#[derive(Clone, Debug)]
pub struct Scope {
    plan: Arc<Plan>,
    scheduled: Arc<BTreeSet<Key>>,
    /// The teams that a lot put into the final, and the equal teams that it left out.
    lots: [Vec<String>; 2],
}

/// The next step of a tournament.
#[derive(Clone, Debug, PartialEq)]
pub enum NextStep {
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
        Ok(Self::new(plan, store))
    }

    /// Begins a tournament without a file.
    ///
    /// # Errors
    ///
    /// When there is no memory.
    pub fn in_memory(plan: Plan) -> Result<Self, StoreError> {
        let store = Store::in_memory(&plan)?;
        Ok(Self::new(plan, store))
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
        let (mut games, mut texts) = (Vec::new(), Texts::default());
        let plan = store.read_all(|outcome| games.push((outcome.key, texts.record(&outcome))))?;
        Ok(Self::with(plan, store, games.into_iter().collect(), texts))
    }

    fn new(plan: Plan, store: Store) -> Self {
        Self::with(plan, store, BTreeMap::new(), Texts::default())
    }

    fn with(plan: Plan, store: Store, games: BTreeMap<Key, GameRecord>, texts: Texts) -> Self {
        let (plan, scheduled, complete) = (Arc::new(plan), Arc::default(), Vec::new());
        let (known, lots) = (Arc::clone(&plan), Default::default());
        let scope = Scope { plan: known, scheduled: Arc::clone(&scheduled), lots };
        let scope = watch::Sender::new(scope);
        let mut new = Self { plan, store, games, scheduled, scope, complete, judged: 0, texts };
        new.next(None);
        new
    }

    /// The plan of the tournament.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The store of the results.
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
        let mut plan = Plan::clone(&self.plan);
        change(&mut plan);
        self.store.change(&plan)?;
        self.plan = Arc::new(plan);
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
                self.games.insert(outcome.key, self.texts.record(outcome));
            }
        }
        Ok(deliveries)
    }

    /// Tests if a game has a result that was not voided.
    pub fn has_played(&self, game: Key) -> bool {
        self.games.contains_key(&game)
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
        let mut games = Vec::new();
        let record = |outcome: Outcome| games.push((outcome.key, self.texts.record(&outcome)));
        self.store.each_outcome(GameOrder::Rounds, record)?;
        self.games = games.into_iter().collect();
        self.judged = 0;
        self.next(None);
        Ok(())
    }

    /// The teams that are in the final by lot, and the equally good teams that are not; both empty before the final, and
    /// if no lot was needed.
    pub fn lucky_finalists(&self) -> (Vec<&str>, Vec<&str>) {
        let Plan { schedule, teams, .. } = &*self.plan;
        let names =
            |found: Vec<usize>| found.iter().map(|&team| teams[team].name.as_str()).collect();
        let (lucky, unlucky) = schedule.lucky_finalists(teams, &self.complete);
        (names(lucky), names(unlucky))
    }

    /// Returns the next step. If `until` is given, no round follows once a team is shown to be the best with a risk of an
    /// error of at most `1 − until`, by a [`rating::Race`]. This is tested each time that all maps have had the same number
    /// of complete rounds.
    pub fn next(&mut self, until: Option<f64>) -> NextStep {
        let next = self.advance(until);
        let (lucky, unlucky) = self.lucky_finalists();
        let lots = [lucky, unlucky].map(|names| names.into_iter().map(str::to_owned).collect());
        let (plan, scheduled) = (Arc::clone(&self.plan), Arc::clone(&self.scheduled));
        self.scope.send_replace(Scope { plan, scheduled, lots });
        next
    }

    fn advance(&mut self, until: Option<f64>) -> NextStep {
        let maps = self.plan.maps.len() as u64;
        // Other threads may still use the last schedule.
        self.scheduled = Arc::default();
        self.complete.clear();
        for number in 1.. {
            let Some(matchups) = self.round(number) else { break };
            let games = matchups.iter().flat_map(|m| self.games_of(m));
            let games: Vec<Fixture> = games.filter(|game| self.remains(game)).collect();
            self.schedule(games.iter().map(|game| game.key));
            let is_missing = |game: &&Fixture| !self.games.contains_key(&game.key);
            let missing: Vec<Fixture> = games.iter().filter(is_missing).copied().collect();
            if !missing.is_empty() {
                self.schedule_further(number);
                return NextStep::Round(RoundToPlay { number, games: games.len(), missing });
            }
            let results: Vec<_> = matchups.iter().map(|matchup| self.played(matchup)).collect();
            self.complete.extend(results);
            let is_due = number > self.judged && u64::from(number).is_multiple_of(maps);
            if let Some(until) = until.filter(|_| is_due) {
                let standings = self.standings(0);
                if standings.is_settled(1.0 - until) {
                    let team = standings.rows[0].name.clone();
                    return NextStep::Settled { round: number, team, risk: standings.risk() };
                }
                self.judged = number;
            }
        }
        NextStep::Over
    }

    /// Counts games of later rounds that were played before a result of this round was voided, up to the first round that
    /// depends on results.
    fn schedule_further(&mut self, number: u32) {
        let last = self.games.values().map(|game| game.round).max().unwrap_or(0);
        let is_certain = |number: &u32| !self.plan.schedule.depends_on_results(*number);
        let rounds = (number + 1..=last).take_while(is_certain).filter_map(|n| self.round(n));
        let matchups: Vec<Matchup> = rounds.flatten().collect();
        let keys = matchups.iter().flat_map(|matchup| self.games_of(matchup)).map(|game| game.key);
        let keys: Vec<Key> = keys.collect();
        self.schedule(keys);
    }

    fn schedule(&mut self, games: impl IntoIterator<Item = Key>) {
        Arc::make_mut(&mut self.scheduled).extend(games);
    }

    /// The records of the games that count, in order of their keys: those of the present plan up to the current round,
    /// and those of later rounds that depend on no results.
    pub fn games(&self) -> impl Iterator<Item = (Key, &GameRecord)> + Clone {
        self.scheduled.iter().filter_map(|key| Some((*key, self.games.get(key)?)))
    }

    /// Gives the outcomes of the [games](Self::games) that count to `take`, as [`Store::each_outcome`] does.
    ///
    /// # Errors
    ///
    /// When the outcomes cannot be read.
    pub fn each_outcome(
        &self,
        order: GameOrder,
        take: impl FnMut(Outcome),
    ) -> Result<(), StoreError> {
        self.scope.borrow().clone().each_outcome(&self.store, order, take)
    }

    /// The standings after the games that count.
    pub fn standings(&self, samples: usize) -> Standings {
        let mut records = Records::new(&self.plan.teams);
        for (_, game) in self.games() {
            records.add(game);
        }
        Standings::of(records, samples)
    }

    /// The plan and the schedule, for another thread, which sees their changes.
    pub fn scope(&self) -> watch::Receiver<Scope> {
        self.scope.subscribe()
    }

    fn round(&self, number: u32) -> Option<Vec<Matchup>> {
        let Plan { schedule, teams, maps, .. } = &*self.plan;
        schedule.round(number, teams, maps.len(), &self.complete).map(|all| self.remaining(all))
    }

    fn games_of(&self, matchup: &Matchup) -> impl Iterator<Item = Fixture> {
        let seatings = self.plan.seatings(matchup).into_iter();
        let matchup = *matchup;
        seatings.map(move |seating| {
            let key = Key::of_game(&self.plan, &matchup, seating);
            Fixture { key, matchup, seating }
        })
    }

    /// The result of a matchup whose games are all played.
    fn played(&self, matchup: &Matchup) -> MatchupResult {
        let mut sums = vec![(0.0, 0.0); matchup.group.teams().len()];
        let mut games = 0.0;
        for game in self.games_of(matchup) {
            let Some(played) = self.games.get(&game.key) else { continue };
            games += 1.0;
            for (seat, member) in played.seats.iter().zip(game.seating.0) {
                if let Some((score, points)) = sums.get_mut(member) {
                    *score += placing(&played.seats, seat.points);
                    *points += f64::from(seat.points);
                }
            }
        }
        let scores = sums.into_iter().map(|(score, points)| (score / games, points / games));
        MatchupResult { matchup: *matchup, scores: scores.collect() }
    }
}

impl Scope {
    /// The plan.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The teams that a lot put into the final, and the equal teams that it left out.
    pub fn lots(&self) -> &[Vec<String>; 2] {
        &self.lots
    }

    /// Gives the outcomes of the games that count to `take`, as [`Store::each_outcome`] does.
    ///
    /// # Errors
    ///
    /// When the outcomes cannot be read.
    pub fn each_outcome(
        &self,
        store: &Store,
        order: GameOrder,
        mut take: impl FnMut(Outcome),
    ) -> Result<(), StoreError> {
        store.each_outcome(order, |outcome| {
            if self.scheduled.contains(&outcome.key) {
                take(outcome);
            }
        })
    }
}

/// The names of teams and their versions in all records, each once.
#[derive(Debug, Default)]
struct Texts(HashSet<ArcStr>);

impl Texts {
    /// The record of a game, with texts that all records share.
    fn record(&mut self, outcome: &Outcome) -> GameRecord {
        let mut record = GameRecord::from(outcome);
        for seat in &mut record.seats {
            self.share(&mut seat.team);
            self.share(&mut seat.version);
        }
        record
    }

    fn share(&mut self, text: &mut ArcStr) {
        if let Some(known) = self.0.get(text) {
            text.clone_from(known);
        } else {
            self.0.insert(text.clone());
        }
    }
}

/// Number of other players with fewer points than these; players with equal points count half.
fn placing(seats: &[SeatRecord], points: i32) -> f64 {
    // The seat itself is among those with equal points.
    seats.iter().map(|seat| duel(points, seat.points)).sum::<f64>() - 0.5
}
