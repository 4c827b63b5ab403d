//! Who may connect to the page.

use std::collections::HashMap;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::serve::Listener;
use parking_lot::Mutex;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};

/// Connections at a time.
const ALL: usize = 1024;
/// Connections from one address at a time.
const EACH: usize = 64;

/// A listener that lets in so many connections only, and so many from one address, so that whoever holds
/// connections open keeps neither the page from others nor files from the games.
#[derive(Debug)]
pub(super) struct Doors {
    listener: TcpListener,
    inside: Arc<Mutex<HashMap<IpAddr, usize>>>,
}

/// A connection that was let in.
#[derive(Debug)]
pub(super) struct Visit {
    stream: TcpStream,
    address: IpAddr,
    inside: Arc<Mutex<HashMap<IpAddr, usize>>>,
}

impl Doors {
    pub(super) fn new(listener: TcpListener) -> Self {
        Self { listener, inside: Arc::default() }
    }

    /// Counts one more inside, if there is room.
    fn admit(&self, stream: TcpStream, address: IpAddr) -> Option<Visit> {
        let mut inside = self.inside.lock();
        let here = inside.get(&address).copied().unwrap_or(0);
        if here >= EACH || inside.values().sum::<usize>() >= ALL {
            return None;
        }
        inside.insert(address, here + 1);
        Some(Visit { stream, address, inside: Arc::clone(&self.inside) })
    }
}

impl Listener for Doors {
    type Io = Visit;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Visit, SocketAddr) {
        loop {
            let (stream, address) = Listener::accept(&mut self.listener).await;
            if let Some(visit) = self.admit(stream, address.ip()) {
                return (visit, address);
            }
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

impl Drop for Visit {
    fn drop(&mut self) {
        let mut inside = self.inside.lock();
        if let Some(here) = inside.get_mut(&self.address) {
            *here -= 1;
            if *here == 0 {
                inside.remove(&self.address);
            }
        }
    }
}

impl AsyncRead for Visit {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Visit {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(context, bytes)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn one_address_cannot_take_all_places() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let here = listener.local_addr().unwrap();
        let doors = Doors::new(listener);
        let [a, b]: [IpAddr; 2] = [[10, 0, 0, 1].into(), [10, 0, 0, 2].into()];
        // Each a stream of its own, as the guests of an address have.
        let mut streams = Vec::new();
        for _ in 0..=EACH + 1 {
            streams.push(TcpStream::connect(here).await.unwrap());
        }
        let other = streams.pop().unwrap();
        let mut visits: Vec<_> = streams.into_iter().map(|stream| doors.admit(stream, a)).collect();
        assert!(visits.pop().unwrap().is_none());
        assert!(visits.iter().all(Option::is_some));
        assert!(doors.admit(other, b).is_some());
        visits.pop();
        let again = TcpStream::connect(here).await.unwrap();
        assert!(doors.admit(again, a).is_some());
        drop(visits);
        assert!(doors.inside.lock().is_empty());
    }
}
