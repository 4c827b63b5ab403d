//! The state machine that hands out matchups and judges results.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::Duration;

use plan::Key;
use serde::{Deserialize, Serialize};

use crate::token::{Token, WorkerName};
use crate::worker::{Capacity, Refusal, Terms, WorkerRecord};

/// State machine that grants leases of the matchups to be played, and rules on results.
#[derive(Clone, Debug)]
pub struct Coordinator {
    terms: Terms,
    /// The matchups that have games without a result, by key.
    matchups: BTreeMap<Key, OpenMatchup>,
    /// The matchup of each game without a result.
    matchup_of: BTreeMap<Key, Key>,
    /// Games whose results are being committed, and the workers of these results.
    committing: BTreeMap<Key, WorkerName>,
    committed: BTreeSet<Key>,
    workers: BTreeMap<WorkerName, WorkerRecord>,
    /// Ends of leases, and times of the next checks for messages that no worker has.
    timers: BTreeSet<(Duration, Key)>,
    /// The number of the next publication.
    next: u64,
    /// The number of the first publication: smaller ones are of earlier coordinators.
    first: u64,
    directives: VecDeque<Directive>,
}

/// A task for the shell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Directive {
    /// Publish the matchup under this number. If the broker has a message with these games and a number not below
    /// `at_least`, call [`Coordinator::found`] instead.
    Publish {
        /// The matchup.
        matchup: Key,
        /// The number.
        publication: u64,
        /// The smallest number of a publication that workers can still claim.
        at_least: u64,
    },
    /// Look for the message with the matchup, then call [`Coordinator::found`] or [`Coordinator::lost`].
    Check(Key),
    /// Delete the message with the matchup, if there is one: all its games have results.
    Withdraw(Key),
    /// Give the matchup up and delete its message: too many leases have ended without all results.
    GiveUp(Key),
}

/// The answer to a claim or to a heartbeat of its lease.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Claim {
    /// The worker has the lease.
    Granted,
    /// A later lease was granted: the worker drops the matchup.
    Stale,
    /// The matchup is not, or no longer, to be played: the worker deletes its message.
    Unwanted,
    /// The worker is put aside: it gives the matchup back, and asks for no more.
    PutAside,
}

/// The parts of a result that decide if it counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Submission {
    /// The worker that has played the game.
    pub worker: WorkerName,
    /// The engine of that worker.
    pub engine: String,
    /// The matchup.
    #[serde(rename = "meeting")]
    pub matchup: Key,
    /// The game.
    pub game: Key,
    /// The fencing token of the worker's lease.
    pub token: Token,
}

/// The verdict on a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ruling {
    /// The result counts: commit it, then call [`Coordinator::committed`].
    Commit,
    /// The game already has a result, or one is being committed: compare both.
    Again,
    /// A later lease was granted, to another worker or the same one.
    Stale,
    /// The matchup has no such game to be played.
    Unscheduled,
    /// The engine is not the coordinator's.
    OtherEngine,
}

#[derive(Clone, Debug, Default)]
struct OpenMatchup {
    missing: BTreeSet<Key>,
    /// The greatest token claimed.
    newest: Token,
    lease: Option<WorkerName>,
    /// The end of the lease; without a lease, the time of the next check for the message.
    due: Option<Duration>,
    /// The number of the matchup's last known publication.
    publication: u64,
    /// Number of leases that ended by a fault, by silence or by a redelivery.
    ended: u32,
    /// True after a lease has ended by silence, until the next lease. The token of that lease may have been made up, and
    /// then be greater than that of any delivery of its publication.
    is_silent: bool,
}

impl OpenMatchup {
    /// The smallest number of a publication that workers can still claim.
    fn at_least(&self) -> u64 {
        self.newest.publication + u64::from(self.is_silent)
    }
}

/// Interval of the checks for a message that no worker has, in durations of a lease: nothing else reveals its loss.
const WATCH: u32 = 4;

