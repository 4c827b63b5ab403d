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
use tokio::time::{Instant, sleep};
use tokio_util::codec::FramedRead;
use tokio_util::sync::CancellationToken;
use tracing::debug;

use crate::answers::{Answers, Verdict};
use crate::opening::{Opening, receive_registration};
use crate::outbox::Outbox;
use crate::places::Place;

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
    /// Its place among all connections.
    pub(crate) place: Place,
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
    pub(crate) fn new(address: IpAddr, abort: CancellationToken, place: Place) -> Self {
        static IDS: AtomicU64 = AtomicU64::new(0);
        Self {
            id: IDS.fetch_add(1, Ordering::Relaxed),
            address,
            outbox: Outbox::default(),
            answers: Mutex::default(),
            place,
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

    /// Refuses the registration and closes: at once, or late if its secret is wrong.
    pub(crate) fn refuse(&self) {
        match self.place.has_wrong_secret() {
            true => self.place.refuse_late(),
            false => self.close(ServerMessage::Refused),
        }
    }

    /// Says that it is over, and closes.
    pub(crate) fn quit(&self) {
        self.close(ServerMessage::Quit);
    }

    fn close(&self, last: ServerMessage<'_>) {
        self.outbox.close(last);
        self.place.close();
    }
}

/// Serves a connection until its end. Once the arena is `closing` nobody registers any more.
pub(crate) async fn serve<R, W>(
    link: Arc<Link>,
    reader: R,
    writer: W,
    events: mpsc::Sender<Event>,
    closing: CancellationToken,
) where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin,
{
    let mut frames = FramedRead::with_capacity(reader, Opening::new(), CLIENT_FRAME_LIMIT);
    let registered = tokio::select! {
        registered = receive_registration(&link, &mut frames) => registered,
        () = link.abort.cancelled() => None,
        () = closing.cancelled() => None,
    };
    let role = match registered {
        Some(Ok(registration)) => {
            let role = registration.role;
            let event = Event::Registered(Arc::clone(&link), registration);
            if events.send(event).await.is_err() {
                link.quit();
            }
            Some(role)
        }
        Some(Err(notice)) => {
            link.place.tell(link.address, &notice);
            link.refuse();
            None
        }
        None => return link.place.leave(),
    };
    let frames = frames.map_decoder(Opening::into_frames);

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
        tokio::select! {
            () = link.outbox.closed() => {}
            () = link.place.refused_late() => link.close(ServerMessage::Refused),
        }
        sleep(CLOSE).await;
    };
    tokio::select! {
        () = traffic => {}
        () = overdue => {}
        () = link.abort.cancelled() => {}
    }
    link.place.leave();
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
