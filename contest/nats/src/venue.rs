//! A venue on other machines, whose workers take matchups from a broker.

mod coordinator_task;
mod evidence;
mod monitor;
mod publication;

use std::time::Duration;

use cluster::state::ClusterState;
use plan::{Job, Key, Outcome};
use programs::package::Packages;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::JoinHandle;

use crate::connection::BrokerConnection;
use crate::wire::Assignment;
use coordinator_task::CoordinatorTask;
use tournament::venue::{HostFault, Ticket, Venue};

/// Games on the machines of workers, which take whole matchups.
#[derive(Debug)]
pub struct NatsVenue {
    requests: mpsc::UnboundedSender<Request>,
    cluster: watch::Receiver<ClusterState>,
}

/// A request of the venue to the coordinator's task.
#[derive(Debug)]
enum Request {
    /// Play a game, and reply with its outcome.
    Play(Box<Job>, Ticket, oneshot::Sender<Result<Outcome, HostFault>>),
    /// Acknowledge the result of a game, which is on the disk.
    Recorded(Key),
}

impl NatsVenue {
    /// A venue whose workers play by this assignment, with programs from these packages. The task ends after the venue is
    /// dropped, once the workers have been told to stop.
    ///
    /// # Errors
    ///
    /// When the broker refuses, or another coordinator uses it.
    pub async fn open(
        connection: BrokerConnection,
        assignment: Assignment,
        packages: Packages,
        deadline: Option<Duration>,
    ) -> anyhow::Result<(Self, JoinHandle<()>)> {
        let (requests, receiver) = mpsc::unbounded_channel();
        let (shown, cluster) = watch::channel(ClusterState::default());
        let task =
            CoordinatorTask::open(connection, assignment, packages, deadline, receiver, shown)
                .await?;
        Ok((Self { requests, cluster }, tokio::spawn(task.run())))
    }

    /// The present state of the workers, as a channel.
    pub fn cluster(&self) -> watch::Receiver<ClusterState> {
        self.cluster.clone()
    }
}

impl Venue for NatsVenue {
    const ATTEMPTS: u32 = 3;
    const PAUSE: Duration = Duration::from_secs(1);
    const WHOLE_MATCHUPS: bool = true;

    fn play(
        &mut self,
        job: Job,
        ticket: Ticket,
    ) -> impl Future<Output = Result<Outcome, HostFault>> + Send + 'static {
        let (reply, played) = oneshot::channel();
        let stop = ticket.stop.clone();
        let sent = self.requests.send(Request::Play(Box::new(job), ticket, reply));
        async move {
            sent.map_err(|_| HostFault::Closed)?;
            tokio::select! {
                played = played => played.unwrap_or(Err(HostFault::Closed)),
                () = stop.cancelled() => Err(HostFault::Stopped),
            }
        }
    }

    fn recorded(&mut self, game: Key) {
        // Without the task, the broker delivers the result again to the next one, which recognises it.
        let _ = self.requests.send(Request::Recorded(game));
    }
}