impl Coordinator {
    /// A coordinator without matchups. It numbers publications from `next` on, which should exceed all numbers of earlier
    /// coordinators of the tournament; otherwise matchups are published once more.
    #[must_use]
    pub fn new(terms: Terms, next: u64) -> Self {
        Self {
            terms,
            matchups: BTreeMap::new(),
            matchup_of: BTreeMap::new(),
            committing: BTreeMap::new(),
            committed: BTreeSet::new(),
            workers: BTreeMap::new(),
            timers: BTreeSet::new(),
            next,
            first: next,
            directives: VecDeque::new(),
        }
    }

    /// The requirements for workers.
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// The workers by name.
    pub fn workers(&self) -> &BTreeMap<WorkerName, WorkerRecord> {
        &self.workers
    }

    /// Number of matchups with games that have no result.
    pub fn outstanding(&self) -> usize {
        self.matchups.len()
    }

    /// Decides if a worker that asks to play may do so.
    ///
    /// # Errors
    ///
    /// When the worker may not play, with the reason.
    pub fn admit(&mut self, worker: &WorkerName, capacity: Capacity) -> Result<(), Refusal> {
        let record = self.workers.entry(worker.clone()).or_default();
        let admitted = self.terms.admit(&capacity, record);
        record.capacity = Some(capacity);
        admitted
    }

    /// Adds games of a matchup to be played, and publishes the matchup.
    pub fn offer(&mut self, matchup: Key, games: impl IntoIterator<Item = Key>) {
        let own = self.matchups.entry(matchup).or_default();
        for game in games {
            self.committed.remove(&game);
            own.missing.insert(game);
            self.matchup_of.insert(game, matchup);
        }
        self.publish(matchup);
    }

    /// Records that the broker has a message with the matchup, under this number. A message whose number no coordinator
    /// gives is published again.
    pub fn found(&mut self, matchup: Key, publication: u64) {
        let is_ours = publication <= Token::LAST_PUBLICATION;
        if is_ours {
            self.next = self.next.max(publication + 1);
        }
        let Some(own) = self.matchups.get_mut(&matchup) else { return };
        if is_ours {
            own.publication = publication;
        }
        if !is_ours || publication < own.at_least() {
            // Any claim by this message would be stale.
            self.publish(matchup);
        }
    }

    /// Publishes a matchup again of which the broker has no message, unless a lease may still bring its results.
    pub fn lost(&mut self, matchup: Key) {
        if self.matchups.get(&matchup).is_some_and(|own| own.lease.is_none()) {
            self.publish(matchup);
        }
    }

    /// Drops a matchup whose games are no longer to be played.
    pub fn forget(&mut self, matchup: Key) {
        self.remove(matchup);
    }

    /// Checks all messages once the broker is back, which may have lost some. It could not deliver heartbeats meanwhile, so
    /// that all leases last as if they were granted now.
    pub fn reconnected(&mut self, now: Duration) {
        self.directives.extend(self.matchups.keys().copied().map(Directive::Check));
        let held = self.matchups.iter().filter(|(_, own)| own.lease.is_some());
        let held: Vec<Key> = held.map(|(matchup, _)| *matchup).collect();
        for matchup in held {
            self.set_due(matchup, Some(now + self.terms.lease));
        }
    }

    /// Ends the leases that are due at `heard`, the moment up to which all messages of workers are known, and returns
    /// their workers. Checks for messages that no worker has.
    pub fn expire(&mut self, heard: Duration) -> Vec<WorkerName> {
        let mut silent = Vec::new();
        while let Some(&(due, matchup)) = self.timers.first()
            && due <= heard
        {
            self.set_due(matchup, None);
            let worker = self.end(matchup, true);
            if let Some(own) = self.matchups.get_mut(&matchup) {
                own.is_silent |= worker.is_some();
                self.directives.push_back(Directive::Check(matchup));
            }
            silent.extend(worker);
        }
        silent
    }

