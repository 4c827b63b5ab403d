//! The state of the workers for the live page.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use cluster::state::{Activity, ClusterState, WorkerState};
use cluster::{Coordinator, Refusal, WorkerName, WorkerRecord};

use crate::wire::Heartbeat;

/// Period over which rates are averaged.
const WINDOW: Duration = Duration::from_secs(60);

/// The last reports of workers, and the times of their last messages.
#[derive(Debug, Default)]
pub(super) struct WorkerMonitor {
    entries: BTreeMap<WorkerName, Entry>,
}

#[derive(Debug, Default)]
struct Entry {
    heard: Duration,
    places: Option<u32>,
    load: Option<u32>,
    is_gone: bool,
    refusal: Option<Activity>,
    /// Times of the last `WINDOW` with the worker's number of committed results at each, oldest first.
    counts: VecDeque<(Duration, u64)>,
}

impl WorkerMonitor {
    /// Records that a worker was admitted or refused.
    pub(super) fn admitted(
        &mut self,
        worker: &WorkerName,
        refusal: Option<&Refusal>,
        now: Duration,
    ) {
        let entry = self.entry(worker, now);
        entry.refusal = refusal.map(|refusal| match refusal {
            Refusal::OtherEngine { .. } => Activity::OtherVersion,
            Refusal::TooLate { .. } => Activity::TooSlow,
            Refusal::PutAside { .. } => Activity::PutAside,
        });
    }

    /// Records that a worker claims a matchup.
    pub(super) fn hear(&mut self, worker: &WorkerName, now: Duration) {
        self.entry(worker, now);
    }

    pub(super) fn beat(&mut self, heartbeat: &Heartbeat, now: Duration) {
        let Heartbeat { worker, places, load, is_leaving } = heartbeat;
        let entry = self.entry(worker, now);
        entry.places = Some(*places);
        entry.load = *load;
        entry.is_gone = *is_leaving;
    }

    fn entry(&mut self, worker: &WorkerName, now: Duration) -> &mut Entry {
        let entry = self.entries.entry(worker.clone()).or_default();
        entry.heard = now;
        entry.is_gone = false;
        entry
    }

    pub(super) fn state(
        &mut self,
        coordinator: &Coordinator,
        is_connected: bool,
        now: Duration,
    ) -> ClusterState {
        let terms = coordinator.terms();
        let mut workers = Vec::new();
        for (name, record) in coordinator.workers() {
            let entry = self.entries.entry(name.clone()).or_default();
            let activity = if record.faults_in_succession >= terms.faults {
                Activity::PutAside
            } else if let Some(refusal) = entry.refusal {
                refusal
            } else if entry.is_gone {
                Activity::Gone
            } else if now.saturating_sub(entry.heard) > terms.lease {
                Activity::Silent
            } else if record.leases > 0 {
                Activity::Playing
            } else {
                Activity::Waiting
            };
            workers.push(entry.worker(name, record, activity, now));
        }
        workers.sort_by(|a, b| (a.activity, &a.name).cmp(&(b.activity, &b.name)));
        ClusterState {
            is_connected,
            matchups: coordinator.outstanding(),
            leases: workers.iter().map(|worker| worker.leases).sum(),
            rate: workers.iter().map(|worker| worker.rate).sum(),
            workers,
        }
    }
}

impl Entry {
    fn worker(
        &mut self,
        name: &WorkerName,
        record: &WorkerRecord,
        activity: Activity,
        now: Duration,
    ) -> WorkerState {
        let capacity = record.capacity.as_ref();
        let lateness = capacity.map_or(0, |capacity| capacity.lateness.as_millis());
        WorkerState {
            name: name.to_string(),
            activity,
            places: self.places.or(capacity.map(|capacity| capacity.places)).unwrap_or(0),
            leases: record.leases,
            speed: capacity.map_or(0, |capacity| capacity.turns_per_second),
            lateness: u32::try_from(lateness).unwrap_or(u32::MAX),
            load: self.load,
            games: record.committed,
            rate: self.rate(record.committed, now),
            rejected: record.rejected,
            faults: record.faults,
        }
    }

    /// The committed games per minute over the last `WINDOW`.
    fn rate(&mut self, committed: u64, now: Duration) -> u32 {
        self.counts.push_back((now, committed));
        while self.counts.get(1).is_some_and(|(at, _)| *at + WINDOW <= now) {
            self.counts.pop_front();
        }
        let (since, before) = self.counts[0];
        let millis = now.saturating_sub(since).as_millis().max(1) as u64;
        u32::try_from((committed - before) * 60_000 / millis).unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use cluster::{Capacity, Claim, Terms, Token};
    use plan::Key;

    use super::*;

    fn terms() -> Terms {
        Terms {
            engine: "a".to_owned(),
            lease: Duration::from_secs(15),
            deliveries: 5,
            faults: 2,
            deadline: Some(Duration::from_millis(100)),
        }
    }

    fn capacity() -> Capacity {
        let lateness = Duration::from_millis(3);
        Capacity { engine: "a".to_owned(), places: 2, turns_per_second: 900, lateness }
    }

    #[test]
    fn monitor_shows_playing_silent_and_gone_workers() {
        let mut coordinator = Coordinator::new(terms(), 1);
        let mut monitor = WorkerMonitor::default();
        let second = Duration::from_secs;
        let name = |name: &str| WorkerName::from(name.to_owned());
        let slow = Capacity { lateness: second(1), ..capacity() };
        for (worker, capacity) in [("b", capacity()), ("a", capacity()), ("c", slow)] {
            let refusal = coordinator.admit(&name(worker), capacity).err();
            monitor.admitted(&name(worker), refusal.as_ref(), second(1));
        }
        let (matchup, games) =
            (Key::from_bytes([1; 16]), [2, 3].map(|it| Key::from_bytes([it; 16])));
        coordinator.offer(matchup, games);
        let token = Token { publication: 1, delivery: 1 };
        assert_eq!(coordinator.claim(&name("b"), matchup, token, second(1)), Claim::Granted);
        monitor.beat(
            &Heartbeat { worker: name("b"), places: 4, load: Some(50), is_leaving: false },
            second(1),
        );
        let state = monitor.state(&coordinator, true, second(2));
        let seen = |state: &ClusterState| {
            let each = state.workers.iter().map(|it| (it.name.clone(), it.activity));
            each.collect::<BTreeMap<_, _>>().into_values().collect::<Vec<_>>()
        };
        assert_eq!(seen(&state), [Activity::Waiting, Activity::Playing, Activity::TooSlow]);
        let first = &state.workers[0];
        assert_eq!((&*first.name, first.places, first.load, first.leases), ("b", 4, Some(50), 1));
        assert_eq!((state.matchups, state.leases, state.rate), (1, 1, 0));

        let submission = cluster::Submission {
            worker: name("b"),
            engine: "a".to_owned(),
            matchup,
            game: games[0],
            token,
        };
        coordinator.submit(&submission, second(11));
        coordinator.committed(games[0]);
        monitor.beat(
            &Heartbeat { worker: name("a"), places: 2, load: None, is_leaving: true },
            second(17),
        );
        let state = monitor.state(&coordinator, true, second(17));
        assert_eq!(seen(&state), [Activity::Gone, Activity::Silent, Activity::TooSlow]);
        assert_eq!(state.rate, 4, "one in 15 s");
        assert_eq!(monitor.state(&coordinator, true, second(90)).rate, 0);
        monitor.hear(&name("a"), second(90));
        let state = monitor.state(&coordinator, true, second(91));
        assert_eq!(seen(&state)[0], Activity::Waiting, "it has come back");
    }
}
