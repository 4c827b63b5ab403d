//! Players and spectators that come over a WebSocket (RFC 6455): a text message each way is a message of the protocol.
//!
//! The halves of such a connection read and write the protocol's bytes, as those of a TCP connection do, so that nothing else
//! knows the difference. Arrival times are those of the segments below. A peer that breaks a limit is told why and
//! closed.

use std::io;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::{Buf, BytesMut};
use futures_util::{SinkExt, StreamExt};
use language::said;
use limits::TokenBucket;
use parking_lot::Mutex;
use protocol::{CLIENT_FRAME_LIMIT, SERVER_FRAME_LIMIT};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::Instant;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::error::ProtocolError;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, Role, WebSocketConfig};
use tokio_tungstenite::tungstenite::{Error, Message, Utf8Bytes};

use crate::transport::{Arrivals, TcpReader, TcpWriter};

/// Maximum number of bytes read for one message; one that comes in fragments of a byte has 7 bytes for each.
const UNFINISHED: usize = 8 * CLIENT_FRAME_LIMIT;
/// Size of the read buffer in bytes.
const READ: usize = 2 * CLIENT_FRAME_LIMIT;
/// Maximum number of bytes that wait to be written: the longest message, and answers to pings.
const UNWRITTEN: usize = 2 * SERVER_FRAME_LIMIT;
/// Time per ping that a peer may send in the long run.
const PER_PING: Duration = Duration::from_millis(500);
/// Burst of pings allowed ahead of the rate: 16.
const PINGS: Duration = Duration::from_secs(8);
/// Maximum number of bytes of the reason in a close frame (RFC 6455, section 5.5).
const REASON: usize = 123;

/// The reason for which a peer is turned away, in words; empty for a farewell.
pub(crate) type Farewell = Arc<OnceLock<String>>;

/// The reading half of a WebSocket connection.
pub(crate) struct WebReader(Arc<Mutex<Frames>>);

/// The writing half of a WebSocket connection.
pub(crate) struct WebWriter(Arc<Mutex<Frames>>);

/// A TCP connection below WebSocket frames.
struct Segments {
    reader: TcpReader,
    writer: TcpWriter,
    /// Number of bytes read since the last message.
    read: usize,
}

struct Frames {
    socket: WebSocketStream<Segments>,
    /// The unread bytes of the last message received, with its NUL.
    unread: BytesMut,
    /// The beginning of the next message to be sent.
    begun: Vec<u8>,
    pings: TokenBucket,
    farewell: Farewell,
    /// True if the close frame is sent.
    is_closed: bool,
}

/// Splits a connection that has become a WebSocket. `received` are the bytes that came with the request.
pub(crate) async fn split(
    stream: Arc<TcpStream>,
    received: Vec<u8>,
    farewell: Farewell,
) -> (WebReader, WebWriter) {
    let reader = TcpReader::new(Arc::clone(&stream));
    let segments = Segments { reader, writer: TcpWriter(stream), read: 0 };
    let config = WebSocketConfig::default()
        .max_message_size(Some(CLIENT_FRAME_LIMIT))
        .max_frame_size(Some(CLIENT_FRAME_LIMIT))
        .read_buffer_size(READ)
        .write_buffer_size(0)
        .max_write_buffer_size(UNWRITTEN);
    let socket =
        WebSocketStream::from_partially_read(segments, received, Role::Server, Some(config)).await;
    let frames = Arc::new(Mutex::new(Frames {
        socket,
        unread: BytesMut::new(),
        begun: Vec::new(),
        pings: TokenBucket::new(PER_PING, PINGS),
        farewell,
        is_closed: false,
    }));
    (WebReader(Arc::clone(&frames)), WebWriter(frames))
}

impl Frames {
    /// Reads a message. Ready with `false` at the end.
    fn poll_message(&mut self, context: &mut Context<'_>) -> Poll<io::Result<bool>> {
        loop {
            let message = ready!(self.socket.poll_next_unpin(context));
            self.socket.get_mut().read = 0;
            let (code, reason) = match message {
                Some(Ok(Message::Text(text))) if !text.contains('\0') => {
                    self.unread.extend_from_slice(text.as_bytes());
                    self.unread.extend_from_slice(&[0]);
                    return Poll::Ready(Ok(true));
                }
                Some(Ok(Message::Ping(_) | Message::Pong(_))) if self.pings.spend(1) => continue,
                Some(Ok(Message::Close(_))) => {
                    self.is_closed = true;
                    // Sends the answer to the close frame, as far as the system takes it.
                    let _ = self.socket.poll_flush_unpin(context);
                    return Poll::Ready(Ok(false));
                }
                None | Some(Err(Error::Protocol(ProtocolError::ResetWithoutClosingHandshake))) => {
                    return Poll::Ready(Ok(false));
                }
                Some(Ok(Message::Text(_))) => (
                    CloseCode::Policy,
                    said!(
                        "a text message is one message of the protocol, without a NUL",
                        "un message texte doit être un message du protocole, sans NUL"
                    ),
                ),
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {
                    (CloseCode::Policy, said!("too many pings", "trop de pings"))
                }
                Some(Ok(Message::Binary(_) | Message::Frame(_))) => (
                    CloseCode::Unsupported,
                    said!(
                        "expected text messages, found a binary one",
                        "des messages texte sont attendus, pas des messages binaires"
                    ),
                ),
                Some(Err(Error::Capacity(_))) => (CloseCode::Size, too_long()),
                Some(Err(Error::Io(failure))) if failure.kind() == io::ErrorKind::QuotaExceeded => {
                    (CloseCode::Size, too_long())
                }
                Some(Err(Error::Io(failure))) => return Poll::Ready(Err(failure)),
                Some(Err(Error::Utf8(_))) => (
                    CloseCode::Invalid,
                    said!("expected text in UTF-8", "du texte en UTF-8 est attendu"),
                ),
                Some(Err(failure)) => (CloseCode::Protocol, failure.to_string()),
            };
            self.turn_away(context, code, &reason);
            return Poll::Ready(Err(io::Error::new(io::ErrorKind::InvalidData, reason)));
        }
    }

