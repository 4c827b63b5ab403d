//! The coordinator's record of a worker, and the conditions of its admission.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// The properties that a worker reports when it asks to play.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Capacity {
    /// A hash of the states of reference games: two workers of the same hash judge the same orders alike.
    pub engine: String,
    /// Number of matchups that the worker plays at a time.
    pub places: u32,
    /// Speed at a reference game, in turns per second.
    pub turns_per_second: u32,
    /// 99th percentile of the longer of the oversleep of a thread and a round trip on the loopback.
    pub lateness: Duration,
}

/// The requirements of a tournament for workers, and the limits of its leases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terms {
    /// The engine of the coordinator.
    pub engine: String,
    /// The duration of a lease after its last heartbeat.
    pub lease: Duration,
    /// Number of leases of a matchup that end without its results before the matchup is given up.
    pub deliveries: u32,
    /// Number of host faults in succession after which a worker is put aside.
    pub faults: u32,
    /// The deadline of an answer; `None` if no program has to keep one.
    pub deadline: Option<Duration>,
}

/// The reason why a worker gets no matchups.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Refusal {
    /// The rules or the notation of the worker differ from the coordinator's.
    OtherEngine {
        /// The engine of the coordinator.
        expected: String,
    },
    /// The worker is too slow or too busy for the deadline of an answer.
    TooLate {
        /// The worker's lateness.
        lateness: Duration,
        /// The greatest lateness allowed.
        allowed: Duration,
    },
    /// The worker has had too many host faults in succession.
    PutAside {
        /// Number of host faults in succession.
        faults: u32,
    },
}

/// The coordinator's counts for a worker.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorkerRecord {
    /// The last capacity that the worker reported; `None` until it asks to play.
    pub capacity: Option<Capacity>,
    /// Number of the worker's results that were committed.
    pub committed: u64,
    /// Number of the worker's results that were not committed, without those that were delivered again.
    pub rejected: u64,
    /// Number of host faults: matchups given back because of one, lost leases and results refused after the ruling.
    pub faults: u32,
    /// Number of host faults since the worker's last committed result.
    pub faults_in_succession: u32,
    /// Number of the worker's leases.
    pub leases: u32,
}

impl Terms {
    /// Ratio of the deadline to the greatest lateness allowed.
    const LATENESS: u32 = 5;

    /// Checks that a worker may play.
    ///
    /// # Errors
    ///
    /// When the worker may not play, with the reason.
    pub fn admit(&self, capacity: &Capacity, record: &WorkerRecord) -> Result<(), Refusal> {
        if capacity.engine != self.engine {
            return Err(Refusal::OtherEngine { expected: self.engine.clone() });
        }
        if record.faults_in_succession >= self.faults {
            return Err(Refusal::PutAside { faults: record.faults_in_succession });
        }
        let allowed = self.deadline.map(|deadline| deadline / Self::LATENESS);
        match allowed.filter(|allowed| capacity.lateness > *allowed) {
            Some(allowed) => Err(Refusal::TooLate { lateness: capacity.lateness, allowed }),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worker_plays_if_its_engine_is_ours_and_it_is_on_time() {
        let engine = "a".to_owned();
        let (lease, deadline) = (Duration::from_secs(1), Some(Duration::from_millis(100)));
        let terms = Terms { engine: engine.clone(), lease, deliveries: 5, faults: 3, deadline };
        let lateness = Duration::from_millis(20);
        let fit = Capacity { engine, places: 1, turns_per_second: 1000, lateness };
        let record = WorkerRecord::default();
        assert_eq!(terms.admit(&fit, &record), Ok(()));
        let other = Capacity { engine: "b".to_owned(), ..fit.clone() };
        let expected = "a".to_owned();
        assert_eq!(terms.admit(&other, &record), Err(Refusal::OtherEngine { expected }));
        let late = Capacity { lateness: Duration::from_millis(21), ..fit.clone() };
        let refusal = terms.admit(&late, &record).unwrap_err();
        assert!(matches!(refusal, Refusal::TooLate { .. }), "{refusal:?}");
        let untimed = Terms { deadline: None, ..terms.clone() };
        assert_eq!(untimed.admit(&late, &record), Ok(()), "bots of the house have no deadline");
        let faulty = WorkerRecord { faults_in_succession: 3, ..record };
        assert_eq!(terms.admit(&fit, &faulty), Err(Refusal::PutAside { faults: 3 }));
    }
}
