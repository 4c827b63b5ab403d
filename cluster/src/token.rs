//! Names of workers and of leases.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// The name of a worker, unlike any other at the broker.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub struct WorkerName(Arc<str>);

impl WorkerName {
    /// The name as text.
    #[must_use]
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

/// The fencing token of a lease: each later lease of the same meeting has a greater one.
///
/// The coordinator numbers what it publishes, and the broker counts deliveries. The broker's own numbers of messages would
/// not do: a broker that loses what it had just taken gives the same number twice.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct Token {
    /// Which publication of the meeting it was.
    pub publication: u64,
    /// Which delivery of that publication it was, from 1.
    pub delivery: u64,
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.publication, self.delivery)
    }
}
