//! The doors of a hall: every connection comes in here.
//!
//! Connections have places, and a flood of connections or registrations keeps nobody else out of theirs. A
//! *source* is an IPv4 address, an IPv6 network of 64 bits, or this machine (loopback). A *party* is the
//! strangers of one source at one door.
//!
//! | connection | place | limit | beyond it |
//! | --- | --- | --- | --- |
//! | has not registered: a stranger | among the strangers, for at most 5 s | 1024, or what the limit of open files leaves | the oldest stranger of the largest party is closed; in the newcomer's own party only if it is older than 200 ms, otherwise the newcomer is closed |
//! | registers with a secret | the same, and waits until its secret is judged | 8 wrong secrets a second from one source for one name | waits, at most 5 s, then it is refused; secrets of other names and from other sources do not wait |
//! | gave a wrong secret | the same; refused after 1 s | 5 in 30 s from one source for one seat, not loopback | refused at once, without a look at the secret |
//! | is accepted: a player or spectator | registered, until it leaves; never closed for others | `max_connections` | newcomers are closed |
//! | spectator | the same | 16 from one source, not loopback | refused |
//! | team of a hall without a list | the same | `max_per_address` teams from one source, not loopback | refused |
//! | is refused or told `quit` | among those that are closing, for at most 2 s | as many as may be registered, at least 64 | the oldest of the largest party is reset |
//! | bot of the house | none | | |
//!
//! So a stranger from another source than a flood never has to go for the flood. One from the same source keeps
//! its place for 1024 ÷ (connections a second), 204 ms at 5000 a second; under faster floods some
//! connections are closed at once so that the others have 200 ms. At most 10 000 connections a second are
//! accepted; more wait in the queue of the system.

use std::io;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::time::Duration;

use language::log;
use socket2::{SockRef, TcpKeepalive};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Handle;
use tokio::sync::mpsc;
use tokio::task::{JoinHandle, yield_now};
use tokio::time::{Instant, sleep, sleep_until, timeout};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tracing::debug;

use crate::connection::{self, CLOSE, Event};
use crate::hall::TeamId;
use crate::house;
use crate::link::Link;
use crate::notices::Notice;
use crate::places::Places;
use crate::settings::HouseBot;
use crate::transport::{Arrivals, Probe, TcpReader, TcpWriter, Untimed};

/// Interval at which the system asks a silent peer whether it is still there.
const KEEPALIVE: Duration = Duration::from_secs(10);
/// Maximum number of connections that the system holds until they are accepted.
const BACKLOG: i32 = 4096;
/// Maximum number of connections that are accepted within [`BURST_TIME`].
const BURST: usize = 100;
/// See [`BURST`].
const BURST_TIME: Duration = Duration::from_millis(10);
/// Open files that are asked of the system for connections and everything else.
#[cfg(unix)]
const FILES: u64 = 4096;
/// Open files that connections leave to everything else.
const OTHER_FILES: usize = 128;
/// How long nothing is accepted after a failure.
const PAUSE: Duration = Duration::from_millis(10);
/// A failure to accept is not logged again within that time.
const COMPLAINT: Duration = Duration::from_secs(10);

/// Lets connections into a hall, whatever they are made of. Clones let into the same one, and
/// [`for_team`](Self::for_team) to one team of it.
#[derive(Clone, Debug)]
pub struct Host {
    events: mpsc::Sender<Event>,
    places: Places,
    /// The team for which connections come in here, if there is one.
    door: Option<TeamId>,
    /// Where spectators are served, if not where games are.
    gallery: Option<Handle>,
    tasks: TaskTracker,
    /// Nobody may register any more.
    closing: CancellationToken,
    abort: CancellationToken,
}

impl Host {
    /// For a hall that takes these events.
    pub(crate) fn new(
        events: mpsc::Sender<Event>,
        max_connections: usize,
        gallery: Option<Handle>,
    ) -> Self {
        Self {
            events,
            places: Places::new(max_connections),
            door: None,
            gallery,
            tasks: TaskTracker::new(),
            closing: CancellationToken::new(),
            abort: CancellationToken::new(),
        }
    }

    /// A door for one team of a hall: whoever registers as a player through it gets the team's place, under the team's
    /// name, if nobody is there; also in a game, to come back. Everybody else is refused. A crowd at one door keeps
    /// nobody from another.
    #[must_use]
    pub fn for_team(&self, team: TeamId) -> Self {
        Self { door: Some(team), ..self.clone() }
    }

    /// Serves a connection with a peer at `address` until its end, if there is a place for it: see the
    /// module's table.
    ///
    /// To be called within a tokio runtime.
    pub fn connect<R, W>(&self, reader: R, writer: W, address: IpAddr)
    where
        R: AsyncRead + Unpin + Send + 'static,
        W: AsyncWrite + Unpin + Send + 'static,
    {
        self.serve(Untimed(reader), writer, address, None);
    }

