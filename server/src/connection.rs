//! One peer: its registration, its messages, and what is sent to it.

use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::Either;
use futures_util::stream::FuturesUnordered;
use futures_util::{FutureExt as _, StreamExt as _};
use protocol::{CLIENT_FRAME_LIMIT, CodecError, FrameCodec, Registration, Role, ServerMessage};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::runtime::Handle;
use tokio::sync::mpsc;
use tokio::task::{coop::consume_budget, yield_now};
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

/// Maximum number of bytes that are written before other tasks run: a megabyte may wait for a spectator.
const CHUNK: usize = 8 * 1024;

/// What a connection tells the hall.
#[derive(Debug)]
pub(crate) enum Event {
    /// A peer has registered.
    Registered(Arc<Link>, Registration),
    /// A registered peer is gone.
    Left(u64),
}

/// Serves a connection until its end. Once the hall is `closing` nobody registers any more. Spectators
/// are served in the `gallery`, if there is one.
pub(crate) async fn serve<R, W>(
    link: Arc<Link>,
    reader: R,
    writer: W,
    events: mpsc::Sender<Event>,
    closing: CancellationToken,
    gallery: Option<Handle>,
) where
    R: Arrivals + Send + 'static,
    W: AsyncWrite + Unpin + Send + 'static,
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

    match gallery.filter(|_| role == Some(Role::Spectator)) {
        Some(gallery) => {
            let link = Arc::clone(&link);
            let watch = async move { exchange(&link, role, frames, writer, None).await };
            let _ = gallery.spawn(watch).await;
        }
        None => exchange(&link, role, frames, writer, Some(&events)).await,
    }
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
    let writing = write(&link.outbox, writer);
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
    // Each message wakes this task. `FuturesUnordered` looks only at what was woken itself.
    let mut others = FuturesUnordered::new();
    others.push(Either::Left(writing.map(Some)));
    others.push(Either::Right(ending.map(|()| None)));
    let (mut has_read, mut has_written) = (false, false);
    while !(has_read && has_written) {
        tokio::select! {
            biased;
            read = &mut reading, if !has_read => {
                has_read = true;
                // What a peer says after the farewell may be broken.
                if read.is_err() && !has_written {
                    return;
                }
                // A spectator that has stopped writing reads on, others read their last messages.
                if role == Some(Role::Player) && !link.outbox.is_closed() {
                    if let Some(events) = events {
                        let _ = events.send(Event::Left(link.id)).await;
                    }
                    link.quit();
                }
            }
            Some(outcome) = others.next() => match outcome {
                // Closing before everything is read would let the kernel throw away what was sent.
                Some(Ok(())) => has_written = true,
                Some(Err(_)) | None => return,
            },
        }
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
        for chunk in batch.chunks(CHUNK) {
            writer.write_all(chunk).await?;
            if chunk.len() == CHUNK {
                yield_now().await;
            }
        }
    }
    writer.shutdown().await
}
