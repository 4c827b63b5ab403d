//! The machine that hands out meetings and judges results.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::Duration;

use plan::Key;
use serde::{Deserialize, Serialize};

use crate::token::{Token, WorkerName};
use crate::worker::{Capacity, Refusal, Terms, WorkerRecord};

/// Which meetings are to be played, who plays them, and which results count.
#[derive(Clone, Debug)]
pub struct Coordinator {
    terms: Terms,
    /// Those that have games without a result, by key.
    meetings: BTreeMap<Key, Meeting>,
    /// The meeting of each game without a result.
    meeting_of: BTreeMap<Key, Key>,
    /// Games whose results are being committed, and whose they are.
    committing: BTreeMap<Key, WorkerName>,
    committed: BTreeSet<Key>,
    workers: BTreeMap<WorkerName, WorkerRecord>,
    /// When leases end, and when messages that nobody has are looked for.
    timers: BTreeSet<(Duration, Key)>,
    /// The next number of a publication.
    next: u64,
    directives: VecDeque<Directive>,
}

/// An action of the shell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Directive {
    /// Publish the meeting under this number. If the broker has a message with the same games, and no smaller number than
    /// `at_least`, say so instead: [`Coordinator::found`].
    Publish {
        /// The meeting.
        meeting: Key,
        /// The number.
        publication: u64,
        /// Leases of earlier publications are over.
        at_least: u64,
    },
    /// Look for the message with the meeting, and say so: [`Coordinator::found`] or [`Coordinator::lost`].
    Check(Key),
    /// Delete the message with the meeting, if there is one: all its games have results.
    Withdraw(Key),
    /// The games of the meeting are not to be had: too many leases have ended without them. Delete its message.
    GiveUp(Key),
}

/// Outcome of a claim or of a heartbeat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Claim {
    /// The worker has the lease.
    Granted,
    /// A later lease was granted: the worker gives the meeting back.
    Stale,
    /// The meeting is not to be played (any more): its message is to be deleted.
    Unwanted,
    /// The worker is put aside: it gives the meeting back, and asks for no more.
    PutAside,
}

/// A result of a game, as far as it matters whether it counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Submission {
    /// Worker that played the game.
    pub worker: WorkerName,
    /// The engine of that worker.
    pub engine: String,
    /// The meeting.
    pub meeting: Key,
    /// The game.
    pub game: Key,
    /// The lease.
    pub token: Token,
}

/// Ruling on a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ruling {
    /// It counts: commit it, then say so ([`Coordinator::committed`]).
    Commit,
    /// The game has a result, or one that is being committed: compare them.
    Again,
    /// A later lease was granted, to another worker or the same one.
    Stale,
    /// No such game of this meeting is to be played.
    Unscheduled,
    /// It was played by other rules.
    OtherEngine,
}

/// A meeting that has games without a result.
#[derive(Clone, Debug, Default)]
struct Meeting {
    missing: BTreeSet<Key>,
    /// The greatest token that was claimed.
    newest: Token,
    /// Worker that has the lease.
    lease: Option<WorkerName>,
    /// When the lease ends; without one, when its message is looked for.
    due: Option<Duration>,
    /// The number of its message, as far as that is known.
    publication: u64,
    /// Leases that have ended without all results.
    ended: u32,
}

/// Durations of a lease between two searches for a message that nobody has: nobody would tell if it were gone.
const WATCH: u32 = 4;

impl Coordinator {
    /// One without meetings. It numbers publications from `next` on, which is to be greater than all numbers of an
    /// earlier coordinator of the tournament; if it is not, meetings are published once more.
    #[must_use]
    pub fn new(terms: Terms, next: u64) -> Self {
        Self {
            terms,
            meetings: BTreeMap::new(),
            meeting_of: BTreeMap::new(),
            committing: BTreeMap::new(),
            committed: BTreeSet::new(),
            workers: BTreeMap::new(),
            timers: BTreeSet::new(),
            next,
            directives: VecDeque::new(),
        }
    }

    /// Conditions for workers.
    #[must_use]
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// The workers by name.
    #[must_use]
    pub fn workers(&self) -> &BTreeMap<WorkerName, WorkerRecord> {
        &self.workers
    }

