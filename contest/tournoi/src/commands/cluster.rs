//! Opening the venue of other machines.

use std::time::Duration;

use plan::Plan;
use programs::package::Packages;
use sandbox::Level;
use tokio::task::JoinHandle;

use nats::NatsVenue;
use nats::connection::BrokerConnection;
use nats::wire::Assignment;

/// Number of games at the broker at a time, four for each matchup: more matchups than workers have places, and few enough
/// for the memory.
pub(super) const WINDOW: usize = 4096;
/// Number of leases of a matchup that end without its results before the matchup is given up.
pub(super) const DELIVERIES: u32 = 5;

/// Opens the venue and its task, which ends after the venue is dropped. A lease lasts for `lease` after its last heartbeat, and
/// `isolation` is the least isolation of programs.
pub(super) async fn open(
    connection: BrokerConnection,
    plan: &Plan,
    packages: &Packages,
    lease: Duration,
    isolation: Level,
) -> anyhow::Result<(NatsVenue, JoinHandle<()>)> {
    let conditions = &plan.conditions;
    let programs = programs::isolation::programs_per_game(&plan.teams);
    let hashes = plan.teams.iter().filter_map(|team| team.package.as_ref());
    let sizes = hashes.map(|hash| Ok((hash.clone(), packages.archive_size(hash)?)));
    let assignment = Assignment {
        tournament: tournament_id(plan)?,
        name: conditions.name.clone(),
        hidden: programs::isolation::places_of(&plan.teams),
        programs,
        maps: Assignment::hashes(&plan.maps),
        packages: sizes.collect::<anyhow::Result<_>>()?,
        output: 0,
        lease,
        deliveries: DELIVERIES,
        is_strict: isolation == Level::Strict,
    };
    // Bots of the house have no deadline.
    let deadline = (programs > 0).then_some(conditions.deadline);
    NatsVenue::open(connection, assignment, packages.clone(), deadline).await
}

/// The identifier of a tournament: a hash of its conditions and maps. Teams may change during a tournament.
fn tournament_id(plan: &Plan) -> anyhow::Result<String> {
    let text = serde_json::to_vec(&(&plan.conditions, &plan.maps))?;
    Ok(format!("{:016x}", replay::hash(&text)))
}
