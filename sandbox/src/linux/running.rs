//! A program that runs in the sandbox.

use std::io::{self, ErrorKind};
use std::net::TcpListener;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ExitStatus};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::net::{RecvFlags, Shutdown, shutdown};
use tempfile::TempDir;

use crate::linux::cgroup::Group;
use crate::linux::meter::Meter;
use crate::linux::wire::{self, Answer, Question};
use crate::program::{Exceeded, Report};

/// For the supervisor to answer, and to end when it is told to; it competes with its program for processors.
const PATIENCE: Duration = Duration::from_secs(2);

/// A program that runs in the sandbox. The program and all that it started end at the latest when this is
/// dropped, or when the organiser's process ends.
///
/// As a descriptor, it can be read when the program has ended, and [`Self::try_wait`] says whether. Without a control
/// group, [`Self::cpu_time`] may read the message of the end too: then only `try_wait` tells.
#[derive(Debug)]
pub struct Running {
    launcher: Child,
    channel: Channel,
    listener: Option<TcpListener>,
    trap: Option<TcpListener>,
    group: Group,
    /// Removed when all processes have ended.
    _scratch: Option<TempDir>,
    cpu_before: Duration,
    ended: Option<Ended>,
    total: Option<(Duration, u64)>,
    is_finished: bool,
}

/// The supervisor's message about the end.
#[derive(Clone, Copy, Debug)]
struct Ended {
    status: Option<ExitStatus>,
    cpu_exceeded: bool,
    run_delay: Option<Duration>,
}

/// The organiser's end of the connection to the launcher and to the supervisor.
#[derive(Debug)]
pub(crate) struct Channel(OwnedFd);

impl Running {
    pub(crate) fn new(
        launcher: Child,
        channel: Channel,
        group: Group,
        scratch: Option<TempDir>,
    ) -> Self {
        Self {
            launcher,
            channel,
            listener: None,
            trap: None,
            group,
            _scratch: scratch,
            cpu_before: Duration::ZERO,
            ended: None,
            total: None,
            is_finished: false,
        }
    }

    pub(crate) fn channel(&self) -> &Channel {
        &self.channel
    }

    pub(crate) fn answer(
        &mut self,
        deadline: Instant,
    ) -> io::Result<Option<(Answer, Vec<OwnedFd>)>> {
        self.channel.answer(deadline)
    }

    pub(crate) fn started(&mut self, listener: Option<TcpListener>, trap: Option<TcpListener>) {
        (self.listener, self.trap) = (listener, trap);
        self.cpu_before = self.group.cpu().unwrap_or_default();
    }

    /// The socket on which the connections of the program arrive, and in a network of its own nobody
    /// else's; it blocks. `None` when it was taken before.
    pub fn take_listener(&mut self) -> Option<TcpListener> {
        self.listener.take()
    }

    /// The socket of [`Isolation::trap`](crate::Isolation::trap); `None` when there is no such port, somebody else has
    /// it, or it was taken before.
    pub fn take_trap(&mut self) -> Option<TcpListener> {
        self.trap.take()
    }

    /// Exit status of the program, once [`Self::try_wait`] has returned `true`; `None` if a limit ended it.
    #[must_use]
    pub fn status(&self) -> Option<ExitStatus> {
        self.ended.and_then(|ended| ended.status)
    }

    /// The processor time of all processes of the program so far, user and system.
    ///
    /// # Errors
    ///
    /// When there is no control group to tell it, and the supervisor does not answer within 2 s.
    pub fn cpu_time(&mut self) -> io::Result<Duration> {
        if let Some(cpu) = self.group.cpu() {
            return Ok(cpu.saturating_sub(self.cpu_before));
        }
        if let Some((cpu, _)) = self.total {
            return Ok(cpu);
        }
        if self.ended.is_none() {
            wire::send(&self.channel, &Question::Cpu, &[])?;
        }
        let deadline = Instant::now() + PATIENCE;
        while let Some((answer, _)) = self.channel.answer(deadline)? {
            match answer {
                Answer::Cpu(nanos) => return Ok(Duration::from_nanos(nanos)),
                other => self.note(&other),
            }
            if let Some((cpu, _)) = self.total {
                return Ok(cpu);
            }
        }
        Err(ErrorKind::UnexpectedEof.into())
    }

    /// Meter of all processes of the program while it runs. Without control groups, it knows nothing.
    #[must_use]
    pub fn meter(&self) -> Meter {
        self.group.meter()
    }