    /// Number of meetings with games that have no result.
    #[must_use]
    pub fn outstanding(&self) -> usize {
        self.meetings.len()
    }

    /// A worker asks to play.
    ///
    /// # Errors
    ///
    /// With the reason why it may not.
    pub fn admit(&mut self, worker: &WorkerName, capacity: Capacity) -> Result<(), Refusal> {
        let record = self.workers.entry(worker.clone()).or_default();
        let admitted = self.terms.admit(&capacity, record);
        record.capacity = Some(capacity);
        admitted
    }

    /// These games of a meeting are to be played.
    pub fn offer(&mut self, meeting: Key, games: impl IntoIterator<Item = Key>) {
        let own = self.meetings.entry(meeting).or_default();
        for game in games {
            self.committed.remove(&game);
            own.missing.insert(game);
            self.meeting_of.insert(game, meeting);
        }
        self.publish(meeting);
    }

    /// The broker has a message with the meeting, and this number.
    pub fn found(&mut self, meeting: Key, publication: u64) {
        self.next = self.next.max(publication + 1);
        let Some(own) = self.meetings.get_mut(&meeting) else { return };
        own.publication = publication;
        if publication < own.newest.publication {
            // The receiver of this message would be stale.
            self.publish(meeting);
        }
    }

    /// The broker has no message with the meeting. Whoever has a lease may still give results.
    pub fn lost(&mut self, meeting: Key) {
        if self.meetings.get(&meeting).is_some_and(|own| own.lease.is_none()) {
            self.publish(meeting);
        }
    }

    /// The games of a meeting are not to be played any more.
    pub fn forget(&mut self, meeting: Key) {
        self.remove(meeting);
    }

    /// The broker was away, and may have lost what it had taken. Nobody could say meanwhile that a meeting is played:
    /// leases last as if they were granted now.
    pub fn reconnected(&mut self, now: Duration) {
        self.directives.extend(self.meetings.keys().copied().map(Directive::Check));
        let held = self.meetings.iter().filter(|(_, own)| own.lease.is_some());
        let held: Vec<Key> = held.map(|(meeting, _)| *meeting).collect();
        for meeting in held {
            self.set_due(meeting, Some(now + self.terms.lease));
        }
    }

    /// Ends the leases that were due at a moment, up to which everything is known that workers have said; whose they
    /// were. Messages that nobody has are looked for.
    pub fn expire(&mut self, heard: Duration) -> Vec<WorkerName> {
        let mut silent = Vec::new();
        while let Some(&(due, meeting)) = self.timers.first()
            && due <= heard
        {
            self.set_due(meeting, None);
            silent.extend(self.end(meeting, true));
            if self.meetings.contains_key(&meeting) {
                self.directives.push_back(Directive::Check(meeting));
            }
        }
        silent
    }

