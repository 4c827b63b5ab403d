//! Machines that play for a course through a broker.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use classroom::{Machines, Playing, Settings};
use cluster::state::ClusterState;
use nats::NatsVenue;
use nats::connection::BrokerConnection;
use nats::wire::Assignment;
use plan::{Job, Key, SEATS};
use programs::package::Packages;
use sandbox::Level;
use tokio::task::JoinHandle;
use tournament::venue::{Ticket, Venue as _};

use crate::commands::cluster::DELIVERIES;
use crate::commands::draw;

/// Maximum number of bytes that a result carries of what each program has written. A result has to fit into a message, which
/// usually has 1 MB.
const OUTPUT: usize = 8 << 10;

/// Workers at a broker.
pub(super) struct NatsMachines(NatsVenue);

/// The assignment of all workers of a course, whose file and versions programs must not see.
///
/// # Errors
///
/// When the system gives no random bytes.
pub(super) fn assignment(
    settings: &Settings,
    course: &Path,
    versions: &Path,
    lease: Duration,
) -> anyhow::Result<Assignment> {
    let hidden = [course, versions].map(std::path::absolute);
    Ok(Assignment {
        // Games under way do not count after a restart: each opening is another tournament.
        tournament: format!("{:016x}", draw()?),
        name: settings.name.clone(),
        hidden: hidden.into_iter().collect::<Result<_, _>>()?,
        programs: SEATS,
        maps: Assignment::hashes(&settings.maps),
        // The versions come with their games.
        packages: BTreeMap::new(),
        output: OUTPUT,
        lease,
        deliveries: DELIVERIES,
        is_strict: settings.isolation == Level::Strict,
    })
}

impl NatsMachines {
    /// Lets workers in. The task ends after the machines are dropped, once the workers have been told to stop.
    ///
    /// # Errors
    ///
    /// When the broker refuses, or another tournament uses it.
    pub(super) async fn open(
        connection: BrokerConnection,
        assignment: Assignment,
        versions: &Path,
        deadline: Duration,
    ) -> anyhow::Result<(Self, JoinHandle<()>)> {
        let packages = Packages::new(versions.to_owned());
        let (venue, task) =
            NatsVenue::open(connection, assignment, packages, Some(deadline)).await?;
        venue.admit_workers();
        Ok((Self(venue), task))
    }
}

impl Machines for NatsMachines {
    fn play(&self, job: Job, ticket: Ticket) -> Playing {
        Box::pin(self.0.play_and_read(job, ticket))
    }

    fn recorded(&mut self, game: Key) {
        self.0.recorded(game);
    }

    fn cancel(&self, game: Key) {
        self.0.cancel(game);
    }

    fn state(&self) -> ClusterState {
        self.0.cluster().borrow().clone()
    }
}
