//! The task of one connection: the registration of the peer, its messages, and the messages to it.

use std::future::poll_fn;
use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt as _;
use protocol::{CLIENT_FRAME_LIMIT, CodecError, FrameCodec, Registration, Role, ServerMessage};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::runtime::Handle;
use tokio::sync::mpsc;
use tokio::task::yield_now;
use tokio::time::sleep;
use tokio_util::codec::FramedRead;
use tokio_util::sync::CancellationToken;
use tracing::debug;

use crate::opening::{Opening, receive_registration};
use crate::outbox::Outbox;
use crate::peer::Peer;
use crate::transport::{Arrivals, Untimed};

/// Longest wait for the last messages to be sent and for the peer to close.
pub(crate) const CLOSE: Duration = Duration::from_secs(2);
/// Pause between two reads of bytes that are dropped.
const DISCARD: Duration = Duration::from_millis(5);

/// Maximum number of bytes written before other tasks run; up to a megabyte may wait for a spectator.
const CHUNK: usize = 8 * 1024;

/// A message from a connection to the hall.
#[derive(Debug)]
pub(crate) enum Event {
    /// A peer has registered.
    Registered(Arc<Peer>, Registration),
    /// A registered peer is gone.
    Left(u64),
}

/// Serves a connection until its end. Peers cannot register once `closing` is cancelled. Spectators are served on
/// the runtime `gallery`, if there is one.
pub(crate) async fn serve<R, W>(
    peer: Arc<Peer>,
    reader: R,
    writer: W,
    events: mpsc::Sender<Event>,
    closing: CancellationToken,
    gallery: Option<Handle>,
) where
    R: Arrivals + Send + 'static,
    W: AsyncWrite + Unpin + Send + 'static,
{
    let opening = Opening(FrameCodec::new(CLIENT_FRAME_LIMIT));
    let mut frames = FramedRead::with_capacity(reader, opening, CLIENT_FRAME_LIMIT);
    let registered = tokio::select! {
        registered = receive_registration(&peer, &mut frames) => registered,
        () = peer.abort.cancelled() => None,
        () = closing.cancelled() => None,
    };
    let registration = match registered {
        Some(Ok(registration)) => registration,
        Some(Err(notice)) => {
            peer.refuse(&notice);
            exchange(&peer, discard(frames.into_inner()), writer).await;
            return peer.place.leave();
        }
        None => return peer.place.leave(),
    };
    let register = async |registration| {
        let event = Event::Registered(Arc::clone(&peer), registration);
        if events.send(event).await.is_err() {
            peer.quit();
        }
    };
    match registration.role {
        Role::Player => {
            // The inbox opens before the hall knows the player, which may play at once.
            peer.inbox.open(frames.map_decoder(|opening| opening.0));
            register(registration).await;
            exchange(&peer, player_left(&peer, Some(&events)), writer).await;
        }
        Role::Spectator => {
            register(registration).await;
            let watched = Arc::clone(&peer);
            let reader = frames.into_inner();
            let watch = async move { exchange(&watched, discard(reader), writer).await };
            match gallery {
                Some(gallery) => drop(gallery.spawn(watch).await),
                None => watch.await,
            }
        }
    }
    peer.place.leave();
    // The hall may have closed, and receive nothing.
    let _ = events.send(Event::Left(peer.id)).await;
}

/// Serves a player of the house; waits for its registration and drops it.
pub(crate) async fn serve_house<R, W>(peer: Arc<Peer>, reader: R, writer: W)
where
    R: AsyncRead + Unpin + Send + 'static,
    W: AsyncWrite + Unpin,
{
    let mut frames = FramedRead::new(Untimed(reader), FrameCodec::new(CLIENT_FRAME_LIMIT));
    if frames.next().await.is_some() {
        peer.inbox.open(frames);
        exchange(&peer, player_left(&peer, None), writer).await;
    }
}

/// Writes until the connection ends, while `reading` reads the peer's messages.
async fn exchange(
    peer: &Peer,
    reading: impl Future<Output = Result<(), CodecError>>,
    writer: impl AsyncWrite + Unpin,
) {
    let mut reading = pin!(reading);
    let writing = write(&peer.outbox, writer);
    let ending = async {
        tokio::select! {
            () = peer.outbox.closed.cancelled() => {}
            () = peer.place.refused_late() => peer.close(ServerMessage::Refused),
            () = peer.abort.cancelled() => return,
        }
        tokio::select! {
            () = sleep(CLOSE) => {}
            () = peer.abort.cancelled() => {}
        }
    };
    let (mut writing, mut ending) = (pin!(writing), pin!(ending));
    let (mut has_read, mut has_written) = (false, false);
    while !(has_read && has_written) {
        tokio::select! {
            biased;
            read = &mut reading, if !has_read => {
                has_read = true;
                // A protocol error after the farewell is harmless.
                if read.is_err() && !has_written {
                    return;
                }
            }
            // Closing with unread input would make the kernel discard the output.
            written = &mut writing, if !has_written => match written {
                Ok(()) => has_written = true,
                Err(_) => return,
            },
            () = &mut ending => return,
        }
    }
}

/// Waits until a player stops writing, which counts as leaving, and sends it `quit`: it may still read. Fails when the
/// player breaks the protocol, or the connection fails.
async fn player_left(peer: &Peer, events: Option<&mpsc::Sender<Event>>) -> Result<(), CodecError> {
    let end = poll_fn(|context| peer.inbox.poll_end(context)).await;
    if let Err(error) = &end {
        debug!("{}: {error}", peer.address);
    } else if !peer.outbox.closed.is_cancelled() {
        if let Some(events) = events {
            let _ = events.send(Event::Left(peer.id)).await;
        }
        peer.quit();
    }
    end
}

/// Reads and drops the bytes of a peer, slowly, so that a flood waits on the peer's own machine.
async fn discard(mut reader: impl AsyncRead + Unpin) -> Result<(), CodecError> {
    let mut buffer = [0; 4096];
    while reader.read(&mut buffer).await.is_ok_and(|read| read > 0) {
        sleep(DISCARD).await;
    }
    Ok(())
}

/// Sends the messages of the outbox; returns when the outbox is closed and empty.
async fn write(outbox: &Outbox, mut writer: impl AsyncWrite + Unpin) -> io::Result<()> {
    let mut batch = Vec::new();
    while outbox.take(&mut batch).await {
        for chunk in batch.chunks(CHUNK) {
            writer.write_all(chunk).await?;
            if chunk.len() == CHUNK {
                yield_now().await;
            }
        }
        writer.flush().await?;
    }
    writer.shutdown().await
}
