//! A simulated cluster: the [`Coordinator`], a broker, a network and workers that fail, in simulated time.
//!
//! The broker works and fails like `JetStream`: it accepts the acknowledgement of a worker whose lease has ended, and a
//! power cut reverts it to its last flush. Results are delivered at least once.

mod broker;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ops::Bound;
use std::time::Duration;

use cluster::{Claim, Coordinator, Directive, Ruling, Submission, Terms, Token, WorkerName};
use plan::Key;
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::SplitMix64;

use broker::Broker;

/// Games of a matchup.
const SEATINGS: u64 = 4;
const ENGINE: &str = "engine";
/// Heartbeats in the duration of a lease.
const BEATS: u32 = 3;
/// Number of durations of a lease without progress after which a simulation ends as stuck.
const STANDSTILL: u32 = 500;
/// Bound on the absence after a failure, in durations of a lease.
const ABSENCE: u64 = 4;

/// The parameters of a simulation.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// The seed of all random draws.
    pub seed: u64,
    /// Number of workers.
    pub workers: u32,
    /// Number of matchups, of four games each.
    pub matchups: u64,
    /// Greatest number of matchups on offer at a time.
    pub window: usize,
    /// Mean duration of a game.
    pub game: Duration,
    /// The duration of a lease.
    pub lease: Duration,
    /// Mean delay of a message; delays are uniform up to twice the mean.
    pub delay: Duration,
    /// Time that the coordinator takes to verify and commit a result.
    pub commit: Duration,
    /// Time between two flushes of the broker.
    pub flush: Duration,
    /// Number of failures: kills, stops, partitions and power cuts; those due after the last result are skipped.
    pub failures: u32,
    /// Time from the start in which all failures happen.
    pub span: Duration,
    /// Mean number of messages with a result for each that arrives twice; 0 for no duplicates.
    pub duplicates: u64,
}

/// The outcome of a simulation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SimulationReport {
    /// Games with a result.
    pub committed: u64,
    /// Games that were committed a second time: there must be none.
    pub committed_twice: u64,
    /// Results that were committed although a later lease had been granted: there must be none.
    pub committed_stale: u64,
    /// Messages with matchups or results left at the broker in the end: there must be none.
    pub orphans: u64,
    /// Games that were played, whether their results counted or not.
    pub played: u64,
    /// Results that came for a game that had one.
    pub again: u64,
    /// Results of ended leases.
    pub stale: u64,
    /// Times that a matchup was given up and offered once more.
    pub given_up: u64,
    /// Simulated time.
    pub took: Duration,
    /// Time that the coordinator spent on results.
    pub busy: Duration,
    /// Messages through the broker.
    pub messages: u64,
    /// Greatest number of results that waited for the coordinator at a time.
    pub backlog: usize,
    /// Longest wait of a result for the coordinator.
    pub longest_wait: Duration,
}

/// A worker, and the number of its restarts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    worker: u32,
    start: u32,
}

/// An event at a point in time.
type Event = Box<dyn FnOnce(&mut Simulation)>;

#[derive(Clone, Debug, Default)]
struct SimulatedWorker {
    start: u32,
    is_alive: bool,
    /// End of the worker's last stop or partition.
    cut_off: Duration,
    /// The matchup that the worker plays, the token of the lease, and the games left.
    playing: Option<(Key, Token, VecDeque<Key>)>,
    is_waiting: bool,
}

struct Simulation {
    scenario: Scenario,
    draw: SplitMix64,
    now: Duration,
    /// The events to come, by their times and in the order in which they were scheduled.
    events: BTreeMap<(Duration, u64), Event>,
    number: u64,
    broker: Broker,
    flushed: Broker,
    is_broker_up: bool,
    waiting: VecDeque<Place>,
    coordinator: Option<Coordinator>,
    /// Results that the coordinator has received and not judged: the number at the broker, the result, the time of arrival.
    inbox: VecDeque<(u64, Submission, Duration)>,
    is_committing: bool,
    /// Time of the coordinator's next timeout.
    timer: Option<Duration>,
    workers: Vec<SimulatedWorker>,
    names: Vec<WorkerName>,
    /// The games without a result of each matchup, according to the file of results.
    missing: BTreeMap<Key, BTreeSet<Key>>,
    offered: BTreeSet<Key>,
    /// The matchup offered last; `None` to offer from the first one.
    cursor: Option<Key>,
    /// The greatest token of each matchup that the present coordinator has granted.
    granted: BTreeMap<Key, Token>,
    failures: u32,
    /// Time of the last ruling or failure.
    progress: Duration,
    report: SimulationReport,
}

