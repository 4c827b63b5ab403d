//! Opening the venue of other machines.

use std::time::Duration;

use anyhow::Context as _;
use async_nats::jetstream::object_store::ObjectMetadata;
use cli::said;
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

/// What workers have to keep to.
pub(super) struct Terms {
    /// How long a lease lasts after its last heartbeat.
    pub(super) lease: Duration,
    /// How far programs are isolated, at least.
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
        lease: terms.lease,
        deliveries: DELIVERIES,
        is_strict: terms.isolation == Level::Strict,
    };
    let (venue, office) = NatsVenue::open(link.clone(), assignment, terms.deadline).await?;
    send_packages(&link, plan, packages).await?;
    Ok((venue, office))
}

/// What tells tournaments apart: their conditions and maps. Teams may change meanwhile.
fn tournament_id(plan: &Plan) -> anyhow::Result<String> {
    let text = serde_json::to_vec(&(&plan.conditions, &plan.maps))?;
    Ok(format!("{:016x}", replay::hash(&text)))
}

/// Gives the broker the packages that it does not have.
async fn send_packages(link: &Link, plan: &Plan, packages: &Packages) -> anyhow::Result<()> {
    let files = link.files().await?;
    for team in &plan.teams {
        let Some(hash) = team.package.as_deref() else { continue };
        if files.info(hash).await.is_ok() {
            continue;
        }
        let archive = packages.archive(hash)?;
        let metadata = ObjectMetadata { name: hash.to_owned(), ..ObjectMetadata::default() };
        files.put(metadata, &mut archive.as_slice()).await.with_context(|| {
            said!(
                "the broker does not take the package of {}",
                "le serveur de messages ne prend pas le paquet de {}",
                team.name
            )
        })?;
    }
    Ok(())
}
