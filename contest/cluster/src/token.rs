//! Names of workers and of leases.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// The name of a worker, unique at the broker.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub struct WorkerName(Arc<str>);

impl WorkerName {
    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<String> for WorkerName {
    fn from(name: String) -> Self {
        Self(name.into())
    }
}

impl From<WorkerName> for String {
    fn from(name: WorkerName) -> Self {
        name.0.as_ref().to_owned()
    }
}

impl fmt::Display for WorkerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The fencing token of a lease: each later lease of the same matchup has a greater one.
///
/// The coordinator numbers publications, and the broker counts deliveries. The broker's own message numbers would not do:
/// a broker that loses its last messages gives the same number twice.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct Token {
    /// The number of the matchup's publication.
    pub publication: u64,
    /// The number of the delivery of that publication, from 1.
    pub delivery: u64,
}

impl Token {
    /// The greatest number of a publication: a greater one comes from no coordinator. Numbers begin at the microseconds
    /// since 1970.
    pub const LAST_PUBLICATION: u64 = u64::MAX / 2;
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.publication, self.delivery)
    }
}
