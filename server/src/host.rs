//! The door of the arena: every connection comes in here.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use bots::Entry;
use game::pacman::Rules;
use protocol::{Name, Registration, Role};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, mpsc};
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tracing::{error, warn};

use crate::connection::{self, CLOSE, Event, Link};

/// Between the two ends of a connection inside the process.
const PIPE: usize = 64 * 1024;

/// Lets connections into an arena, whatever they are made of. Clones let into the same one.
#[derive(Clone, Debug)]
pub struct Host {
    events: mpsc::Sender<Event>,
    ids: Arc<AtomicU64>,
    places: Arc<Semaphore>,
    tasks: TaskTracker,
    abort: CancellationToken,
}

impl Host {
    /// For an arena that takes these events.
    pub(crate) fn new(events: mpsc::Sender<Event>, max_connections: usize) -> Self {
        Self {
            events,
            ids: Arc::default(),
            places: Arc::new(Semaphore::new(max_connections.min(Semaphore::MAX_PERMITS))),
            tasks: TaskTracker::new(),
            abort: CancellationToken::new(),
        }
    }

    /// Serves a connection with a peer at `address` until its end. It is closed at once when there
    /// are too many.
    ///
    /// To be called within a tokio runtime.
    pub fn connect<R, W>(&self, reader: R, writer: W, address: IpAddr)
    where
        R: AsyncRead + Unpin + Send + 'static,
        W: AsyncWrite + Unpin + Send + 'static,
    {
        let Ok(place) = Arc::clone(&self.places).try_acquire_owned() else {
            return warn!("too many connections: {address} is turned away");
        };
        let id = self.ids.fetch_add(1, Ordering::Relaxed);
        let link = Arc::new(Link::new(id, address, self.abort.child_token()));
        let events = self.events.clone();
        self.tasks.spawn(async move {
            connection::serve(link, reader, writer, events).await;
            drop(place);
        });
    }

    /// Serves everybody who connects to a TCP port, for ever.
    pub async fn listen(&self, listener: TcpListener) {
        loop {
            match listener.accept().await {
                Ok((stream, address)) => {
                    if let Err(failure) = stream.set_nodelay(true) {
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

    /// Lets a bot of the house play, on a connection inside the process.
    pub(crate) fn connect_house(&self, bot: &'static Entry, seed: u64, rules: Rules) {
        let (ours, theirs) = tokio::io::duplex(PIPE);
        let (reader, writer) = tokio::io::split(ours);
        self.connect(reader, writer, Ipv4Addr::LOCALHOST.into());
        let registration =
            Registration { role: Role::Player, name: Name::new(bot.name), secret: None };
        self.tasks.spawn(async move {
            let mut mind = bot.make(seed);
            if let Err(failure) =
                client::play(theirs, &registration, mind.as_mut(), &rules, |_| {}).await
            {
                error!("the house's {}: {failure}", bot.name);
            }
        });
    }

    /// Lets the connections that are closing end, and ends those that do not.
    pub(crate) async fn close(&self) {
        self.tasks.close();
        if timeout(CLOSE, self.tasks.wait()).await.is_err() {
            self.abort.cancel();
            let _ = timeout(CLOSE, self.tasks.wait()).await;
        }
    }
}
