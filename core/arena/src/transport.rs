//! The system's view of a connection: arrival times of bytes, unread bytes, the state of TCP.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::Instant;

pub(crate) use system::{has_unread, transport, write};

/// A reader that knows the arrival time of its last read.
pub(crate) trait Arrivals: AsyncRead + Unpin {
    /// The arrival time of the last read, as precise as the system gives it.
    fn arrived(&self) -> Instant;

    /// Tests if the last read is known to have left no bytes.
    fn is_empty(&self) -> bool;

    /// Sets the arrival time of the bytes read from now on, which spares the query to the system. `None` queries the
    /// system again.
    fn set_arrival(&mut self, moment: Option<Instant>);
}

/// A reader without arrival times: its bytes arrive when they are read.
pub(crate) struct Untimed<R>(pub(crate) R);

/// The reading half of a TCP connection. The kernel time-stamps segments, so that messages which waited for a busy
/// program do not count as late.
pub(crate) struct TcpReader {
    stream: Arc<TcpStream>,
    arrived: Instant,
    /// Lower bound of the arrival time of the next read.
    emptied: Instant,
    /// True if the last read left no bytes.
    is_empty: bool,
    /// The arrival time to give the next bytes; `None` asks the system.
    arrival: Option<Instant>,
}

/// The outcome of a read.
struct Read {
    /// The time for which the last segment had waited to be read.
    waited: Duration,
    /// True if no bytes are left to read.
    is_all: bool,
}

/// The writing half of a TCP connection.
pub(crate) struct TcpWriter(pub(crate) Arc<TcpStream>);

impl<R: AsyncRead + Unpin> AsyncRead for Untimed<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(context, buffer)
    }
}

impl<R: AsyncRead + Unpin> Arrivals for Untimed<R> {
    fn arrived(&self) -> Instant {
        Instant::now()
    }

    fn is_empty(&self) -> bool {
        false
    }

    fn set_arrival(&mut self, _: Option<Instant>) {}
}

impl TcpReader {
    pub(crate) fn new(stream: Arc<TcpStream>) -> Self {
        system::timestamp_segments(&stream);
        let now = Instant::now();
        Self { stream, arrived: now, emptied: now, is_empty: false, arrival: None }
    }
}

impl AsyncRead for TcpReader {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let own = &mut *self;
        loop {
            std::task::ready!(own.stream.poll_read_ready(context))?;
            match system::read(&own.stream, buffer, own.arrival.is_none()) {
                Ok(Read { waited, is_all }) => {
                    let now = own.arrival.unwrap_or_else(Instant::now);
                    let arrived = now.checked_sub(waited).unwrap_or(own.emptied);
                    own.arrived = arrived.max(own.emptied);
                    own.is_empty = is_all;
                    if is_all {
                        own.emptied = now;
                    }
                    return Poll::Ready(Ok(()));
                }
                Err(failure) if failure.kind() == io::ErrorKind::WouldBlock => {
                    own.emptied = own.arrival.unwrap_or_else(Instant::now);
                }
                Err(failure) => return Poll::Ready(Err(failure)),
            }
        }
    }
}

impl Arrivals for TcpReader {
    fn arrived(&self) -> Instant {
        self.arrived
    }

    fn is_empty(&self) -> bool {
        self.is_empty
    }

    fn set_arrival(&mut self, moment: Option<Instant>) {
        self.arrival = moment;
    }
}

impl tokio::io::AsyncWrite for TcpWriter {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        loop {
            std::task::ready!(self.0.poll_write_ready(context))?;
            match self.0.try_write(bytes) {
                Err(failure) if failure.kind() == io::ErrorKind::WouldBlock => {}
                written => return Poll::Ready(written),
            }
        }
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(socket2::SockRef::from(&*self.0).shutdown(std::net::Shutdown::Write))
    }
}

#[cfg(target_os = "linux")]
mod system {
    use std::cell::RefCell;
    use std::io::{self, IoSliceMut};
    use std::os::fd::AsRawFd;
    use std::time::{Duration, SystemTime};

    use nix::libc;
    use nix::sys::socket::{ControlMessageOwned, MsgFlags, SetSockOpt as _, recvmsg, sockopt};
    use nix::sys::time::TimeSpec;
    use referee::Transport;
    use rustix::net::{RecvFlags, SendFlags};
    use tokio::io::{Interest, ReadBuf};
    use tokio::net::TcpStream;

    use super::Read;

    thread_local! {
        /// Buffer for the time stamp of a read.
        static CONTROL: RefCell<Vec<u8>> = RefCell::new(nix::cmsg_space!(TimeSpec));
    }

    /// Makes the kernel time-stamp segments.
    pub(super) fn timestamp_segments(stream: &TcpStream) {
        // Without time stamps, a segment counts as arriving when it is read.
        let _ = sockopt::ReceiveTimestampns.set(stream, &true);
    }