/// Plays a scenario until it is over or stuck.
pub fn simulate(scenario: Scenario) -> SimulationReport {
    let mut simulation = Simulation::new(scenario);
    while let Some(((time, _), event)) = simulation.events.pop_first() {
        simulation.now = time;
        event(&mut simulation);
        let idle = simulation.now.saturating_sub(simulation.progress);
        if simulation.is_over() || idle > simulation.scenario.lease * STANDSTILL {
            break;
        }
    }
    let mut report = simulation.report;
    report.took = simulation.now;
    report.orphans = simulation.broker.messages() as u64;
    report
}

impl Simulation {
    fn new(scenario: Scenario) -> Self {
        let matchup = |number: u64| {
            let games = (0..SEATINGS).map(|seating| key(number * SEATINGS + seating, 1));
            (key(number, 0), games.collect())
        };
        let name = |number: u32| WorkerName::from(format!("worker {number}"));
        let alive = SimulatedWorker { is_alive: true, ..SimulatedWorker::default() };
        let mut new = Self {
            draw: SplitMix64::seed_from_u64(scenario.seed),
            now: Duration::ZERO,
            events: BTreeMap::new(),
            number: 0,
            broker: Broker::default(),
            flushed: Broker::default(),
            is_broker_up: true,
            waiting: VecDeque::new(),
            coordinator: None,
            inbox: VecDeque::new(),
            is_committing: false,
            timer: None,
            workers: vec![alive; scenario.workers as usize],
            names: (0..scenario.workers).map(name).collect(),
            missing: (0..scenario.matchups).map(matchup).collect(),
            offered: BTreeSet::new(),
            cursor: None,
            granted: BTreeMap::new(),
            failures: 0,
            progress: Duration::ZERO,
            report: SimulationReport::default(),
            scenario,
        };
        new.start_coordinator();
        for worker in 0..new.scenario.workers {
            new.later(Duration::ZERO, move |all| all.pull(Place { worker, start: 0 }));
        }
        for _ in 0..new.scenario.failures {
            let span = new.scenario.span;
            let moment = new.up_to(span);
            new.later(moment, Self::fail);
        }
        new.later(Duration::ZERO, Self::expire);
        new.later(Duration::ZERO, Self::flush);
        new
    }

    /// Tests if all games have results, all failures are past, and the broker and the workers have nothing left to do.
    fn is_over(&self) -> bool {
        self.missing.is_empty()
            && self.failures == self.scenario.failures
            && self.broker.messages() == 0
            && self.workers.iter().all(|worker| worker.playing.is_none())
            && self.is_broker_up
            && self.coordinator.is_some()
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.draw.next_u64() % bound.max(1)
    }