    /// Tests if the program has ended: its first process by itself, or all by a limit. The rest is in the
    /// [`Report`]. It does not block.
    ///
    /// # Errors
    ///
    /// When the launcher cannot be asked.
    pub fn try_wait(&mut self) -> io::Result<bool> {
        self.wait_until(Instant::now())
    }

    /// Waits until the program has ended, or the time is over; whether it has.
    ///
    /// # Errors
    ///
    /// When the launcher cannot be asked.
    pub fn wait(&mut self, time: Duration) -> io::Result<bool> {
        self.wait_until(Instant::now() + time)
    }

    fn wait_until(&mut self, deadline: Instant) -> io::Result<bool> {
        while self.ended.is_none() {
            match self.channel.answer(deadline) {
                Ok(Some((answer, _))) => self.note(&answer),
                // A limit has killed the supervisor or the launcher.
                Ok(None) => return Ok(true),
                Err(error) if error.kind() == ErrorKind::TimedOut => return Ok(false),
                Err(error) => return Err(error),
            }
        }
        Ok(true)
    }

    /// Ends the program and all that it started, and says how it went. It blocks until no process is left,
    /// usually for some milliseconds.
    #[must_use]
    pub fn finish(mut self) -> Report {
        self.end();
        let cpu = match self.group.cpu() {
            Some(cpu) => Some(cpu.saturating_sub(self.cpu_before)),
            None => self.total.map(|(cpu, _)| cpu),
        };
        let ended = self.ended;
        let exceeded = Exceeded {
            cpu: ended.is_some_and(|ended| ended.cpu_exceeded),
            ..self.group.exceeded()
        };
        Report {
            status: ended.and_then(|ended| ended.status),
            exceeded,
            cpu,
            peak_memory: self.group.peak_memory().or(self.total.map(|(_, largest)| largest)),
            run_delay: ended.and_then(|ended| ended.run_delay),
            cpu_pressure: self.group.cpu_pressure(),
        }
    }

    /// Ends everything: the supervisor does when it is told, and the kernel ends the rest with it.
    fn end(&mut self) {
        if std::mem::replace(&mut self.is_finished, true) {
            return;
        }
        let _ = shutdown(&self.channel.0, Shutdown::Write);
        let deadline = Instant::now() + PATIENCE;
        while let Ok(Some((answer, _))) = self.channel.answer(deadline) {
            self.note(&answer);
        }
        self.group.kill();
        // The supervisor ends with the launcher. When both have ended there is nobody to be killed.
        let _ = self.launcher.kill();
        let _ = self.launcher.wait();
    }

    fn note(&mut self, answer: &Answer) {
        match *answer {
            Answer::Ended { status, cpu_exceeded, run_delay_ns } => {
                let status = status.map(ExitStatus::from_raw);
                let run_delay = run_delay_ns.map(Duration::from_nanos);
                self.ended = Some(Ended { status, cpu_exceeded, run_delay });
            }
            Answer::Total { cpu_ns, largest } => {
                self.total = Some((Duration::from_nanos(cpu_ns), largest));
            }
            Answer::Listening | Answer::Started | Answer::Failed(_) | Answer::Cpu(_) => {}
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.end();
    }
}

impl AsFd for Running {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.channel.as_fd()
    }
}

impl AsRawFd for Running {
    fn as_raw_fd(&self) -> RawFd {
        self.channel.0.as_raw_fd()
    }
}

impl AsFd for Channel {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

impl Channel {
    pub(crate) fn new(socket: OwnedFd) -> Self {
        Self(socket)
    }

    /// The next message; `None` when the other side is gone.
    ///
    /// # Errors
    ///
    /// `TimedOut` when none comes before the deadline.
    fn answer(&self, deadline: Instant) -> io::Result<Option<(Answer, Vec<OwnedFd>)>> {
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let left = Timespec::try_from(left).map_err(io::Error::other)?;
            let mut source = [PollFd::new(&self.0, PollFlags::IN)];
            match poll(&mut source, Some(&left)) {
                Ok(0) => return Err(ErrorKind::TimedOut.into()),
                Ok(_) => {}
                Err(Errno::INTR) => continue,
                Err(error) => return Err(error.into()),
            }
            match wire::receive(&self.0, RecvFlags::empty()) {
                // The other side ended before it had read everything, which the kernel tells once, and
                // before what the other side had sent.
                Err(error) if error.kind() == ErrorKind::ConnectionReset => {}
                answer => return answer,
            }
        }
    }
}