    /// Reads the available bytes. Their waiting time is 0 unless `is_timed`.
    pub(super) fn read(
        stream: &TcpStream,
        buffer: &mut ReadBuf<'_>,
        is_timed: bool,
    ) -> io::Result<Read> {
        let mut found = None;
        let outcome = stream.try_io(Interest::READABLE, || {
            let bytes = buffer.initialize_unfilled();
            let room = bytes.len();
            let (read, waited) = if is_timed {
                receive_timed(stream, bytes)?
            } else {
                (rustix::net::recv(stream, bytes, RecvFlags::DONTWAIT)?.0, Duration::ZERO)
            };
            buffer.advance(read);
            let is_all = 0 < read && read < room;
            found = Some(Read { waited, is_all });
            // `WouldBlock` clears the readiness at once, which saves a read in vain.
            if is_all { Err(io::ErrorKind::WouldBlock.into()) } else { Ok(()) }
        });
        found.map_or_else(|| outcome.and(Err(io::ErrorKind::WouldBlock.into())), Ok)
    }

    /// Receives bytes. Returns their number, and the time for which their last segment had waited.
    fn receive_timed(stream: &TcpStream, bytes: &mut [u8]) -> io::Result<(usize, Duration)> {
        let (read, arrived) = CONTROL.with_borrow_mut(|control| {
            let mut slices = [IoSliceMut::new(bytes)];
            let flags = MsgFlags::MSG_DONTWAIT;
            let received = recvmsg::<()>(stream.as_raw_fd(), &mut slices, Some(control), flags)?;
            let arrived = received.cmsgs()?.find_map(|message| match message {
                ControlMessageOwned::ScmTimestampns(time) => Some(Duration::from(time)),
                _ => None,
            });
            io::Result::Ok((received.bytes, arrived))
        })?;
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        Ok((read, arrived.map_or(Duration::ZERO, |arrived| now.saturating_sub(arrived))))
    }

    /// Writes the bytes that the system accepts at once. Returns their number, 0 after a failure. The readiness known to the
    /// runtime is not checked, because the system call tells the same.
    pub(crate) fn write(stream: &TcpStream, bytes: &[u8]) -> usize {
        rustix::net::send(stream, bytes, SendFlags::DONTWAIT | SendFlags::NOSIGNAL).unwrap_or(0)
    }

    pub(crate) fn has_unread(stream: &TcpStream) -> bool {
        rustix::io::ioctl_fionread(stream).is_ok_and(|unread| unread > 0)
    }

    /// The state of TCP; `None` if the system does not tell.
    pub(crate) fn transport(stream: &TcpStream) -> Option<Transport> {
        let info = tcp_info(stream)?;
        Some(Transport {
            rtt: Duration::from_micros(info.tcpi_rtt.into()),
            unacknowledged: info.tcpi_unacked,
            retransmits: info.tcpi_retransmits.into(),
            queued: info.tcpi_notsent_bytes,
        })
    }

    /// The kernel's view of a connection; fields unknown to an older kernel are 0.
    #[expect(unsafe_code, reason = "no safe interface takes the shorter answers of older kernels")]
    fn tcp_info(stream: &TcpStream) -> Option<libc::tcp_info> {
        let mut len = size_of::<libc::tcp_info>() as libc::socklen_t;
        // SAFETY: the structure holds integers only, for which zero is a value.
        let mut info: libc::tcp_info = unsafe { std::mem::zeroed() };
        // SAFETY: the kernel writes at most `len` bytes to `info`, which is that long and lives until the call ends.
        let result = unsafe {
            libc::getsockopt(
                stream.as_raw_fd(),
                libc::IPPROTO_TCP,
                libc::TCP_INFO,
                (&raw mut info).cast(),
                &raw mut len,
            )
        };
        (result == 0).then_some(info)
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use std::io;
    use std::time::Duration;

    use referee::Transport;
    use tokio::io::ReadBuf;
    use tokio::net::TcpStream;

    use super::Read;

    pub(super) fn timestamp_segments(_: &TcpStream) {}

    pub(super) fn read(stream: &TcpStream, buffer: &mut ReadBuf<'_>, _: bool) -> io::Result<Read> {
        let read = stream.try_read(buffer.initialize_unfilled())?;
        buffer.advance(read);
        Ok(Read { waited: Duration::ZERO, is_all: false })
    }

    pub(crate) fn write(stream: &TcpStream, bytes: &[u8]) -> usize {
        stream.try_write(bytes).unwrap_or(0)
    }

    pub(crate) fn has_unread(stream: &TcpStream) -> bool {
        socket2::SockRef::from(stream)
            .peek(&mut [std::mem::MaybeUninit::uninit()])
            .is_ok_and(|n| n > 0)
    }

    pub(crate) fn transport(_: &TcpStream) -> Option<Transport> {
        None
    }
}
