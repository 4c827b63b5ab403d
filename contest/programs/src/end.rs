//! Detects the end of a program.

use std::io;
use std::task::{Context, Poll};

use sandbox::Running;

/// Wakes a task when a program may have ended.
#[derive(Debug)]
pub(crate) struct EndWatch(system::Source);

impl EndWatch {
    /// Starts to watch a program. To be called within a tokio runtime.
    pub(crate) fn new(running: &Running) -> io::Result<Self> {
        system::Source::new(running).map(Self)
    }

    /// Ready once the program has ended. Until then, only the last task that polled is woken at the end.
    pub(crate) fn poll(&mut self, running: &mut Running, context: &mut Context<'_>) -> Poll<()> {
        loop {
            match self.0.poll(context) {
                // A program that cannot be watched counts as ended.
                Poll::Ready(told) => match told.and_then(|()| running.try_wait()) {
                    Ok(true) | Err(_) => return Poll::Ready(()),
                    Ok(false) => self.0.clear(),
                },
                Poll::Pending => return Poll::Pending,
            }
        }
    }
}

#[cfg(target_os = "linux")]
mod system {
    use std::io::{self, ErrorKind};
    use std::os::fd::AsFd;
    use std::os::unix::net;
    use std::task::{Context, Poll};

    use sandbox::Running;
    use tokio::io::Interest;
    use tokio::net::UnixStream;

    /// The socket on which the supervisor reports the end. Only its readiness is polled, nothing is read.
    #[derive(Debug)]
    pub(super) struct Source(UnixStream);

    impl Source {
        pub(super) fn new(running: &Running) -> io::Result<Self> {
            let socket = net::UnixStream::from(running.as_fd().try_clone_to_owned()?);
            socket.set_nonblocking(true)?;
            UnixStream::from_std(socket).map(Self)
        }

        pub(super) fn poll(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
            self.0.poll_read_ready(context)
        }

        pub(super) fn clear(&mut self) {
            // `WouldBlock` tells tokio that there is nothing left to read.
            let _ =
                self.0.try_io(Interest::READABLE, || Err::<(), _>(ErrorKind::WouldBlock.into()));
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use std::io;
    use std::task::{Context, Poll};
    use std::time::Duration;

    use sandbox::Running;
    use tokio::time::{Interval, interval};

    /// Polls the program every 5 ms.
    #[derive(Debug)]
    pub(super) struct Source(Interval);

    impl Source {
        pub(super) fn new(_: &Running) -> io::Result<Self> {
            Ok(Self(interval(Duration::from_millis(5))))
        }

        pub(super) fn poll(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
            self.0.poll_tick(context).map(|_| Ok(()))
        }

        pub(super) fn clear(&mut self) {}
    }
}
