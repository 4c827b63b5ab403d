//! Opening the venue of other machines.

use std::time::Duration;

use plan::Plan;
use programs::package::Packages;
use sandbox::Level;
use tokio::task::JoinHandle;

use nats::NatsVenue;
use nats::connection::{BrokerAddress, BrokerConnection};
use nats::wire::Assignment;

/// Number of games at the broker at a time, four for each matchup: more matchups than workers have places, and few enough
/// for the memory.
pub(super) const WINDOW: usize = 4096;
/// Number of leases of a matchup that end without its results before the matchup is given up.
const DELIVERIES: u32 = 5;

/// The conditions for workers.
pub(super) struct Terms {
    /// The duration of a lease after its last heartbeat.
    pub(super) lease: Duration,
    /// The least isolation of programs.
    pub(super) isolation: Level,
    /// The deadline of an answer; `None` if there are no programs.
    pub(super) deadline: Option<Duration>,
}

/// Opens the venue and its task, which ends after the venue is dropped.
pub(super) async fn open(
    address: &BrokerAddress,
    plan: &Plan,
    packages: &Packages,
    terms: &Terms,
) -> anyhow::Result<(NatsVenue, JoinHandle<()>)> {
    let connection = BrokerConnection::connect(address, "coordinator").await?;
    let conditions = &plan.conditions;
    let hashes = plan.teams.iter().filter_map(|team| team.package.as_ref());
    let sizes = hashes.map(|hash| Ok((hash.clone(), packages.archive_size(hash)?)));
    let assignment = Assignment {
        tournament: tournament_id(plan)?,
        name: conditions.name.clone(),
        teams: plan.teams.clone(),
        maps: Assignment::hashes(&plan.maps),
        packages: sizes.collect::<anyhow::Result<_>>()?,
        lease: terms.lease,
        deliveries: DELIVERIES,
        is_strict: terms.isolation == Level::Strict,
    };
    NatsVenue::open(connection, assignment, packages.clone(), terms.deadline).await
}

/// The identifier of a tournament: a hash of its conditions and maps. Teams may change during a tournament.
fn tournament_id(plan: &Plan) -> anyhow::Result<String> {
    let text = serde_json::to_vec(&(&plan.conditions, &plan.maps))?;
    Ok(format!("{:016x}", replay::hash(&text)))
}
