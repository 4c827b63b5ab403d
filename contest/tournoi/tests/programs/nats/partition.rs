//! A network between two programs that can fail.

use std::io::{self, Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// The fate of the bytes in one direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Traffic {
    /// The bytes pass.
    Passes,
    /// The bytes wait, however long, and pass then.
    Waits,
    /// The bytes are lost. The connection has to be cut before bytes pass again.
    IsLost,
}

/// A relay in front of a port. Neither side is told of lost or delayed bytes.
pub(super) struct Network {
    port: u16,
    shared: Arc<Shared>,
}

struct Shared {
    upstream: u16,
    /// The fate of bytes to the port, and from the port.
    traffic: [AtomicU8; 2],
    /// The number of bytes that have passed from the port.
    passed: AtomicUsize,
    connections: Mutex<Vec<TcpStream>>,
    is_over: AtomicBool,
}

impl Network {
    pub(super) fn before(upstream: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let shared = Arc::new(Shared {
            upstream,
            traffic: [AtomicU8::new(0), AtomicU8::new(0)],
            passed: AtomicUsize::new(0),
            connections: Mutex::default(),
            is_over: AtomicBool::new(false),
        });
        let own = Arc::clone(&shared);
        thread::spawn(move || {
            for near in listener.incoming().flatten() {
                if own.is_over.load(Ordering::SeqCst) {
                    return;
                }
                // If no server listens, the connection ends at once.
                let _ = own.relay(near);
            }
        });
        Self { port, shared }
    }

    pub(super) fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Sets the fate of the bytes to the port, and of those from the port.
    pub(super) fn set(&self, to: Traffic, from: Traffic) {
        for (direction, traffic) in self.shared.traffic.iter().zip([to, from]) {
            direction.store(traffic as u8, Ordering::SeqCst);
        }
    }

    /// Waits until this many bytes have come from the port, then loses all traffic.
    pub(super) fn lose_after(&self, bytes: usize, give_up: Instant) {
        while self.shared.passed.load(Ordering::SeqCst) < bytes {
            assert!(Instant::now() < give_up, "less than {bytes} bytes come");
            thread::sleep(Duration::from_millis(1));
        }
        self.set(Traffic::IsLost, Traffic::IsLost);
    }

    /// Ends all connections.
    pub(super) fn cut(&self) {
        self.shared.cut();
    }
}

impl Drop for Network {
    fn drop(&mut self) {
        self.shared.is_over.store(true, Ordering::SeqCst);
        self.shared.cut();
        let _ = TcpStream::connect(("127.0.0.1", self.port));
    }
}

impl Shared {
    fn relay(self: &Arc<Self>, near: TcpStream) -> io::Result<()> {
        let far = TcpStream::connect(("127.0.0.1", self.upstream))?;
        for stream in [&near, &far] {
            stream.set_nodelay(true)?;
            self.connections.lock().unwrap().push(stream.try_clone()?);
        }
        let ways = [(near.try_clone()?, far.try_clone()?), (far, near)];
        for (direction, (from, to)) in ways.into_iter().enumerate() {
            let own = Arc::clone(self);
            thread::spawn(move || own.pump(direction, from, to));
        }
        Ok(())
    }

    fn pump(&self, direction: usize, mut from: TcpStream, mut to: TcpStream) {
        let traffic = &self.traffic[direction];
        let mut bytes = [0; 16 * 1024];
        while let Ok(count @ 1..) = from.read(&mut bytes) {
            while traffic.load(Ordering::SeqCst) == Traffic::Waits as u8 {
                if self.is_over.load(Ordering::SeqCst) {
                    return;
                }
                thread::sleep(Duration::from_millis(2));
            }
            let is_lost = traffic.load(Ordering::SeqCst) == Traffic::IsLost as u8;
            self.passed.fetch_add(direction * count, Ordering::SeqCst);
            if !is_lost && to.write_all(&bytes[..count]).is_err() {
                break;
            }
        }
        for stream in [from, to] {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }

    fn cut(&self) {
        for stream in self.connections.lock().unwrap().drain(..) {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }
}
