//! One peer: its registration, its messages, and what is sent to it.

use std::io;
use std::net::IpAddr;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use bytes::Bytes;
use futures_util::StreamExt;
use game::colour::Colour;
use parking_lot::Mutex;
use protocol::{CLIENT_FRAME_LIMIT, FrameCodec, Registration, Role, ServerMessage};
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};
use tokio::sync::{mpsc, oneshot};
use tokio::task::coop::consume_budget;
use tokio::time::{Instant, sleep, timeout};
use tokio_util::codec::FramedRead;
use tokio_util::sync::CancellationToken;
use tracing::debug;

use crate::answers::{Answers, Verdict};
use crate::outbox::Outbox;

/// For the registration to come.
pub(crate) const REGISTRATION: Duration = Duration::from_secs(5);
/// For the last messages to be sent and the peer to close in its turn.
pub(crate) const CLOSE: Duration = Duration::from_secs(2);

/// What the arena keeps of a connection.
#[derive(Debug)]
pub(crate) struct Link {
    /// Unique in the process: a table knows connections of its hall and of its own.
    pub(crate) id: u64,
    /// Where the peer is.
    pub(crate) address: IpAddr,
    /// What is sent to it.
    pub(crate) outbox: Outbox,
    /// What a player answers.
    pub(crate) answers: Mutex<Answers<Answer>>,
    /// Ends the connection at once.
    pub(crate) abort: CancellationToken,
    /// Whether the peer is a bot of the house.
    pub(crate) is_house: bool,
    /// The seat that it is for, in an arena that assigns them.
    pub(crate) seat: Option<Colour>,
    /// Who is told of answers, if not those who are told of everything else.
    route: Mutex<Option<mpsc::Sender<Event>>>,
    /// Whether the player has missed so many deadlines that it is absent.
    silent: AtomicBool,
}

/// What a player has answered, and when.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    /// Its message.
    pub(crate) text: Bytes,
    /// When it came.
    pub(crate) at: Instant,
}

/// What a connection, or a hall, tells an arena. At most one event of a kind waits for each state sent, so
/// that a flood of messages ends in its own connection.
#[derive(Debug)]
pub(crate) enum Event {
    /// A peer has registered.
    Registered(Arc<Link>, Registration),
    /// A player has answered the current state.
    Answered,
    /// A registered peer is gone.
    Left(u64),
    /// A hall gives a player this seat.
    Seated(Colour, Arc<Link>),
    /// A hall shows the game to a spectator, which has this number.
    Shown(Arc<Link>, u64),
    /// A hall takes all spectators away, and waits until they are shown no more.
    Released(oneshot::Sender<()>),
}

impl Link {
    /// For a new connection.
    pub(crate) fn new(address: IpAddr, abort: CancellationToken) -> Self {
        static IDS: AtomicU64 = AtomicU64::new(0);
        Self {
            id: IDS.fetch_add(1, Ordering::Relaxed),
            address,
            outbox: Outbox::default(),
            answers: Mutex::default(),
            abort,
            is_house: false,
            seat: None,
            route: Mutex::default(),
            silent: AtomicBool::default(),
        }
    }

    /// From now on these are told of answers, or those again who are told of everything else.
    pub(crate) fn set_route(&self, route: Option<mpsc::Sender<Event>>) {
        *self.route.lock() = route;
    }

    /// Says whether the player is absent although it is connected; whether that is new.
    pub(crate) fn set_silent(&self, silent: bool) -> bool {
        self.silent.swap(silent, Ordering::Relaxed) != silent
    }

    /// Whether the player is absent although it is connected: it has missed too many deadlines, and has
    /// not answered since.
    pub(crate) fn is_silent(&self) -> bool {
        self.silent.load(Ordering::Relaxed) && !self.answers.lock().is_answered()
    }

    /// Refuses the registration, and closes.
    pub(crate) fn refuse(&self) {
        self.outbox.close(ServerMessage::Refused);
    }

    /// Says that it is over, and closes.
    pub(crate) fn quit(&self) {
        self.outbox.close(ServerMessage::Quit);
    }
}

/// Serves a connection until its end. `on_registration` is called when its first message has come,
/// whatever it is. Once the arena is `closing` nobody registers any more.
pub(crate) async fn serve<R, W>(
    link: Arc<Link>,
    reader: R,
    writer: W,
    events: mpsc::Sender<Event>,
    closing: CancellationToken,
    on_registration: impl FnOnce(),
) where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin,
{
    let mut frames = FramedRead::new(reader, FrameCodec::new(CLIENT_FRAME_LIMIT));
    let first = tokio::select! {
        first = timeout(REGISTRATION, frames.next()) => first,
        () = link.abort.cancelled() => return,
        () = closing.cancelled() => return,
    };
    on_registration();
    let role = match first {
        Ok(Some(Ok(message))) => match Registration::decode(&message) {
            Ok(registration) => {
                let role = registration.role;
                let event = Event::Registered(Arc::clone(&link), registration);
                if events.send(event).await.is_err() {
                    link.quit();
                }
                Some(role)
            }
            Err(error) => {
                debug!("{} is refused: {error}", link.address);
                link.refuse();
                None
            }
        },
        Ok(Some(Err(error))) => return debug!("{}: {error}", link.address),
        Ok(None) | Err(_) => return debug!("{} did not register", link.address),
    };

    let mut reading = pin!(read(&link, frames, &events));
    let mut writing = pin!(write(&link.outbox, writer));
    let traffic = async {
        tokio::select! {
            // A peer that has only stopped writing may still read: a spectator all the game, others
            // their last messages.
            () = &mut reading => if role == Some(Role::Spectator) || link.outbox.is_closed() {
                let _ = writing.await;
            },
            // Closing before everything is read would let the kernel throw away what was sent.
            written = &mut writing => if written.is_ok() {
                reading.await;
            },
        }
    };
    let overdue = async {
        link.outbox.closed().await;
        sleep(CLOSE).await;
    };
    tokio::select! {
        () = traffic => {}
        () = overdue => {}
        () = link.abort.cancelled() => {}
    }
    if role.is_some() {
        // Nobody listens any more once the arena has closed.
        let _ = events.send(Event::Left(link.id)).await;
    }
}

/// Takes what a peer sends, until it stops or breaks the protocol.
async fn read<R: AsyncRead + Unpin>(
    link: &Link,
    mut frames: FramedRead<R, FrameCodec>,
    events: &mpsc::Sender<Event>,
) {
    while let Some(message) = frames.next().await {
        // What is in the buffer already would come without a pause: others have their turn first.
        consume_budget().await;
        match message {
            Ok(message) => {
                let answer = Answer { text: message, at: Instant::now() };
                let verdict = link.answers.lock().receive(answer);
                if verdict == Verdict::Current {
                    // Whose state it answers had set the route before it sent that state.
                    let route = link.route.lock().clone();
                    let _ = route.as_ref().unwrap_or(events).send(Event::Answered).await;
                }
            }
            Err(error) => return debug!("{}: {error}", link.address),
        }
    }
}

/// Sends what is put into the outbox; returns when it is closed and all is sent.
async fn write(outbox: &Outbox, mut writer: impl AsyncWrite + Unpin) -> io::Result<()> {
    let mut batch = Vec::new();
    while outbox.take(&mut batch).await {
        writer.write_all(&batch).await?;
    }
    writer.shutdown().await
}