    fn up_to(&mut self, duration: Duration) -> Duration {
        let nanos = u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX);
        Duration::from_nanos(self.below(nanos))
    }

    fn delay(&mut self) -> Duration {
        self.up_to(2 * self.scenario.delay)
    }

    fn later(&mut self, after: Duration, event: impl FnOnce(&mut Self) + 'static) {
        self.number += 1;
        self.events.insert((self.now + after, self.number), Box::new(event));
    }

    // The network.

    /// Tests if messages to and from a worker go through now, provided that the worker is alive.
    fn is_connected(&self, place: Place) -> bool {
        self.is_broker_up && self.workers[place.worker as usize].cut_off <= self.now
    }

    fn is_alive(&self, place: Place) -> bool {
        let worker = &self.workers[place.worker as usize];
        worker.is_alive && worker.start == place.start
    }

    /// Schedules the event again, for when the worker or the broker may be back.
    fn again(&mut self, event: impl FnOnce(&mut Self) + 'static) {
        let pause = self.scenario.lease / 4 + self.delay();
        self.later(pause, event);
    }

    // Workers.

    fn pull(&mut self, place: Place) {
        if !self.is_alive(place) || self.workers[place.worker as usize].playing.is_some() {
            return;
        }
        if !self.is_connected(place) {
            return self.again(move |all| all.pull(place));
        }
        let own = &mut self.workers[place.worker as usize];
        if !std::mem::replace(&mut own.is_waiting, true) {
            self.waiting.push_back(place);
        }
        self.hand_out();
    }

    fn begin(&mut self, place: Place, matchup: Key, token: Token, games: Vec<Key>) {
        // A matchup on its way to a worker that is dead or cut off is lost.
        if !self.is_alive(place) {
            return;
        }
        if !self.is_connected(place) {
            return self.again(move |all| all.pull(place));
        }
        self.workers[place.worker as usize].playing = Some((matchup, token, games.into()));
        self.beat(place, matchup, token);
        let game = self.up_to(2 * self.scenario.game);
        self.later(game, move |all| all.played(place));
    }

    fn is_playing(&self, place: Place, matchup: Key, token: Token) -> bool {
        let playing = &self.workers[place.worker as usize].playing;
        self.is_alive(place) && playing.as_ref().is_some_and(|it| (it.0, it.1) == (matchup, token))
    }

    fn beat(&mut self, place: Place, matchup: Key, token: Token) {
        if !self.is_playing(place, matchup, token) {
            return;
        }
        if self.is_connected(place) {
            self.report.messages += 2;
            self.broker.progress(matchup, token, self.now + self.scenario.lease);
            let delay = self.delay();
            self.later(delay, move |all| all.claim(place, matchup, token));
        }
        self.later(self.scenario.lease / BEATS, move |all| all.beat(place, matchup, token));
    }

    fn played(&mut self, place: Place) {
        if !self.is_alive(place) {
            return;
        }
        let own = &mut self.workers[place.worker as usize];
        if own.cut_off > self.now {
            // The worker may be stopped rather than cut off: then it plays on afterwards.
            let wait = own.cut_off.saturating_sub(self.now);
            return self.later(wait, move |all| all.played(place));
        }
        let Some((matchup, token, games)) = &mut own.playing else { return };
        let (matchup, token) = (*matchup, *token);
        let Some(game) = games.pop_front() else { return };
        let is_last = games.is_empty();
        self.report.played += 1;
        let delay = self.delay();
        self.later(delay, move |all| all.take_result(place, matchup, game, token));
        let duplicates = self.scenario.duplicates;
        if duplicates > 0 && self.below(duplicates) == 0 {
            let delay = delay + self.up_to(2 * self.scenario.lease);
            self.later(delay, move |all| all.take_result(place, matchup, game, token));
        }
        if is_last {
            self.later(2 * self.scenario.delay, move |all| all.all_played(place, matchup, token));
        } else {
            let game = self.up_to(2 * self.scenario.game);
            self.later(game, move |all| all.played(place));
        }
    }

    fn all_played(&mut self, place: Place, matchup: Key, token: Token) {
        if !self.is_alive(place) {
            return;
        }
        if !self.is_connected(place) {
            return self.again(move |all| all.all_played(place, matchup, token));
        }
        self.report.messages += 1;
        self.broker.acknowledge(matchup, token);
        self.workers[place.worker as usize].playing = None;
        self.pull(place);
    }

    /// Ends the matchup of a worker whose claim the coordinator has refused.
    fn abandon(&mut self, place: Place, matchup: Key, token: Token, is_unwanted: bool) {
        if !self.is_playing(place, matchup, token) || !self.is_connected(place) {
            return;
        }
        self.workers[place.worker as usize].playing = None;
        if is_unwanted {
            self.broker.acknowledge(matchup, token);
        } else {
            self.broker.give_back(matchup, token);
        }
        self.again(move |all| all.pull(place));
    }

    fn worker_back(&mut self, worker: u32) {
        let own = &mut self.workers[worker as usize];
        if !own.is_alive {
            own.is_alive = true;
            own.start += 1;
            let place = Place { worker, start: own.start };
            self.pull(place);
        }
    }

    // The broker.

    fn flush(&mut self) {
        if self.is_broker_up {
            self.flushed = self.broker.clone();
        }
        self.later(self.scenario.flush, Self::flush);
    }

    fn hand_out(&mut self) {
        while self.is_broker_up
            && let Some(place) = self.waiting.pop_front()
        {
            if !self.is_alive(place) {
                continue;
            }
            let until = self.now + self.scenario.lease;
            let Some((matchup, token, games)) = self.broker.deliver(place, until) else {
                return self.waiting.push_front(place);
            };
            self.workers[place.worker as usize].is_waiting = false;
            self.report.messages += 1;
            let delay = self.delay();
            self.later(delay, move |all| all.begin(place, matchup, token, games));
        }
    }

    fn expire(&mut self) {
        if self.is_broker_up {
            self.broker.expire(self.now);
            self.hand_out();
        }
        self.later(self.scenario.lease / 10, Self::expire);
    }

    fn take_result(&mut self, place: Place, matchup: Key, game: Key, token: Token) {
        if !self.is_connected(place) {
            // A killed worker does not send the result again.
            if self.is_alive(place) {
                self.again(move |all| all.take_result(place, matchup, game, token));
            }
            return;
        }
        self.report.messages += 1;
        let worker = self.names[place.worker as usize].clone();
        let submission = Submission { worker, engine: ENGINE.to_owned(), matchup, game, token };
        let number = self.broker.keep_result(submission);
        let delay = self.delay();
        self.later(delay, move |all| all.receive(number));
    }

    fn broker_back(&mut self) {
        if std::mem::replace(&mut self.is_broker_up, true) {
            return;
        }
        // The broker has lost the requests that waited.
        self.waiting.clear();
        for worker in 0..self.scenario.workers {
            let own = &mut self.workers[worker as usize];
            own.is_waiting = false;
            let place = Place { worker, start: own.start };
            self.pull(place);
        }
        if let Some(coordinator) = &mut self.coordinator {
            coordinator.reconnected(self.now);
            self.deliver_results();
            self.direct();
        }
    }

    // The coordinator.

    fn coordinator_back(&mut self) {
        if self.coordinator.is_none() {
            self.start_coordinator();
        }
    }

    fn time_out(&mut self) {
        self.timer = None;
        self.direct();
    }

    fn start_coordinator(&mut self) {
        let terms = Terms {
            engine: ENGINE.to_owned(),
            lease: self.scenario.lease,
            deliveries: 3,
            faults: u32::MAX,
            deadline: None,
        };
        // Numbers come from the clock, which may have been set back.
        let next = match self.below(4) {
            0 => 1,
            _ => u64::try_from(self.now.as_micros()).unwrap_or(u64::MAX).max(1),
        };
        self.coordinator = Some(Coordinator::new(terms, next));
        self.granted.clear();
        self.offered.clear();
        self.cursor = None;
        self.inbox.clear();
        self.is_committing = false;
        self.deliver_results();
        self.offer();
    }

    /// Delivers all results again that are not acknowledged.
    fn deliver_results(&mut self) {
        if self.is_broker_up {
            let numbers: Vec<u64> = self.broker.results.keys().copied().collect();
            for number in numbers {
                let delay = self.delay();
                self.later(delay, move |all| all.receive(number));
            }
        }
    }

    fn offer(&mut self) {
        let Some(coordinator) = &mut self.coordinator else { return };
        while self.offered.len() < self.scenario.window {
            let after = self.cursor.map_or(Bound::Unbounded, Bound::Excluded);
            let next = self.missing.range((after, Bound::Unbounded)).next();
            let Some((&matchup, games)) = next else { break };
            self.cursor = Some(matchup);
            if self.offered.insert(matchup) {
                coordinator.offer(matchup, games.iter().copied());
            }
        }
        self.direct();
    }

    fn direct(&mut self) {
        let Some(mut coordinator) = self.coordinator.take() else { return };
        let mut is_given_up = false;
        coordinator.expire(self.now);
        while let Some(directive) = coordinator.poll(self.now) {
            match directive {
                Directive::GiveUp(matchup) => {
                    self.report.given_up += 1;
                    self.granted.remove(&matchup);
                    self.offered.remove(&matchup);
                    self.cursor = None;
                    is_given_up = true;
                    if self.is_broker_up {
                        self.broker.matchups.remove(&matchup);
                    }
                }
                // The coordinator checks every message once the broker is back.
                _ if !self.is_broker_up => {}
                Directive::Publish { matchup, publication, at_least } => {
                    self.report.messages += 1;
                    let games = self.missing.get(&matchup).into_iter().flatten();
                    let games: Vec<Key> = games.copied().collect();
                    match self.broker.matchups.get(&matchup) {
                        Some(message)
                            if games.iter().all(|game| message.games.contains(game))
                                && message.publication >= at_least =>
                        {
                            coordinator.found(matchup, message.publication);
                        }
                        _ => self.broker.publish(matchup, publication, games),
                    }
                }
                Directive::Check(matchup) => match self.broker.matchups.get(&matchup) {
                    Some(message) => coordinator.found(matchup, message.publication),
                    None => coordinator.lost(matchup),
                },
                Directive::Withdraw(matchup) => {
                    self.broker.matchups.remove(&matchup);
                }
            }
        }
        if let Some(timeout) = coordinator.next_timeout()
            && self.timer.is_none_or(|timer| timeout < timer)
        {
            self.timer = Some(timeout);
            self.later(timeout.saturating_sub(self.now), Self::time_out);
        }
        self.coordinator = Some(coordinator);
        self.hand_out();
        if is_given_up {
            self.offer();
        }
    }

    fn claim(&mut self, place: Place, matchup: Key, token: Token) {
        let Some(coordinator) = self.coordinator.as_mut().filter(|_| self.is_broker_up) else {
            return;
        };
        let worker = &self.names[place.worker as usize];
        let claim = coordinator.claim(worker, matchup, token, self.now);
        let delay = self.delay();
        if claim == Claim::Granted {
            let granted = self.granted.entry(matchup).or_default();
            *granted = token.max(*granted);
        } else {
            let is_unwanted = claim == Claim::Unwanted;
            self.later(delay, move |all| all.abandon(place, matchup, token, is_unwanted));
        }
        self.direct();
    }

    fn receive(&mut self, number: u64) {
        if !self.is_broker_up || self.coordinator.is_none() {
            return;
        }
        let Some(submission) = self.broker.results.get(&number) else { return };
        self.inbox.push_back((number, submission.clone(), self.now));
        self.report.backlog = self.report.backlog.max(self.inbox.len());
        if !std::mem::replace(&mut self.is_committing, true) {
            self.later(self.scenario.commit, Self::commit);
        }
    }

    fn commit(&mut self) {
        let Some(coordinator) = &mut self.coordinator else { return };
        let Some((number, submission, since)) = self.inbox.pop_front() else { return };
        self.report.busy += self.scenario.commit;
        self.report.longest_wait = self.report.longest_wait.max(self.now.saturating_sub(since));
        self.progress = self.now;
        let Submission { matchup, game, token, .. } = &submission;
        match coordinator.submit(&submission, self.now) {
            Ruling::Commit => {
                let granted = self.granted.entry(*matchup).or_default();
                self.report.committed_stale += u64::from(token < granted);
                *granted = token.max(granted).to_owned();
                let missing = self.missing.get_mut(matchup);
                if missing.is_some_and(|missing| missing.remove(game)) {
                    self.report.committed += 1;
                } else {
                    self.report.committed_twice += 1;
                }
                coordinator.committed(*game);
                if self.missing.get(matchup).is_some_and(BTreeSet::is_empty) {
                    self.missing.remove(matchup);
                    self.offered.remove(matchup);
                    self.granted.remove(matchup);
                }
            }
            Ruling::Stale => self.report.stale += 1,
            // A game that an earlier coordinator has committed is not scheduled.
            Ruling::Again | Ruling::Unscheduled => self.report.again += 1,
            Ruling::OtherEngine => {}
        }
        if self.is_broker_up {
            self.report.messages += 1;
            self.broker.results.remove(&number);
        }
        self.is_committing = !self.inbox.is_empty();
        if self.is_committing {
            self.later(self.scenario.commit, Self::commit);
        }
        self.offer();
    }

    // Failures.

    fn fail(&mut self) {
        self.failures += 1;
        self.progress = self.now;
        if self.missing.is_empty() {
            return;
        }
        let back = self.up_to(self.scenario.lease) * (self.below(ABSENCE) as u32 + 1);
        let worker = self.below(u64::from(self.scenario.workers)) as u32;
        match self.below(6) {
            0 | 1 => {
                let own = &mut self.workers[worker as usize];
                own.is_alive = false;
                own.is_waiting = false;
                own.playing = None;
                self.later(back, move |all| all.worker_back(worker));
            }
            // Stopped or cut off.
            2 | 3 => self.workers[worker as usize].cut_off = self.now + back,
            4 => {
                self.coordinator = None;
                self.later(back, Self::coordinator_back);
            }
            _ => {
                self.is_broker_up = false;
                // A killed broker has written everything; a power cut takes what was not flushed.
                if self.below(2) == 0 {
                    self.broker = self.flushed.clone();
                }
                self.inbox.clear();
                self.is_committing = false;
                self.later(back, Self::broker_back);
            }
        }
    }
}

fn key(number: u64, kind: u8) -> Key {
    let mut bytes = [kind; 16];
    bytes[..8].copy_from_slice(&number.to_be_bytes());
    Key::from_bytes(bytes)
}
