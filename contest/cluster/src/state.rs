//! The state of a cluster, for people.

use serde::Serialize;

/// The state of the broker and the workers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ClusterState {
    /// True if the tournament is connected to the broker.
    pub is_connected: bool,
    /// The number of matchups at the broker with games that have no result yet.
    #[serde(rename = "meetings")]
    pub matchups: usize,
    /// The number of leases of all workers.
    pub leases: u32,
    /// Games per minute of all workers, over the last minute.
    pub rate: u32,
    /// The workers, in order of activity, then of name.
    pub workers: Vec<WorkerState>,
}

/// A worker: a machine that plays games for the tournament.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WorkerState {
    /// The name of the worker.
    pub name: String,
    /// The activity of the worker.
    pub activity: Activity,
    /// Maximum number of matchups that the worker plays at the same time.
    pub places: u32,
    /// The number of matchups on which the worker has a lease.
    pub leases: u32,
    /// Turns of a reference game per second.
    pub speed: u32,
    /// 99th percentile of the lateness of threads and of the loopback network, in milliseconds.
    pub lateness: u32,
    /// Load average of the last minute, in percent of the cores; `None` if the system does not provide it.
    pub load: Option<u32>,
    /// The number of accepted results.
    pub games: u64,
    /// Games per minute, over the last minute.
    pub rate: u32,
    /// The number of rejected results.
    pub rejected: u64,
    /// The number of matchups that the worker has given back or lost.
    pub faults: u32,
}

/// The activity of a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Activity {
    /// The worker has a lease.
    Playing,
    /// The worker waits for a matchup.
    Waiting,
    /// The worker has sent nothing for the duration of a lease.
    Silent,
    /// The worker has announced its end.
    Gone,
    /// The worker has had too many faults in succession.
    PutAside,
    /// The worker is too slow or too busy for the deadline.
    TooSlow,
    /// The worker has another version of the program.
    OtherVersion,
}
