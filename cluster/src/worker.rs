//! The coordinator's knowledge of a worker, and the test if it may play.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Description of a worker in its claims.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Capacity {
    /// A hash of the states that its rules and its notation give in reference games: two workers of the same hash
    /// judge the same orders alike.
    pub engine: String,
    /// Meetings that it plays at a time.
    pub places: u32,
    /// Turns of a reference game that it plays a second.
    pub turns_per_second: u32,
    /// 99th percentile of the delay of a sleeping thread or of a message on the loopback.
    pub lateness: Duration,
}

/// Conditions of a tournament for its workers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terms {
    /// The engine of the coordinator.
    pub engine: String,
    /// Time that a lease lasts after its last heartbeat.
    pub lease: Duration,
    /// Leases of a meeting that may end without its results before the meeting is given up.
    pub deliveries: u32,
    /// Host faults in succession after which a worker is put aside.
    pub faults: u32,
    /// The deadline of an answer, if there are programs that have to keep it.
    pub deadline: Option<Duration>,
}

/// Why a worker gets no meetings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Refusal {
    /// Its rules or its protocol are others than the coordinator's.
    OtherEngine {
        /// The engine of the coordinator.
        expected: String,
    },
    /// It is too slow or too busy for the deadline of an answer.
    TooLate {
        /// Its lateness.
        lateness: Duration,
        /// The most that is allowed.
        allowed: Duration,
    },
    /// It has spoilt too many games in succession.
    PutAside {
        /// Host faults in succession.
        faults: u32,
    },
}

/// Record of a worker.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorkerRecord {
    /// Its own description; `None` until it asks to play.
    pub capacity: Option<Capacity>,
    /// Results of it that were committed.
    pub committed: u64,
    /// Results of it that came too late, twice, or were never asked for.
    pub rejected: u64,
    /// Meetings that it has given back because of itself, and leases that it let run out.
    pub faults: u32,
    /// Of these, the ones since its last result.
    pub faults_in_succession: u32,
    /// Meetings on which it has a lease.
    pub leases: u32,
}

impl Terms {
    /// A worker may be late by this part of a deadline.
    const LATENESS: u32 = 5;

    /// Tests if a worker may play.
    ///
    /// # Errors
    ///
    /// With the reason why not.
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
        let terms = Terms {
            engine: "a".to_owned(),
            lease: Duration::from_secs(1),
            deliveries: 5,
            faults: 3,
            deadline: Some(Duration::from_millis(100)),
        };
        let fit = Capacity {
            engine: "a".to_owned(),
            places: 1,
            turns_per_second: 1000,
            lateness: Duration::from_millis(20),
        };
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
