//! Opening the venue of other machines.

use std::time::Duration;

use plan::Plan;
use programs::package::Packages;
use sandbox::Level;
use tokio::task::JoinHandle;

use crate::nats::link::{BrokerAddress, Link};
use crate::nats::wire::Assignment;
use crate::venue::NatsVenue;

/// Games at the broker at a time, four for each meeting: more meetings than workers have places, and few enough to be kept in
/// memory.
pub(super) const WINDOW: usize = 4096;
/// Leases of a meeting that may end without its results before it is given up.
const DELIVERIES: u32 = 5;

/// Conditions for workers.
pub(super) struct Terms {
    /// Time that a lease lasts after its last heartbeat.
    pub(super) lease: Duration,
    /// Least level of isolation of programs.
    pub(super) isolation: Level,
    /// The deadline of an answer, if there are programs.
    pub(super) deadline: Option<Duration>,
}

/// Opens the venue, whose task ends after it is dropped.
pub(super) async fn open(
    address: &BrokerAddress,
    plan: &Plan,
    packages: &Packages,
    terms: &Terms,
) -> anyhow::Result<(NatsVenue, JoinHandle<()>)> {
    let link = Link::connect(address, "coordinator").await?;
    let conditions = &plan.conditions;
    let assignment = Assignment {
        tournament: tournament_id(plan)?,
        name: conditions.name.clone(),
        teams: plan.teams.clone(),
        maps: Assignment::hashes(&plan.maps),
        lease: terms.lease,
        deliveries: DELIVERIES,
        is_strict: terms.isolation == Level::Strict,
    };
    NatsVenue::open(link, assignment, packages.clone(), terms.deadline).await
}

/// Identity of a tournament: its conditions and maps. Teams may change meanwhile.
fn tournament_id(plan: &Plan) -> anyhow::Result<String> {
    let text = serde_json::to_vec(&(&plan.conditions, &plan.maps))?;
    Ok(format!("{:016x}", replay::hash(&text)))
}