    /// Sends a close frame, as far as the system takes it.
    fn turn_away(&mut self, context: &mut Context<'_>, code: CloseCode, reason: &str) {
        if std::mem::replace(&mut self.is_closed, true) {
            return;
        }
        let _ = self.socket.start_send_unpin(close(code, reason));
        let _ = self.socket.poll_flush_unpin(context);
        // Closing with unread input would make the kernel discard the output.
        let segments = self.socket.get_mut();
        let mut bytes = [0; READ];
        while segments.read < UNFINISHED {
            let mut chunk = ReadBuf::new(&mut bytes);
            let read = Pin::new(&mut segments.reader).poll_read(context, &mut chunk);
            if !matches!(read, Poll::Ready(Ok(()))) || chunk.filled().is_empty() {
                break;
            }
            segments.read += chunk.filled().len();
        }
    }
}

fn too_long() -> String {
    said!(
        "a message has at most {CLIENT_FRAME_LIMIT} bytes",
        "un message a au plus {CLIENT_FRAME_LIMIT} octets"
    )
}

fn close(code: CloseCode, reason: &str) -> Message {
    let end = (0..=reason.len().min(REASON)).rev().find(|&end| reason.is_char_boundary(end));
    let reason = reason[..end.unwrap_or_default()].into();
    Message::Close(Some(CloseFrame { code, reason }))
}

fn failed(error: Error) -> io::Error {
    match error {
        Error::Io(failure) => failure,
        error => io::Error::new(io::ErrorKind::BrokenPipe, error),
    }
}

impl AsyncRead for WebReader {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let mut frames = self.0.lock();
        if frames.unread.is_empty() && !ready!(frames.poll_message(context))? {
            return Poll::Ready(Ok(()));
        }
        let count = buffer.remaining().min(frames.unread.len());
        buffer.put_slice(&frames.unread[..count]);
        frames.unread.advance(count);
        Poll::Ready(Ok(()))
    }
}

impl Arrivals for WebReader {
    fn arrived(&self) -> Instant {
        self.0.lock().socket.get_ref().reader.arrived()
    }

    fn is_empty(&self) -> bool {
        false
    }

    fn set_arrival(&mut self, moment: Option<Instant>) {
        self.0.lock().socket.get_mut().reader.set_arrival(moment);
    }
}

impl Drop for WebWriter {
    /// Says why, as far as the system takes it, if the connection ends without a farewell.
    fn drop(&mut self) {
        let mut frames = self.0.lock();
        if !std::mem::replace(&mut frames.is_closed, true) {
            let reason = said!(
                "closed: no registration in time, messages left unread, or too many connections",
                "fermé : pas d'inscription à temps, messages non lus, ou trop de connexions"
            );
            let _ = frames.socket.start_send_unpin(close(CloseCode::Policy, &reason));
        }
    }
}

impl AsyncWrite for WebWriter {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let mut frames = self.0.lock();
        // One message at a time waits for the peer.
        ready!(frames.socket.poll_flush_unpin(context)).map_err(failed)?;
        let Some(end) = bytes.iter().position(|&byte| byte == 0) else {
            frames.begun.extend_from_slice(bytes);
            return Poll::Ready(Ok(bytes.len()));
        };
        frames.begun.extend_from_slice(&bytes[..end]);
        let text = String::from_utf8(std::mem::take(&mut frames.begun));
        let text = text.map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
        let sent = frames.socket.start_send_unpin(Message::Text(Utf8Bytes::from(text)));
        Poll::Ready(sent.map(|()| end + 1).map_err(failed))
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.0.lock().socket.poll_flush_unpin(context).map_err(failed)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let mut frames = self.0.lock();
        if !std::mem::replace(&mut frames.is_closed, true) {
            let farewell = match frames.farewell.get() {
                Some(reason) => close(CloseCode::Policy, reason),
                None => close(
                    CloseCode::Normal,
                    &said!(
                        "no more games for this connection",
                        "plus de parties pour cette connexion"
                    ),
                ),
            };
            frames.socket.start_send_unpin(farewell).map_err(failed)?;
        }
        frames.socket.poll_flush_unpin(context).map_err(failed)
    }
}

impl AsyncRead for Segments {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.read > UNFINISHED {
            return Poll::Ready(Err(io::ErrorKind::QuotaExceeded.into()));
        }
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.reader).poll_read(context, buffer))?;
        self.read += buffer.filled().len() - before;
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Segments {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.writer).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.writer).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.writer).poll_shutdown(context)
    }
}