    /// Grants, renews or refuses the lease of a matchup. A token of a publication that is not known is stale.
    pub fn claim(
        &mut self,
        worker: &WorkerName,
        matchup: Key,
        token: Token,
        now: Duration,
    ) -> Claim {
        let Some(own) = self.matchups.get_mut(&matchup) else { return Claim::Unwanted };
        if token < own.newest || token.publication > own.publication {
            return Claim::Stale;
        }
        // A lease ends by silence: the broker delivers a matchup again when it has lost the news of its worker, and anybody
        // can make up the number of a delivery.
        let is_held = own.lease.as_ref().is_some_and(|holder| holder != worker);
        if is_held && token.publication == own.newest.publication {
            return Claim::Stale;
        }
        let is_new = token > own.newest;
        let record = self.workers.entry(worker.clone()).or_default();
        if is_new && record.faults_in_succession >= self.terms.faults {
            return Claim::PutAside;
        }
        own.newest = token;
        own.is_silent = false;
        let before = own.lease.replace(worker.clone());
        // The broker has delivered the matchup again during its lease.
        let is_taken = is_new && before.is_some();
        own.ended += u32::from(is_taken);
        self.set_due(matchup, Some(now + self.terms.lease));
        match before {
            Some(before) if is_taken => {
                self.end_lease(&before, true);
                self.begin_lease(worker);
            }
            Some(_) => {}
            None => self.begin_lease(worker),
        }
        Claim::Granted
    }

    /// Ends the lease of a worker that gives a matchup back, because of a host fault or because it was told to stop.
    /// Returns false, and changes nothing, if the worker does not have the lease with this token.
    pub fn give_back(
        &mut self,
        worker: &WorkerName,
        matchup: Key,
        token: Token,
        is_fault: bool,
        now: Duration,
    ) -> bool {
        let own = self.matchups.get(&matchup);
        if own.is_none_or(|own| own.lease.as_ref() != Some(worker) || own.newest != token) {
            return false;
        }
        self.end(matchup, is_fault);
        self.set_due(matchup, Some(now + self.terms.lease * WATCH));
        true
    }

    /// Judges a result.
    pub fn submit(&mut self, submission: &Submission, now: Duration) -> Ruling {
        let Submission { worker, engine, matchup, game, token } = submission;
        let ruling = if *engine != self.terms.engine {
            Ruling::OtherEngine
        } else if self.committed.contains(game) || self.committing.contains_key(game) {
            Ruling::Again
        } else if self.matchup_of.get(game) != Some(matchup) {
            Ruling::Unscheduled
        } else if self.claim(worker, *matchup, *token, now) == Claim::Granted {
            self.committing.insert(*game, worker.clone());
            return Ruling::Commit;
        } else {
            Ruling::Stale
        };
        // The broker delivers a result again whose acknowledgement was lost, also to the next coordinator.
        let is_repeated = match ruling {
            Ruling::Again => true,
            Ruling::Unscheduled => token.publication < self.first,
            _ => false,
        };
        self.workers.entry(worker.clone()).or_default().rejected += u64::from(!is_repeated);
        ruling
    }

    /// Counts a fault for a result that was to be committed, but cannot be verified or was spoilt by a host fault.
    pub fn refused(&mut self, game: Key) {
        if let Some(worker) = self.committing.remove(&game) {
            let record = self.workers.entry(worker).or_default();
            record.rejected += 1;
            record.faults += 1;
            record.faults_in_succession += 1;
        }
    }

