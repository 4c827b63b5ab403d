//! A connection to a web page that ends when its peer misbehaves.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use limits::TokenBucket;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep};
use tokio_util::sync::WaitForCancellationFutureOwned;

use crate::visits::Visit;

/// Time in which a peer has to take at least [`LEAST`] bytes while output waits for it.
const PATIENCE: Duration = Duration::from_secs(20);
/// See [`PATIENCE`].
const LEAST: usize = 64 * 1024;
/// Time per byte that a peer may send in the long run: 32 KiB/s.
const BYTE: Duration = Duration::from_nanos(1_000_000_000 / (32 * 1024));
/// Burst allowed ahead of the rate: 256 KiB, some 50 requests of a browser.
const BURST: Duration = Duration::from_secs(8);

/// A connection that ends with an error when it loses its place to another one, or its peer reads too little or sends
/// too much.
#[derive(Debug)]
pub(crate) struct Stream<S> {
    /// The socket; dropped before `visit`, so that it is closed before the place is free.
    socket: S,
    visit: Visit,
    ended: Pin<Box<WaitForCancellationFutureOwned>>,
    stall: Option<Stall>,
    budget: TokenBucket,
}

/// The state of a connection whose output waits for the peer.
#[derive(Debug)]
struct Stall {
    over: Pin<Box<Sleep>>,
    /// Number of bytes that the peer has taken in this period.
    taken: usize,
}

impl<S> Stream<S> {
    pub(crate) fn new(socket: S, visit: Visit) -> Self {
        let ended = Box::pin(visit.pass().end().clone().cancelled_owned());
        Self { socket, visit, ended, stall: None, budget: TokenBucket::new(BYTE, BURST) }
    }

    /// The socket, whose connection gives its place back.
    pub(crate) fn into_socket(self) -> S {
        self.socket
    }

    fn check_place(&mut self, context: &mut Context<'_>) -> io::Result<()> {
        match self.ended.as_mut().poll(context) {
            Poll::Ready(()) => Err(io::ErrorKind::ConnectionAborted.into()),
            Poll::Pending => Ok(()),
        }
    }

    /// Notes the outcome of a write; an error if the peer has taken too little for too long.
    fn note_write(
        &mut self,
        context: &mut Context<'_>,
        written: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        if let Poll::Ready(written) = written {
            let count = written?;
            self.visit.pass().serve();
            if let Some(stall) = &mut self.stall {
                stall.taken += count;
            }
            return Poll::Ready(Ok(count));
        }
        let new = || Stall { over: Box::pin(sleep(PATIENCE)), taken: 0 };
        let stall = self.stall.get_or_insert_with(new);
        while stall.over.as_mut().poll(context).is_ready() {
            if stall.taken < LEAST {
                return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
            }
            stall.over.as_mut().reset(Instant::now() + PATIENCE);
            stall.taken = 0;
        }
        Poll::Pending
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Stream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.check_place(context)?;
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.socket).poll_read(context, buffer))?;
        let count = buffer.filled().len() - before;
        if self.visit.pass().spend(count) {
            // A wanted upload is as busy as a request.
            self.visit.pass().serve();
            return Poll::Ready(Ok(()));
        }
        if self.budget.spend(count) {
            return Poll::Ready(Ok(()));
        }
        buffer.set_filled(before);
        Poll::Ready(Err(io::ErrorKind::QuotaExceeded.into()))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Stream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.check_place(context)?;
        let written = Pin::new(&mut self.socket).poll_write(context, bytes);
        self.note_write(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.check_place(context)?;
        let written = Pin::new(&mut self.socket).poll_write_vectored(context, bytes);
        self.note_write(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.socket.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(Pin::new(&mut self.socket).poll_flush(context))?;
        // All output is written.
        self.stall = None;
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};
    use tokio::time::timeout;

    use super::*;
    use crate::visits::Visits;

    async fn pair() -> (Stream<DuplexStream>, DuplexStream) {
        let (near, far) = duplex(1024);
        let visit = Visits::new(8).admit([10, 0, 0, 1].into()).await;
        (Stream::new(near, visit), far)
    }

    #[tokio::test(start_paused = true)]
    async fn a_peer_that_does_not_read_is_given_up() {
        let (mut stream, _far) = pair().await;
        let failure = stream.write_all(&[0; 4096]).await.unwrap_err();
        assert_eq!(failure.kind(), io::ErrorKind::TimedOut);
    }

    #[tokio::test(start_paused = true)]
    async fn a_peer_that_drips_is_given_up_and_a_slow_one_is_not() {
        for (each, is_enough) in [(8, false), (512, true)] {
            let (mut stream, mut far) = pair().await;
            tokio::spawn(async move {
                let mut bytes = vec![0; each];
                while far.read_exact(&mut bytes).await.is_ok() {
                    sleep(Duration::from_millis(100)).await;
                }
            });
            let written = stream.write_all(&vec![0; 3 * LEAST]).await;
            assert_eq!(written.is_ok(), is_enough, "{each}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_viewer_that_reads_what_little_there_is_stays() {
        let (mut stream, mut far) = pair().await;
        for _ in 0..100 {
            let write = async {
                stream.write_all(&[0; 1500]).await?;
                stream.flush().await
            };
            let read = async {
                sleep(PATIENCE / 2).await;
                far.read_exact(&mut [0; 1500]).await
            };
            let (written, _) = tokio::join!(write, read);
            written.unwrap();
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_peer_that_floods_is_dropped() {
        let (mut stream, mut far) = pair().await;
        tokio::spawn(async move { while far.write_all(&[0; 1024]).await.is_ok() {} });
        let mut all = Vec::new();
        let failure = stream.read_to_end(&mut all).await.unwrap_err();
        assert_eq!(failure.kind(), io::ErrorKind::QuotaExceeded);
    }

    #[tokio::test(start_paused = true)]
    async fn a_peer_may_send_at_once_what_it_was_allowed() {
        let (mut stream, mut far) = pair().await;
        tokio::spawn(async move { while far.write_all(&[0; 1024]).await.is_ok() {} });
        stream.visit.pass().allow(4 << 20);
        stream.read_exact(&mut vec![0; 4 << 20]).await.unwrap();
        let mut rest = Vec::new();
        let failure = stream.read_to_end(&mut rest).await.unwrap_err();
        assert_eq!(failure.kind(), io::ErrorKind::QuotaExceeded);
    }

    #[tokio::test(start_paused = true)]
    async fn a_connection_that_has_lost_its_place_ends_at_once() {
        let (mut stream, _far) = pair().await;
        let end = stream.visit.pass().end().clone();
        let read = tokio::spawn(async move { stream.read_u8().await });
        tokio::task::yield_now().await;
        end.cancel();
        let read = timeout(Duration::from_millis(1), read).await.unwrap().unwrap();
        assert_eq!(read.unwrap_err().kind(), io::ErrorKind::ConnectionAborted);
    }
}