    fn serve<R, W>(&self, reader: R, writer: W, address: IpAddr, probe: Option<Arc<dyn Probe>>)
    where
        R: Arrivals + Send + 'static,
        W: AsyncWrite + Unpin + Send + 'static,
    {
        let abort = self.abort.child_token();
        let Some(place) = self.places.enter(self.door, address, &abort) else {
            return self.places.notices.tell(address.into(), address, &Notice::NoPlace);
        };
        let mut link = Link::new(address, abort, place);
        link.door = self.door;
        link.probe = probe;
        let (events, closing) = (self.events.clone(), self.closing.clone());
        let gallery = self.gallery.clone();
        let link = Arc::new(link);
        self.tasks.spawn(connection::serve(link, reader, writer, events, closing, gallery));
    }

    /// Serves everybody who connects to a TCP port, until the hall closes.
    pub async fn listen(&self, listener: TcpListener) {
        if let Err(failure) = SockRef::from(&listener).listen(BACKLOG) {
            log!(
                warn,
                "the system holds fewer connections until they are accepted: {failure}",
                "le système retient moins de connexions avant qu'elles soient \
                  acceptées : {failure}"
            );
        }
        self.places.limit(allow_files().saturating_sub(OTHER_FILES));
        let mut complained: Option<Instant> = None;
        let (mut accepted_in_burst, mut burst) = (0, Instant::now());
        loop {
            let accepted = tokio::select! {
                accepted = listener.accept() => accepted,
                () = self.closing.cancelled() => return,
            };
            match accepted {
                Ok((stream, address)) => {
                    if let Err(failure) = tune(&stream) {
                        debug!("{address}: {failure}");
                    }
                    let stream = Arc::new(stream);
                    let probe: Arc<dyn Probe> = Arc::clone(&stream) as _;
                    let reader = TcpReader::new(Arc::clone(&stream));
                    let address = address.ip().to_canonical();
                    self.serve(reader, TcpWriter(stream), address, Some(probe));
                }
                Err(failure) => {
                    if complained.is_none_or(|at| at.elapsed() >= COMPLAINT) {
                        log!(
                            error,
                            "cannot accept a connection: {failure}",
                            "aucune connexion ne peut être acceptée : {failure}"
                        );
                        complained = Some(Instant::now());
                    }
                    // There may be too many open files.
                    self.places.shed();
                    sleep(PAUSE).await;
                }
            }
            if burst.elapsed() >= BURST_TIME {
                (accepted_in_burst, burst) = (0, Instant::now());
            }
            accepted_in_burst += 1;
            match accepted_in_burst {
                BURST => sleep_until(burst + BURST_TIME).await,
                // Games have their turn between any two.
                _ => yield_now().await,
            }
        }
    }

    /// Lets a bot of the house play, on a connection inside the process, which takes none of the places. The
    /// connection, and the task that serves it.
    ///
    /// To be called within a tokio runtime.
    pub(crate) fn connect_house(&self, bot: HouseBot, seed: u64) -> (Arc<Link>, JoinHandle<()>) {
        let (address, abort) = (Ipv4Addr::LOCALHOST.into(), self.abort.child_token());
        let place = self.places.outside(None, address, &abort);
        house::connect(bot, seed, Link::new(address, abort, place), &self.tasks)
    }

    /// Ends everything at once, whatever is still to be said.
    pub fn abort(&self) {
        self.abort.cancel();
    }

    /// Lets the connections that are closing end, and ends those that do not.
    pub(crate) async fn close(&self) {
        self.tasks.close();
        self.closing.cancel();
        if timeout(CLOSE, self.tasks.wait()).await.is_err() {
            self.abort.cancel();
            let _ = timeout(CLOSE, self.tasks.wait()).await;
        }
    }
}

/// Raises the number of files that this process may open to [`FILES`], as far as the system lets it. Returns
/// that number.
#[cfg(unix)]
fn allow_files() -> usize {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    // `None` is no limit.
    let (now, most) = (current.unwrap_or(u64::MAX), maximum.unwrap_or(u64::MAX));
    let wanted = FILES.min(most);
    let raised = now < wanted
        && setrlimit(Resource::Nofile, Rlimit { current: Some(wanted), maximum }).is_ok();
    usize::try_from(if raised { wanted } else { now }).unwrap_or(usize::MAX)
}

/// Other systems have no such limit.
#[cfg(not(unix))]
fn allow_files() -> usize {
    usize::MAX
}

/// Sends messages at once, and notices in the end when a machine is gone without a word.
fn tune(stream: &TcpStream) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let keepalive = TcpKeepalive::new().with_time(KEEPALIVE).with_interval(KEEPALIVE);
    SockRef::from(stream).set_tcp_keepalive(&keepalive)
}