    /// Records that the result of a game is committed.
    pub fn committed(&mut self, game: Key) {
        self.committed.insert(game);
        if let Some(worker) = self.committing.remove(&game) {
            let record = self.workers.entry(worker).or_default();
            record.committed += 1;
            record.faults_in_succession = 0;
        }
        let Some(matchup) = self.matchup_of.remove(&game) else { return };
        let Some(own) = self.matchups.get_mut(&matchup) else { return };
        own.missing.remove(&game);
        if !own.missing.is_empty() {
            return;
        }
        // The worker of the last result acknowledges the claimed publication; nobody acknowledges a later one.
        if own.publication > own.newest.publication {
            self.directives.push_back(Directive::Withdraw(matchup));
        }
        self.remove(matchup);
    }

    /// The next directive for the shell; `None` if there is none before the next event.
    pub fn poll(&mut self, now: Duration) -> Option<Directive> {
        while let Some(directive) = self.directives.pop_front() {
            if let Directive::Publish { matchup, .. } | Directive::Check(matchup) = directive {
                let Some(own) = self.matchups.get(&matchup) else { continue };
                if own.lease.is_none() {
                    self.set_due(matchup, Some(now + self.terms.lease * WATCH));
                }
            }
            return Some(directive);
        }
        None
    }

    /// The time of the next call of [`expire`](Self::expire): a lease ends, or a check is due.
    pub fn next_timeout(&self) -> Option<Duration> {
        self.timers.first().map(|(until, _)| *until)
    }

    fn publish(&mut self, matchup: Key) {
        let Some(own) = self.matchups.get_mut(&matchup) else { return };
        own.publication = self.next.max(own.newest.publication + 1);
        self.next = own.publication + 1;
        let (publication, at_least) = (own.publication, own.at_least());
        self.directives.push_back(Directive::Publish { matchup, publication, at_least });
    }

    fn begin_lease(&mut self, worker: &WorkerName) {
        self.workers.entry(worker.clone()).or_default().leases += 1;
    }

    fn end_lease(&mut self, worker: &WorkerName, is_fault: bool) {
        let record = self.workers.entry(worker.clone()).or_default();
        record.leases = record.leases.saturating_sub(1);
        if is_fault {
            record.faults += 1;
            record.faults_in_succession += 1;
        }
    }

    /// Ends the lease of a matchup before its last result; returns its worker, if there was a lease.
    fn end(&mut self, matchup: Key, is_fault: bool) -> Option<WorkerName> {
        let own = self.matchups.get_mut(&matchup)?;
        let worker = own.lease.take()?;
        own.ended += u32::from(is_fault);
        let is_given_up = own.ended >= self.terms.deliveries;
        self.end_lease(&worker, is_fault);
        if is_given_up {
            self.directives.push_back(Directive::GiveUp(matchup));
            self.remove(matchup);
        }
        Some(worker)
    }

    fn set_due(&mut self, matchup: Key, due: Option<Duration>) {
        let Some(own) = self.matchups.get_mut(&matchup) else { return };
        if let Some(before) = std::mem::replace(&mut own.due, due) {
            self.timers.remove(&(before, matchup));
        }
        self.timers.extend(due.map(|due| (due, matchup)));
    }

