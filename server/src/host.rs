//! The door of the arena: every connection comes in here.

use std::collections::VecDeque;
use std::io;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::time::Duration;

use game::colour::Colour;
use parking_lot::Mutex;
use protocol::{Name, Registration, Role};
use socket2::{SockRef, TcpKeepalive};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, mpsc};
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tracing::{debug, error, warn};

use crate::connection::{self, CLOSE, Event, Link};
use crate::settings::HouseBot;

/// Between the two ends of a connection inside the process.
const PIPE: usize = 64 * 1024;
/// A peer that says nothing is asked that often whether it is still there.
const KEEPALIVE: Duration = Duration::from_secs(10);
/// Connections before a door to one seat.
const PLACES_OF_A_SEAT: usize = 8;

/// Lets connections into an arena, whatever they are made of. Clones let into the same one, and
/// [`for_seat`](Self::for_seat) to one seat of it.
#[derive(Clone, Debug)]
pub struct Host {
    events: mpsc::Sender<Event>,
    places: Arc<Semaphore>,
    /// Connections that have not registered, oldest first.
    strangers: Arc<Mutex<VecDeque<Arc<Link>>>>,
    /// The seat that those who come in here are for, if there is one.
    seat: Option<Colour>,
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
            seat: None,
            tasks: TaskTracker::new(),
            closing: CancellationToken::new(),
            abort: CancellationToken::new(),
        }
    }

    /// A door to this seat of an arena that [assigns](crate::Arena::assigned) them: whoever registers
    /// as a player through it gets the seat, under the seat's name, if nobody is there; also in the
    /// game, to come back. Everybody else is refused. The door has a few places of its own, so that no
    /// crowd before it keeps others from their seats.
    #[must_use]
    pub fn for_seat(&self, seat: Colour) -> Self {
        Self {
            places: places(PLACES_OF_A_SEAT),
            strangers: Arc::default(),
            seat: Some(seat),
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
        let link = Arc::new(self.new_link(address));
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

    /// Where connections tell what they do.
    pub(crate) fn events(&self) -> mpsc::Sender<Event> {
        self.events.clone()
    }

    fn new_link(&self, address: IpAddr) -> Link {
        let mut link = Link::new(address, self.abort.child_token());
        link.seat = self.seat;
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
                    let (reader, writer) = stream.into_split();
                    self.connect(reader, writer, address.ip().to_canonical());
                }
                Err(failure) => {
                    // Too many open files, say: others may close some.
                    error!("cannot accept a connection: {failure}");
                    sleep(Duration::from_millis(100)).await;
                }
            }
        }
    }

    /// Lets a bot of the house play, on a connection inside the process. It takes none of the places.
    ///
    /// To be called within a tokio runtime.
    pub fn connect_house(&self, bot: HouseBot, seed: u64) {
        let (ours, theirs) = tokio::io::duplex(PIPE);
        let (reader, writer) = tokio::io::split(ours);
        let mut link = self.new_link(Ipv4Addr::LOCALHOST.into());
        link.is_house = true;
        let (events, closing) = (self.events.clone(), self.closing.clone());
        self.tasks.spawn(connection::serve(Arc::new(link), reader, writer, events, closing, || {}));
        let registration =
            Registration { role: Role::Player, name: Name::new(bot.name()), secret: None };
        self.tasks.spawn(async move {
            let played = match bot {
                HouseBot::Pacman(entry, rules) => {
                    let mut bot = entry.make(seed);
                    client::play(theirs, &registration, bot.as_mut(), &rules, |_| {}).await
                }
                HouseBot::PyRat(entry) => {
                    let mut bot = entry.make(seed);
                    client::pyrat::play(theirs, &registration, bot.as_mut(), |_| {}).await
                }
            };
            if let Err(failure) = played {
                error!("the house's {}: {failure}", bot.name());
            }
        });
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
