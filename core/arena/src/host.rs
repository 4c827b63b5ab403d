//! The doors of a hall, through which all connections come in.
//!
//! Connections have places, and a flood of connections or registrations does not take the places of others. A
//! *source* is an IPv4 address, an IPv6 network of 64 bits, or this machine (loopback). A *group* is the
//! strangers of one source at one door.
//!
//! | connection | place | limit | beyond it |
//! | --- | --- | --- | --- |
//! | has not registered: a stranger | among the strangers, for at most 5 s | 1024, or what the limit of open files leaves | the oldest stranger of the largest group is closed; in the newcomer's own group only if it is older than 200 ms, otherwise the newcomer is closed |
//! | registers with a secret | the same, and waits until its secret is judged | 8 wrong secrets a second from one source for one name | waits, at most 5 s, then it is refused; secrets of other names and from other sources do not wait |
//! | gave a wrong secret | the same; refused after 1 s | 5 in 30 s from one source for one seat, not loopback | refused at once, without a look at the secret |
//! | is accepted: a player or spectator | registered, until it leaves; never closed for others | `max_connections` | newcomers are closed |
//! | spectator | the same | 16 from one source, not loopback | refused |
//! | team of a hall without a list | the same | `max_per_address` teams from one source, not loopback | refused |
//! | is refused or told `quit` | among those that are closing, for at most 2 s | `max_connections`, at least 64 | the oldest of the largest group is reset |
//! | bot of the house | none | | |
//!
//! So a flood never evicts a stranger from another source. A stranger from the flood's source keeps its place for
//! 1024 ÷ (connections per second), 204 ms at 5000/s; under faster floods some connections are closed at once so
//! that the others have 200 ms. At most 10 000 connections are accepted per second; more wait in the queue of the
//! system.

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
use crate::notices::Notice;
use crate::peer::Peer;
use crate::places::ConnectionPlaces;
use crate::settings::HouseBot;
use crate::transport::{Arrivals, TcpReader, TcpWriter, Untimed};
use crate::web_socket::{self, Farewell};

/// Interval at which the system probes a silent peer.
const KEEPALIVE: Duration = Duration::from_secs(10);
/// Maximum number of connections that the system queues until they are accepted.
const BACKLOG: i32 = 4096;
/// Maximum number of connections accepted within [`BURST_TIME`].
const BURST: usize = 100;
/// See [`BURST`].
const BURST_TIME: Duration = Duration::from_millis(10);
/// Number of open files requested from the system, for connections and everything else.
#[cfg(unix)]
const FILES: u64 = 4096;
/// Number of open files reserved for everything but connections.
const OTHER_FILES: usize = 128;
/// Pause after a failure to accept a connection.
const PAUSE: Duration = Duration::from_millis(10);
/// Minimum interval between two logged failures to accept.
const COMPLAINT: Duration = Duration::from_secs(10);

/// Lets connections into a hall, over any transport. Clones serve the same hall; [`for_team`](Self::for_team) gives
/// a door for one team.
#[derive(Clone, Debug)]
pub struct Host {
    events: mpsc::Sender<Event>,
    places: ConnectionPlaces,
    /// The team of this door; `None` for the door of all.
    door: Option<TeamId>,
    /// The runtime that serves spectators; `None` for that of the games.
    gallery: Option<Handle>,
    tasks: TaskTracker,
    /// Cancelled when no peer may register any more.
    closing: CancellationToken,
    abort: CancellationToken,
}

impl Host {
    /// The host of a hall that receives these events.
    pub(crate) fn new(
        events: mpsc::Sender<Event>,
        max_connections: usize,
        gallery: Option<Handle>,
    ) -> Self {
        Self {
            events,
            places: ConnectionPlaces::new(max_connections),
            door: None,
            gallery,
            tasks: TaskTracker::new(),
            closing: CancellationToken::new(),
            abort: CancellationToken::new(),
        }
    }

    /// A door for one team of a hall: a player that registers through it gets the team's place and name if the place is
    /// free, even during a game. All other registrations are refused. A crowd at one door does not block another door.
    #[must_use]
    pub fn for_team(&self, team: TeamId) -> Self {
        Self { door: Some(team), ..self.clone() }
    }

    /// Serves a connection with a peer at `address` until its end, if it gets a place: see the module's table.
    ///
    /// To be called within a tokio runtime.
    pub fn connect<R, W>(&self, reader: R, writer: W, address: IpAddr)
    where
        R: AsyncRead + Unpin + Send + 'static,
        W: AsyncWrite + Unpin + Send + 'static,
    {
        self.serve(Untimed(reader), writer, address, None, None);
    }