    fn remove(&mut self, matchup: Key) {
        self.set_due(matchup, None);
        let Some(own) = self.matchups.remove(&matchup) else { return };
        for game in own.missing {
            self.matchup_of.remove(&game);
        }
        if let Some(worker) = own.lease {
            self.end_lease(&worker, false);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEASE: Duration = Duration::from_secs(1);

    /// The first delivery of the first publication.
    const FIRST: Token = Token { publication: 1, delivery: 1 };

    /// A coordinator that was offered a matchup of one game, with the keys of both.
    fn offered() -> (Coordinator, Key, Key) {
        let engine = String::new();
        let terms = Terms { engine, lease: LEASE, deliveries: 5, faults: 3, deadline: None };
        let mut coordinator = Coordinator::new(terms, 1);
        let (matchup, game) = (Key::from_bytes([1; 16]), Key::from_bytes([2; 16]));
        coordinator.offer(matchup, [game]);
        (coordinator, matchup, game)
    }

    fn workers() -> [WorkerName; 2] {
        ["Ada", "Eve"].map(|name| WorkerName::from(name.to_owned()))
    }

    #[test]
    fn a_matchup_that_was_published_again_is_withdrawn_once_it_is_complete() {
        let (mut coordinator, matchup, game) = offered();
        let (lease, engine, token, [worker, _]) = (LEASE, String::new(), FIRST, workers());
        let now = Duration::ZERO;
        assert_eq!(
            coordinator.poll(now),
            Some(Directive::Publish { matchup, publication: 1, at_least: 0 })
        );
        assert_eq!(coordinator.claim(&worker, matchup, token, now), Claim::Granted);
        assert_eq!(coordinator.next_timeout(), Some(lease));

        // The worker falls silent, and the broker has lost the message.
        assert_eq!(coordinator.expire(lease), std::slice::from_ref(&worker));
        assert_eq!(coordinator.poll(lease), Some(Directive::Check(matchup)));
        assert_eq!(coordinator.workers()[&worker].faults_in_succession, 1);
        coordinator.lost(matchup);
        assert_eq!(
            coordinator.poll(lease),
            Some(Directive::Publish { matchup, publication: 2, at_least: 2 })
        );

        // The worker's result comes after all, before another worker claims the matchup.
        let submission = Submission { worker: worker.clone(), engine, matchup, game, token };
        assert_eq!(coordinator.submit(&submission, lease), Ruling::Commit);
        coordinator.committed(game);
        assert_eq!(coordinator.poll(lease), Some(Directive::Withdraw(matchup)));
        let record = &coordinator.workers()[&worker];
        assert_eq!((record.committed, record.faults_in_succession, record.leases), (1, 0, 0));
        assert_eq!((coordinator.outstanding(), coordinator.next_timeout()), (0, None));
        let next = Token { publication: 2, delivery: 1 };
        assert_eq!(coordinator.claim(&worker, matchup, next, lease), Claim::Unwanted);
    }

    #[test]
    fn a_result_that_is_delivered_again_is_not_rejected() {
        let (mut coordinator, matchup, game) = offered();
        let (engine, token, [worker, _]) = (String::new(), FIRST, workers());
        let submission = Submission { worker: worker.clone(), engine, matchup, game, token };
        let rejected = |coordinator: &Coordinator| coordinator.workers()[&worker].rejected;
        assert_eq!(coordinator.submit(&submission, LEASE), Ruling::Commit);
        assert_eq!(coordinator.submit(&submission, LEASE), Ruling::Again);
        coordinator.committed(game);
        assert_eq!(coordinator.submit(&submission, LEASE), Ruling::Again);
        assert_eq!(rejected(&coordinator), 0);

        // The acknowledgement was lost, and the coordinator restarted: the game is not to be played any more.
        let mut next = Coordinator::new(coordinator.terms().clone(), 2);
        assert_eq!(next.submit(&submission, LEASE), Ruling::Unscheduled);
        assert_eq!(rejected(&next), 0);
        let token = Token { publication: 2, delivery: 1 };
        assert_eq!(next.submit(&Submission { token, ..submission }, LEASE), Ruling::Unscheduled);
        assert_eq!(rejected(&next), 1, "nothing of this coordinator's was such a game");
    }

    #[test]
    fn only_the_worker_that_has_the_lease_gives_a_matchup_back() {
        let (mut coordinator, matchup, _) = offered();
        let (token, [ada, eve]) = (FIRST, workers());
        let gives_back = |coordinator: &mut Coordinator, worker, token| {
            coordinator.give_back(worker, matchup, token, true, Duration::ZERO)
        };
        assert!(!gives_back(&mut coordinator, &eve, token), "nobody has the lease");
        assert_eq!(coordinator.claim(&ada, matchup, token, Duration::ZERO), Claim::Granted);
        let later = Token { delivery: 2, ..token };
        for (worker, token) in [(&eve, token), (&eve, later), (&ada, later)] {
            assert!(!gives_back(&mut coordinator, worker, token), "{worker} {token}");
        }
        assert_eq!(coordinator.workers()[&ada].leases, 1);
        assert!(gives_back(&mut coordinator, &ada, token));
        assert!(!gives_back(&mut coordinator, &ada, token), "once");
        assert_eq!(coordinator.workers()[&ada].faults, 1);
        assert!(!coordinator.workers().contains_key(&eve));
    }

    #[test]
    fn made_up_tokens_do_not_stall_a_matchup() {
        let (mut coordinator, matchup, _) = offered();
        let (now, [ada, eve]) = (Duration::ZERO, workers());
        assert!(matches!(coordinator.poll(now), Some(Directive::Publish { .. })));
        // No coordinator has published these.
        for publication in [2, u64::MAX] {
            let token = Token { publication, delivery: 1 };
            assert_eq!(coordinator.claim(&eve, matchup, token, now), Claim::Stale);
        }
        assert_eq!(coordinator.claim(&ada, matchup, FIRST, now), Claim::Granted);
        let later = Token { delivery: u64::MAX, ..FIRST };
        assert_eq!(coordinator.claim(&eve, matchup, later, now), Claim::Stale);
        assert_eq!(coordinator.claim(&ada, matchup, FIRST, now), Claim::Granted, "still Ada's");
        coordinator.offer(matchup, []);
        coordinator.found(matchup, u64::MAX);
        let mut published = 0;
        while let Some(directive) = coordinator.poll(now) {
            let Directive::Publish { publication, .. } = directive else { continue };
            assert!(publication < 10, "{publication}");
            published = publication;
        }
        assert!(published > 1);

        // No delivery of this publication will ever have such a number.
        let token = Token { publication: published, delivery: u64::MAX };
        assert_eq!(coordinator.claim(&eve, matchup, token, now), Claim::Granted);
        assert_eq!(coordinator.expire(LEASE), [eve]);
        assert_eq!(coordinator.poll(LEASE), Some(Directive::Check(matchup)));
        coordinator.found(matchup, published);
        let Some(Directive::Publish { publication, at_least, .. }) = coordinator.poll(LEASE) else {
            panic!("the matchup can never be claimed again");
        };
        assert!(at_least > published && publication >= at_least, "{publication} {at_least}");
        let token = Token { publication, delivery: 1 };
        assert_eq!(coordinator.claim(&ada, matchup, token, LEASE), Claim::Granted);
    }

    #[test]
    fn leases_last_anew_after_the_broker_was_away() {
        let (mut coordinator, matchup, _) = offered();
        let (lease, [worker, _]) = (LEASE, workers());
        assert_eq!(coordinator.claim(&worker, matchup, FIRST, Duration::ZERO), Claim::Granted);
        let back = lease * 10;
        coordinator.reconnected(back);
        assert!(coordinator.expire(back).is_empty());
        assert_eq!(coordinator.next_timeout(), Some(back + lease));
        assert_eq!(coordinator.expire(back + lease), [worker]);
    }

    #[test]
    fn unclaimed_message_is_checked_periodically() {
        let (mut coordinator, matchup, _) = offered();
        let lease = LEASE;
        let mut now = Duration::ZERO;
        assert!(matches!(coordinator.poll(now), Some(Directive::Publish { .. })));
        for publication in 2..4 {
            now = coordinator.next_timeout().unwrap();
            assert!(coordinator.expire(now).is_empty());
            assert_eq!(coordinator.poll(now), Some(Directive::Check(matchup)));
            assert_eq!(coordinator.poll(now), None);
            coordinator.lost(matchup);
            let at_least = 0;
            let expected = Directive::Publish { matchup, publication, at_least };
            assert_eq!(coordinator.poll(now), Some(expected));
        }
        assert_eq!(now, lease * WATCH * 2);
        assert!(coordinator.workers().is_empty(), "nobody is to blame");
    }
}
