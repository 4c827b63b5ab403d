//! One peer: its registration, its messages, and what is sent to it.

use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use protocol::{CLIENT_FRAME_LIMIT, CodecError, FrameCodec, Registration, Role, ServerMessage};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::mpsc;
use tokio::task::coop::consume_budget;
use tokio::time::sleep;
use tokio_util::codec::FramedRead;
use tokio_util::sync::CancellationToken;
use tracing::debug;

use crate::link::{Link, Message};
use crate::opening::{Opening, receive_registration};
use crate::outbox::Outbox;
use crate::transport::{Arrivals, Untimed};

/// For the last messages to be sent and the peer to close in its turn.
pub(crate) const CLOSE: Duration = Duration::from_secs(2);
/// Between two reads of what means nothing.
const DISCARD: Duration = Duration::from_millis(5);

/// What a connection tells the hall.
#[derive(Debug)]
pub(crate) enum Event {
    /// A peer has registered.
    Registered(Arc<Link>, Registration),
    /// A registered peer is gone.
    Left(u64),
}

/// Serves a connection until its end. Once the hall is `closing` nobody registers any more.
pub(crate) async fn serve<R, W>(
    link: Arc<Link>,
    reader: R,
    writer: W,
    events: mpsc::Sender<Event>,
    closing: CancellationToken,
) where
    R: Arrivals,
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

    exchange(&link, role, frames, writer, Some(&events)).await;
    link.place.leave();
    if role.is_some() {
        // Nobody listens any more once the hall has closed.
        let _ = events.send(Event::Left(link.id)).await;
    }
}

/// Serves a player of the house, whose registration nobody waits for.
pub(crate) async fn serve_house<R, W>(link: Arc<Link>, reader: R, writer: W)
where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin,
{
    let mut frames = FramedRead::new(Untimed(reader), FrameCodec::new(CLIENT_FRAME_LIMIT));
    if frames.next().await.is_some() {
        exchange(&link, Some(Role::Player), frames, writer, None).await;
    }
}

/// Reads and writes until the connection ends. A player that stops writing is gone, but it is told goodbye: it may
/// still read.
async fn exchange<R: Arrivals>(
    link: &Link,
    role: Option<Role>,
    frames: FramedRead<R, FrameCodec>,
    writer: impl AsyncWrite + Unpin,
    events: Option<&mpsc::Sender<Event>>,
) {
    let reading = async {
        match role {
            Some(Role::Player) => read(link, frames).await,
            Some(Role::Spectator) | None => {
                discard(frames.into_inner()).await;
                Ok(())
            }
        }
    };
    let mut reading = pin!(reading);
    let mut writing = pin!(write(&link.outbox, writer));
    let traffic = async {
        tokio::select! {
            // A spectator that has stopped writing reads on, others read their last messages.
            read = &mut reading => {
                if read.is_err() {
                    return;
                }
                if role == Some(Role::Player) && !link.outbox.is_closed() {
                    if let Some(events) = events {
                        let _ = events.send(Event::Left(link.id)).await;
                    }
                    link.quit();
                }
                let _ = writing.await;
            },
            // Closing before everything is read would let the kernel throw away what was sent.
            written = &mut writing => if written.is_ok() {
                // What a peer says after the farewell may be broken.
                let _ = reading.await;
            },
        }
    };
    let ending = async {
        tokio::select! {
            () = link.outbox.closed() => {}
            () = link.place.refused_late() => link.close(ServerMessage::Refused),
            () = link.abort.cancelled() => return,
        }
        tokio::select! {
            () = sleep(CLOSE) => {}
            () = link.abort.cancelled() => {}
        }
    };
    // A message wakes this task, and `FuturesUnordered` does not look at the ending unless that has woken it.
    let mut ending: FuturesUnordered<_> = std::iter::once(ending).collect();
    tokio::select! {
        biased;
        () = traffic => {}
        _ = ending.next() => {}
    }
}

/// Takes what a player sends, until it stops.
///
/// # Errors
///
/// When it breaks the protocol, or the connection fails.
async fn read<R: Arrivals>(
    link: &Link,
    mut frames: FramedRead<R, FrameCodec>,
) -> Result<(), CodecError> {
    while let Some(message) = frames.next().await {
        // What is in the buffer already would come without a pause: others have their turn first.
        consume_budget().await;
        match message {
            Ok(text) => link.receive(Message { text, at: frames.get_ref().arrived() }),
            Err(error) => {
                debug!("{}: {error}", link.address);
                return Err(error);
            }
        }
    }
    Ok(())
}

/// Reads and drops what a peer sends whose messages mean nothing, slowly: the rest waits on its own machine.
async fn discard(mut reader: impl AsyncRead + Unpin) {
    let mut buffer = [0; 4096];
    while reader.read(&mut buffer).await.is_ok_and(|read| read > 0) {
        sleep(DISCARD).await;
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