    /// Serves a connection that a web page has made a WebSocket, as [`connect`](Self::connect) does. `received` are the
    /// bytes that came with the request, and `address` is the peer's.
    ///
    /// To be called within a tokio runtime.
    ///
    /// # Errors
    ///
    /// When the runtime cannot take the socket.
    pub async fn connect_web(
        &self,
        stream: std::net::TcpStream,
        received: Vec<u8>,
        address: IpAddr,
    ) -> io::Result<()> {
        let stream = Arc::new(TcpStream::from_std(stream)?);
        tune(&stream)?;
        let farewell = Farewell::default();
        let (socket, told) = (Arc::clone(&stream), Arc::clone(&farewell));
        let (reader, writer) = web_socket::split(stream, received, told).await;
        self.serve(reader, writer, address.to_canonical(), Some(socket), Some(farewell));
        Ok(())
    }

    fn serve<R, W>(
        &self,
        reader: R,
        writer: W,
        address: IpAddr,
        socket: Option<Arc<TcpStream>>,
        farewell: Option<Farewell>,
    ) where
        R: Arrivals + Send + 'static,
        W: AsyncWrite + Unpin + Send + 'static,
    {
        let abort = self.abort.child_token();
        let Some(place) = self.places.enter(self.door, address, &abort) else {
            return self.places.notices.tell(address.into(), address, &Notice::NoPlace);
        };
        let mut peer = Peer::new(address, abort, place);
        peer.door = self.door;
        peer.socket = socket;
        peer.farewell = farewell;
        let (events, closing) = (self.events.clone(), self.closing.clone());
        let gallery = self.gallery.clone();
        let peer = Arc::new(peer);
        self.tasks.spawn(connection::serve(peer, reader, writer, events, closing, gallery));
    }

    /// Serves all connections to a TCP port until the hall closes.
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
                    let reader = TcpReader::new(Arc::clone(&stream));
                    let (writer, address) = (TcpWriter(Arc::clone(&stream)), address.ip());
                    self.serve(reader, writer, address.to_canonical(), Some(stream), None);
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
                    // The limit of open files may be reached.
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
                // Games run between any two connections.
                _ => yield_now().await,
            }
        }
    }

    /// Starts a bot of the house on a connection inside the process, which takes no place. Returns the connection, and
    /// the task that serves it.
    ///
    /// To be called within a tokio runtime.
    pub(crate) fn connect_house(&self, bot: HouseBot, seed: u64) -> (Arc<Peer>, JoinHandle<()>) {
        let (address, abort) = (Ipv4Addr::LOCALHOST.into(), self.abort.child_token());
        let place = self.places.outside(None, address, &abort);
        house::connect(bot, seed, Peer::new(address, abort, place), &self.tasks)
    }

    /// Ends all connections at once, and drops unsent messages.
    pub fn abort(&self) {
        self.abort.cancel();
    }

    /// Waits for the connections to close, and aborts those still open after 2 s.
    pub(crate) async fn close(&self) {
        self.tasks.close();
        self.closing.cancel();
        if timeout(CLOSE, self.tasks.wait()).await.is_err() {
            self.abort.cancel();
            let _ = timeout(CLOSE, self.tasks.wait()).await;
        }
    }
}

/// Raises this process's limit of open files to [`FILES`], as far as the system allows. Returns the new limit.
#[cfg(unix)]
fn allow_files() -> usize {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    // `None` means no limit.
    let (now, most) = (current.unwrap_or(u64::MAX), maximum.unwrap_or(u64::MAX));
    let wanted = FILES.min(most);
    let raised = now < wanted
        && setrlimit(Resource::Nofile, Rlimit { current: Some(wanted), maximum }).is_ok();
    usize::try_from(if raised { wanted } else { now }).unwrap_or(usize::MAX)
}

/// Other systems do not limit open files.
#[cfg(not(unix))]
fn allow_files() -> usize {
    usize::MAX
}

/// Disables Nagle's algorithm, and enables keepalive to detect dead peers.
fn tune(stream: &TcpStream) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let keepalive = TcpKeepalive::new().with_time(KEEPALIVE).with_interval(KEEPALIVE);
    SockRef::from(stream).set_tcp_keepalive(&keepalive)
}
