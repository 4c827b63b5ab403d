//! A venue on other machines, whose workers take matchups from a broker.

mod coordinator_task;
mod evidence;
mod monitor;
mod publication;

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use cluster::state::ClusterState;
use parking_lot::Mutex;
use plan::{Job, Key, Outcome};
use programs::package::{PackageError, Packages};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::{JoinHandle, spawn_blocking};

use crate::connection::BrokerConnection;
use crate::wire::Assignment;
use coordinator_task::CoordinatorTask;
use tournament::venue::{HostFault, Ticket, Venue};

/// Games on the machines of workers, which take whole matchups.
#[derive(Debug)]
pub struct NatsVenue {
    requests: mpsc::UnboundedSender<Request>,
    cluster: watch::Receiver<ClusterState>,
    packages: Packages,
    /// The packages that workers may fetch, as in [`Assignment::packages`].
    sizes: Arc<Mutex<BTreeMap<String, u64>>>,
}

/// The outcome of a game, and the end of what each program has written, by colour, if the assignment asks for it.
pub type Played = (Outcome, Vec<Vec<u8>>);

/// A request of the venue to the coordinator's task.
#[derive(Debug)]
enum Request {
    /// Play a game, and reply with its outcome.
    Play(Box<Job>, Ticket, oneshot::Sender<Result<Played, HostFault>>),
    /// Acknowledge the result of a game, which is on the disk.
    Recorded(Key),
    /// Let workers fetch more packages, given by their hashes and the sizes of their archives.
    Packages(BTreeMap<String, u64>),
    /// Take a game back, with its matchup, unless its result is there.
    Cancel(Key),
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
        let sizes = Arc::new(Mutex::new(assignment.packages.clone()));
        let store = packages.clone();
        let task =
            CoordinatorTask::open(connection, assignment, store, deadline, receiver, shown).await?;
        Ok((Self { requests, cluster, packages, sizes }, tokio::spawn(task.run())))
    }

    /// Lets workers in before there is a game. Else they wait for the first one.
    pub fn admit_workers(&self) {
        let _ = self.requests.send(Request::Packages(BTreeMap::new()));
    }

    /// Plays a game as [`Venue::play`] does, also with packages that the assignment lacks: workers may fetch them from then
    /// on. Also returns what programs have written.
    ///
    /// # Errors
    ///
    /// The future fails as that of [`Venue::play`], or if a package cannot be read.
    pub fn play_and_read(
        &self,
        job: Job,
        ticket: Ticket,
    ) -> impl Future<Output = Result<Played, HostFault>> + Send + 'static {
        let (requests, packages) = (self.requests.clone(), self.packages.clone());
        let sizes = Arc::clone(&self.sizes);
        async move {
            let hashes = job.seats.iter().filter_map(|seat| seat.package.clone());
            let unknown: Vec<_> = hashes.filter(|hash| !sizes.lock().contains_key(hash)).collect();
            if !unknown.is_empty() {
                let found = spawn_blocking(move || {
                    let size = |hash: String| packages.archive_size(&hash).map(|size| (hash, size));
                    unknown.into_iter().map(size).collect()
                });
                let found: Result<BTreeMap<_, _>, PackageError> =
                    found.await.map_err(|_| HostFault::NoResult)?;
                let found = found.map_err(|error| HostFault::Io(io::Error::other(error)))?;
                let _ = requests.send(Request::Packages(found.clone()));
                sizes.lock().extend(found);
            }
            request(&requests, job, ticket).await
        }
    }

    /// Takes a game back, with its matchup, unless its result is there: its future ends with [`HostFault::Stopped`], and a worker
    /// that plays it stops.
    pub fn cancel(&self, game: Key) {
        let _ = self.requests.send(Request::Cancel(game));
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
        let played = request(&self.requests, job, ticket);
        async { played.await.map(|(outcome, _)| outcome) }
    }

    fn recorded(&mut self, game: Key) {
        // Without the task, the broker delivers the result again to the next one, which recognises it.
        let _ = self.requests.send(Request::Recorded(game));
    }
}

/// Requests a game at once, and gives its future.
fn request(
    requests: &mpsc::UnboundedSender<Request>,
    job: Job,
    ticket: Ticket,
) -> impl Future<Output = Result<Played, HostFault>> + Send + use<> {
    let (reply, played) = oneshot::channel();
    let stop = ticket.stop.clone();
    let sent = requests.send(Request::Play(Box::new(job), ticket, reply));
    async move {
        sent.map_err(|_| HostFault::Closed)?;
        tokio::select! {
            played = played => played.unwrap_or(Err(HostFault::Closed)),
            () = stop.cancelled() => Err(HostFault::Stopped),
        }
    }
}
