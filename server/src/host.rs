//! The door of the arena: every connection comes in here.

use std::collections::VecDeque;
use std::io;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use socket2::{SockRef, TcpKeepalive};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, mpsc};
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tracing::{debug, error, warn};

use crate::connection::{self, CLOSE, Event};
use crate::hall::TeamId;
use crate::house;
use crate::link::Link;
use crate::settings::HouseBot;
use crate::transport::{Arrivals, TcpProbe, TcpReader, TcpWriter, Untimed};

/// A peer that says nothing is asked that often whether it is still there.
const KEEPALIVE: Duration = Duration::from_secs(10);
/// Connections before the door of one team.
const PLACES_OF_A_DOOR: usize = 8;

/// Lets connections into an arena, whatever they are made of. Clones let into the same one, and
/// [`for_seat`](Self::for_seat) to one seat of it.
#[derive(Clone, Debug)]
pub struct Host {
    events: mpsc::Sender<Event>,
    places: Arc<Semaphore>,
    /// Connections that have not registered, oldest first.
    strangers: Arc<Mutex<VecDeque<Arc<Link>>>>,
    /// The team that those who come in here are for, if there is one.
    door: Option<TeamId>,
    tasks: TaskTracker,
    /// Nobody may register any more.
    closing: CancellationToken,
    abort: CancellationToken,
}

impl Host {
    /// For an arena that takes these events.
    pub(crate) fn new(events: mpsc::Sender<Event>, max_connections: usize) -> Self {
        Self {
            events,
            places: places(max_connections),
            strangers: Arc::default(),
            door: None,
            tasks: TaskTracker::new(),
            closing: CancellationToken::new(),
            abort: CancellationToken::new(),
        }
    }

    /// A door for one team of a hall: whoever registers as a player through it gets the team's place, under the team's
    /// name, if nobody is there; also in a game, to come back. Everybody else is refused. The door has a few places of
    /// its own, so that no crowd before it keeps others from theirs.
    #[must_use]
    pub fn for_team(&self, team: TeamId) -> Self {
        Self {
            places: places(PLACES_OF_A_DOOR),
            strangers: Arc::default(),
            door: Some(team),
            ..self.clone()
        }
    }

    /// Serves a connection with a peer at `address` until its end. When there are too many, the
    /// oldest one that has not registered makes room; when all have, this one is closed.
    ///
    /// To be called within a tokio runtime.
    pub fn connect<R, W>(&self, reader: R, writer: W, address: IpAddr)
    where
        R: AsyncRead + Unpin + Send + 'static,
        W: AsyncWrite + Unpin + Send + 'static,
    {
        self.serve(Untimed(reader), writer, self.new_link(address));
    }

    fn serve<R, W>(&self, reader: R, writer: W, link: Link)
    where
        R: Arrivals + Send + 'static,
        W: AsyncWrite + Unpin + Send + 'static,
    {
        let address = link.address;
        let link = Arc::new(link);
        let free = Arc::clone(&self.places).try_acquire_owned();
        if free.is_err() {
            let Some(stranger) = self.strangers.lock().pop_front() else {
                return debug!("too many connections: {address} is turned away");
            };
            stranger.abort.cancel();
        }
        self.strangers.lock().push_back(Arc::clone(&link));
        let (places, strangers) = (Arc::clone(&self.places), Arc::clone(&self.strangers));
        let (events, closing) = (self.events.clone(), self.closing.clone());
        self.tasks.spawn(async move {
            let place = match free {
                Ok(place) => Ok(place),
                Err(_) => places.acquire_owned().await,
            };
            let known = || strangers.lock().retain(|stranger| stranger.id != link.id);
            connection::serve(Arc::clone(&link), reader, writer, events, closing, known).await;
            known();
            drop(place);
        });
    }

    fn new_link(&self, address: IpAddr) -> Link {
        let mut link = Link::new(address, self.abort.child_token());
        link.door = self.door;
        link
    }

    /// Serves everybody who connects to a TCP port, until the arena closes.
    pub async fn listen(&self, listener: TcpListener) {
        loop {
            let accepted = tokio::select! {
                accepted = listener.accept() => accepted,
                () = self.closing.cancelled() => return,
            };
            match accepted {
                Ok((stream, address)) => {
                    if let Err(failure) = tune(&stream) {
                        warn!("{address}: {failure}");
                    }
                    let mut link = self.new_link(address.ip().to_canonical());
                    let stream = Arc::new(stream);
                    link.probe = Some(Box::new(TcpProbe(Arc::clone(&stream))));
                    self.serve(TcpReader::new(Arc::clone(&stream)), TcpWriter(stream), link);
                }
                Err(failure) => {
                    // Too many open files, say: others may close some.
                    error!("cannot accept a connection: {failure}");
                    sleep(Duration::from_millis(100)).await;
                }
            }
        }
    }

    /// Lets a bot of the house play, on a connection inside the process, which takes none of the places. The
    /// connection, and the task that serves it.
    ///
    /// To be called within a tokio runtime.
    pub(crate) fn connect_house(&self, bot: HouseBot, seed: u64) -> (Arc<Link>, JoinHandle<()>) {
        house::connect(bot, seed, &self.tasks, self.abort.child_token())
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

fn places(connections: usize) -> Arc<Semaphore> {
    Arc::new(Semaphore::new(connections.min(Semaphore::MAX_PERMITS)))
}

/// Messages go out at once, and a machine that is gone without a word is noticed in the end.
fn tune(stream: &TcpStream) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let keepalive = TcpKeepalive::new().with_time(KEEPALIVE).with_interval(KEEPALIVE);
    SockRef::from(stream).set_tcp_keepalive(&keepalive)
}