    /// A worker starts to play a meeting, or says that it still does.
    pub fn claim(
        &mut self,
        worker: &WorkerName,
        meeting: Key,
        token: Token,
        now: Duration,
    ) -> Claim {
        let Some(own) = self.meetings.get_mut(&meeting) else { return Claim::Unwanted };
        if token < own.newest {
            return Claim::Stale;
        }
        if token == own.newest && own.lease.as_ref().is_some_and(|holder| holder != worker) {
            return Claim::Stale;
        }
        let is_new = token > own.newest;
        let record = self.workers.entry(worker.clone()).or_default();
        if is_new && record.faults_in_succession >= self.terms.faults {
            return Claim::PutAside;
        }
        own.newest = token;
        own.publication = own.publication.max(token.publication);
        self.next = self.next.max(token.publication + 1);
        let before = own.lease.replace(worker.clone());
        // The broker has taken the meeting from the one who had it.
        let is_taken = is_new && before.is_some();
        own.ended += u32::from(is_taken);
        self.set_due(meeting, Some(now + self.terms.lease));
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

    /// A worker gives a meeting back, because of a host fault or because it was told to stop.
    pub fn give_back(
        &mut self,
        worker: &WorkerName,
        meeting: Key,
        token: Token,
        is_fault: bool,
        now: Duration,
    ) {
        if self.claim(worker, meeting, token, now) == Claim::Granted {
            self.end(meeting, is_fault);
            self.set_due(meeting, Some(now + self.terms.lease * WATCH));
        }
    }

    /// Judges a result.
    pub fn submit(&mut self, submission: &Submission, now: Duration) -> Ruling {
        let Submission { worker, engine, meeting, game, token } = submission;
        let ruling = if *engine != self.terms.engine {
            Ruling::OtherEngine
        } else if self.committed.contains(game) || self.committing.contains_key(game) {
            Ruling::Again
        } else if self.meeting_of.get(game) != Some(meeting) {
            Ruling::Unscheduled
        } else if self.claim(worker, *meeting, *token, now) == Claim::Granted {
            self.committing.insert(*game, worker.clone());
            return Ruling::Commit;
        } else {
            Ruling::Stale
        };
        self.workers.entry(worker.clone()).or_default().rejected += 1;
        ruling
    }

    /// The result of a game that was to be committed is none, for another reason: it cannot be verified, or a host fault
    /// spoilt it.
    pub fn refused(&mut self, game: Key) {
        if let Some(worker) = self.committing.remove(&game) {
            let record = self.workers.entry(worker).or_default();
            record.rejected += 1;
            record.faults += 1;
            record.faults_in_succession += 1;
        }
    }

    /// The result of a game is committed.
    pub fn committed(&mut self, game: Key) {
        self.committed.insert(game);
        if let Some(worker) = self.committing.remove(&game) {
            let record = self.workers.entry(worker).or_default();
            record.committed += 1;
            record.faults_in_succession = 0;
        }
        let Some(meeting) = self.meeting_of.remove(&game) else { return };
        let Some(own) = self.meetings.get_mut(&meeting) else { return };
        own.missing.remove(&game);
        if !own.missing.is_empty() {
            return;
        }
        // The sender of the last result acknowledges its message; nobody does so for a later one.
        if own.publication > own.newest.publication {
            self.directives.push_back(Directive::Withdraw(meeting));
        }
        self.remove(meeting);
    }

    /// The next directive for the shell; `None` if there is none before the next event.
    pub fn poll(&mut self, now: Duration) -> Option<Directive> {
        while let Some(directive) = self.directives.pop_front() {
            if let Directive::Publish { meeting, .. } | Directive::Check(meeting) = directive {
                let Some(own) = self.meetings.get(&meeting) else { continue };
                if own.lease.is_none() {
                    self.set_due(meeting, Some(now + self.terms.lease * WATCH));
                }
            }
            return Some(directive);
        }
        None
    }

    /// When the next lease ends, or the next message is to be looked for: [`expire`](Self::expire).
    #[must_use]
    pub fn next_timeout(&self) -> Option<Duration> {
        self.timers.first().map(|(until, _)| *until)
    }

    fn publish(&mut self, meeting: Key) {
        let Some(own) = self.meetings.get_mut(&meeting) else { return };
        own.publication = self.next.max(own.newest.publication + 1);
        self.next = own.publication + 1;
        let (publication, at_least) = (own.publication, own.newest.publication);
        self.directives.push_back(Directive::Publish { meeting, publication, at_least });
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

    /// Ends the lease of a meeting, without all its results; whose it was.
    fn end(&mut self, meeting: Key, is_fault: bool) -> Option<WorkerName> {
        let own = self.meetings.get_mut(&meeting)?;
        let worker = own.lease.take()?;
        own.ended += u32::from(is_fault);
        let is_given_up = own.ended >= self.terms.deliveries;
        self.end_lease(&worker, is_fault);
        if is_given_up {
            self.directives.push_back(Directive::GiveUp(meeting));
            self.remove(meeting);
        }
        Some(worker)
    }

    fn set_due(&mut self, meeting: Key, due: Option<Duration>) {
        let Some(own) = self.meetings.get_mut(&meeting) else { return };
        if let Some(before) = std::mem::replace(&mut own.due, due) {
            self.timers.remove(&(before, meeting));
        }
        self.timers.extend(due.map(|due| (due, meeting)));
    }

    fn remove(&mut self, meeting: Key) {
        self.set_due(meeting, None);
        let Some(own) = self.meetings.remove(&meeting) else { return };
        for game in own.missing {
            self.meeting_of.remove(&game);
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

    fn coordinator() -> Coordinator {
        let engine = String::new();
        let terms = Terms { engine, lease: LEASE, deliveries: 5, faults: 3, deadline: None };
        Coordinator::new(terms, 1)
    }

    #[test]
    fn a_meeting_that_was_published_again_is_withdrawn_once_it_is_complete() {
        let (lease, engine, mut coordinator) = (LEASE, String::new(), coordinator());
        let (meeting, game) = (Key::from_bytes([1; 16]), Key::from_bytes([2; 16]));
        coordinator.offer(meeting, [game]);
        let now = Duration::ZERO;
        assert_eq!(
            coordinator.poll(now),
            Some(Directive::Publish { meeting, publication: 1, at_least: 0 })
        );
        let worker = WorkerName::from("slow".to_owned());
        let token = Token { publication: 1, delivery: 1 };
        assert_eq!(coordinator.claim(&worker, meeting, token, now), Claim::Granted);
        assert_eq!(coordinator.next_timeout(), Some(lease));

        // It falls silent, and the broker has lost the message.
        assert_eq!(coordinator.expire(lease), std::slice::from_ref(&worker));
        assert_eq!(coordinator.poll(lease), Some(Directive::Check(meeting)));
        assert_eq!(coordinator.workers()[&worker].faults_in_succession, 1);
        coordinator.lost(meeting);
        assert_eq!(
            coordinator.poll(lease),
            Some(Directive::Publish { meeting, publication: 2, at_least: 1 })
        );

        // Its result comes after all, before anybody else has claimed the meeting.
        let submission = Submission { worker: worker.clone(), engine, meeting, game, token };
        assert_eq!(coordinator.submit(&submission, lease), Ruling::Commit);
        coordinator.committed(game);
        assert_eq!(coordinator.poll(lease), Some(Directive::Withdraw(meeting)));
        let record = &coordinator.workers()[&worker];
        assert_eq!((record.committed, record.faults_in_succession, record.leases), (1, 0, 0));
        assert_eq!((coordinator.outstanding(), coordinator.next_timeout()), (0, None));
        let next = Token { publication: 2, delivery: 1 };
        assert_eq!(coordinator.claim(&worker, meeting, next, lease), Claim::Unwanted);
    }

    #[test]
    fn nobody_is_to_blame_for_silence_while_the_broker_is_away() {
        let (lease, mut coordinator) = (LEASE, coordinator());
        let meeting = Key::from_bytes([1; 16]);
        coordinator.offer(meeting, [Key::from_bytes([2; 16])]);
        let worker = WorkerName::from("Ada".to_owned());
        let token = Token { publication: 1, delivery: 1 };
        assert_eq!(coordinator.claim(&worker, meeting, token, Duration::ZERO), Claim::Granted);
        let back = lease * 10;
        coordinator.reconnected(back);
        assert!(coordinator.expire(back).is_empty());
        assert_eq!(coordinator.next_timeout(), Some(back + lease));
        assert_eq!(coordinator.expire(back + lease), [worker]);
    }

    #[test]
    fn a_message_that_nobody_has_is_looked_for_now_and_then() {
        let (lease, mut coordinator) = (LEASE, coordinator());
        let meeting = Key::from_bytes([1; 16]);
        coordinator.offer(meeting, [Key::from_bytes([2; 16])]);
        let mut now = Duration::ZERO;
        assert!(matches!(coordinator.poll(now), Some(Directive::Publish { .. })));
        for publication in 2..4 {
            now = coordinator.next_timeout().unwrap();
            assert!(coordinator.expire(now).is_empty());
            assert_eq!(coordinator.poll(now), Some(Directive::Check(meeting)));
            assert_eq!(coordinator.poll(now), None);
            coordinator.lost(meeting);
            let at_least = 0;
            let expected = Directive::Publish { meeting, publication, at_least };
            assert_eq!(coordinator.poll(now), Some(expected));
        }
        assert_eq!(now, lease * WATCH * 2);
        assert!(coordinator.workers().is_empty(), "nobody is to blame");
    }
}
