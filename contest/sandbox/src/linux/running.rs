//! A program that runs in the sandbox.

use std::io::{self, ErrorKind};
use std::net::TcpListener;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitStatus};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::net::{RecvFlags, Shutdown, shutdown};
use tempfile::TempDir;

use crate::gap::Protection;
use crate::linux::cgroup::Group;
use crate::linux::guard::Guard;
use crate::linux::meter::Meter;
use crate::linux::users::User;
use crate::linux::wire::{self, Answer, Failure, Job, Question, Step};
use crate::program::{Exceeded, Report};

/// Longest wait for the supervisor to answer or to end; it competes with its program for processors.
const PATIENCE: Duration = Duration::from_secs(2);

/// Longest wait for the start of a program, which usually takes milliseconds.
const START_PATIENCE: Duration = Duration::from_secs(10);

/// A running program in the sandbox. The program and its descendants end at the latest when this value is dropped, or
/// when the organiser's process ends.
///
/// As a descriptor, it becomes readable when the program has ended; [`Self::try_wait`] confirms the end. Without
/// a control group, [`Self::cpu_time`] may consume the message of the end: then only `try_wait` detects it.
#[derive(Debug)]
pub struct Running {
    launcher: Child,
    /// The organiser's end of the connection to the launcher and to the supervisor.
    channel: OwnedFd,
    listener: Option<TcpListener>,
    trap: Option<TcpListener>,
    resources: Resources,
    guard: Option<Guard>,
    /// Processor time of the control group before the start of the program, read before the start: the program may use
    /// much before this process hears of it.
    cpu_before: Duration,
    ended: Option<Ended>,
    total: Option<(Duration, u64)>,
    is_finished: bool,
}

/// Resources that a program keeps until all its processes have ended.
#[derive(Debug)]
pub(crate) struct Resources {
    pub group: Group,
    /// Ends all processes of the program's user. Without a process namespace, some could outlive the supervisor.
    pub sweeper: Option<Command>,
    /// The scratch folder, which is removed at the end.
    pub _scratch: Option<TempDir>,
    pub user: User,
}

/// The supervisor's message about the end of the program.
#[derive(Clone, Copy, Debug)]
struct Ended {
    status: Option<ExitStatus>,
    cpu_exceeded: bool,
    run_delay: Option<Duration>,
}

impl Running {
    pub(crate) fn new(
        launcher: Child,
        channel: OwnedFd,
        resources: Resources,
        listener: Option<TcpListener>,
        trap: Option<TcpListener>,
    ) -> Self {
        Self {
            launcher,
            channel,
            listener,
            trap,
            resources,
            guard: None,
            cpu_before: Duration::ZERO,
            ended: None,
            total: None,
            is_finished: false,
        }
    }

    /// Sends its job to the launcher, with the lock of the program's user, and to the supervisor, with the mounts; then waits
    /// until the program runs. With namespaces, the supervisor opens its sockets.
    pub(crate) fn begin(mut self, job: &Job, mounts: &[OwnedFd]) -> Result<Self, Failure> {
        let lock: Vec<_> = self.resources.user.lock.iter().map(AsFd::as_fd).collect();
        let mut told = wire::send(&self.channel, job, &lock);
        if job.has(Protection::Namespaces) {
            let mounts: Vec<_> = mounts.iter().map(AsFd::as_fd).collect();
            told = told.and_then(|()| wire::send(&self.channel, job, &mounts));
        }
        told.on_machine("to tell the launcher", "parler au lanceur")?;
        let deadline = Instant::now() + START_PATIENCE;
        self.cpu_before = loop {
            match answer(&self.channel, deadline).on_machine("the launcher", "le lanceur")? {
                Some((Answer::Listening, sockets)) => {
                    let mut sockets = sockets.into_iter().map(TcpListener::from);
                    (self.listener, self.trap) = (sockets.next(), sockets.next());
                }
                Some((Answer::Started { cpu_before }, _)) => break cpu_before,
                Some((Answer::Failed(failure), _)) => return Err(failure),
                Some(_) => {}
                None => {
                    return Err(io::Error::from(ErrorKind::UnexpectedEof))
                        .on_machine("the launcher ended", "la fin du lanceur");
                }
            }
        };
        if let Some(limit) = job.limits.cpu {
            let guard = Guard::start(self.meter(), limit + self.cpu_before, &self.launcher)
                .on_machine("to measure processor time", "mesurer le temps de calcul")?;
            self.guard = Some(guard);
        }
        Ok(self)
    }

    /// The blocking socket on which the connections of the program arrive; in a network namespace, only those of the program.
    /// `None` if it was taken before.
    pub fn take_listener(&mut self) -> Option<TcpListener> {
        self.listener.take()
    }

    /// The socket of [`Isolation::trap`](crate::Isolation::trap); `None` if there is no such port, if another process has the
    /// port, or if the socket was taken before.
    pub fn take_trap(&mut self) -> Option<TcpListener> {
        self.trap.take()
    }

    /// Exit status of the program, once [`Self::try_wait`] has returned `true`; `None` before, or if a limit ended the
    /// program.
    pub fn status(&self) -> Option<ExitStatus> {
        self.ended.and_then(|ended| ended.status)
    }

    /// The processor time of all processes of the program so far, user and system.
    ///
    /// # Errors
    ///
    /// If there is no control group, and the supervisor does not answer within 2 s.
    pub fn cpu_time(&mut self) -> io::Result<Duration> {
        if let Some(cpu) = self.resources.group.meter.cpu() {
            return Ok(cpu.saturating_sub(self.cpu_before));
        }
        if let Some((cpu, _)) = self.total {
            return Ok(cpu);
        }
        if self.ended.is_none() {
            wire::send(&self.channel, &Question::Cpu, &[])?;
        }
        let deadline = Instant::now() + PATIENCE;
        while let Some((answer, _)) = answer(&self.channel, deadline)? {
            match answer {
                Answer::Cpu(cpu) => return Ok(cpu),
                other => self.note(&other),
            }
            if let Some((cpu, _)) = self.total {
                return Ok(cpu);
            }
        }
        Err(ErrorKind::UnexpectedEof.into())
    }

    /// The meter of all processes of the program while it runs. Without control groups, it measures nothing.
    pub fn meter(&self) -> Meter {
        self.resources.group.meter.clone()
    }

    /// Tests if the program has ended: its first process by itself, or all processes by a limit. Does not block. The
    /// [`Report`] has the details.
    ///
    /// # Errors
    ///
    /// If the connection to the launcher fails.
    pub fn try_wait(&mut self) -> io::Result<bool> {
        self.wait_until(Instant::now())
    }

    /// Waits until the program has ended, for at most `time`; `true` if it has ended.
    ///
    /// # Errors
    ///
    /// If the connection to the launcher fails.
    pub fn wait(&mut self, time: Duration) -> io::Result<bool> {
        self.wait_until(Instant::now() + time)
    }

    fn wait_until(&mut self, deadline: Instant) -> io::Result<bool> {
        while self.ended.is_none() {
            match answer(&self.channel, deadline) {
                Ok(Some((answer, _))) => self.note(&answer),
                // A limit has killed the supervisor or the launcher.
                Ok(None) => return Ok(true),
                Err(error) if error.kind() == ErrorKind::TimedOut => return Ok(false),
                Err(error) => return Err(error),
            }
        }
        Ok(true)
    }

    /// Ends the program and its descendants, and reports on them. Blocks until no process is left, usually for some
    /// milliseconds.
    pub fn finish(mut self) -> Report {
        self.end();
        let meter = &self.resources.group.meter;
        let cpu = match meter.cpu() {
            Some(cpu) => Some(cpu.saturating_sub(self.cpu_before)),
            None => self.total.map(|(cpu, _)| cpu),
        };
        let ended = self.ended;
        let was_guarded = self.guard.take().is_some_and(Guard::join);
        let exceeded = Exceeded {
            cpu: was_guarded || ended.is_some_and(|ended| ended.cpu_exceeded),
            oom_kills: meter.oom_kills(),
            failed_forks: meter.failed_forks(),
        };
        Report {
            status: ended.and_then(|ended| ended.status),
            exceeded,
            cpu,
            peak_memory: meter.peak_memory().or(self.total.map(|(_, largest)| largest)),
            run_delay: ended.and_then(|ended| ended.run_delay),
            cpu_pressure: meter.cpu_pressure(),
        }
    }

    /// Ends all processes: the supervisor ends on request, and the kernel ends the others with it.
    fn end(&mut self) {
        if std::mem::replace(&mut self.is_finished, true) {
            return;
        }
        let _ = shutdown(&self.channel, Shutdown::Write);
        let deadline = Instant::now() + PATIENCE;
        while let Ok(Some((answer, _))) = answer(&self.channel, deadline) {
            self.note(&answer);
        }
        self.resources.group.meter.kill();
        // The supervisor ends with the launcher. `kill` fails if the launcher has ended already.
        let _ = self.launcher.kill();
        let _ = self.launcher.wait();
        if let Some(sweeper) = &mut self.resources.sweeper {
            let _ = sweeper.status();
        }
    }

    fn note(&mut self, answer: &Answer) {
        match *answer {
            Answer::Ended { status, cpu_exceeded, run_delay } => {
                let status = status.map(ExitStatus::from_raw);
                self.ended = Some(Ended { status, cpu_exceeded, run_delay });
            }
            Answer::Total { cpu, largest } => self.total = Some((cpu, largest)),
            Answer::Listening | Answer::Started { .. } | Answer::Failed(_) | Answer::Cpu(_) => {}
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

/// The next message of the launcher or the supervisor; `None` if both have closed the connection.
///
/// # Errors
///
/// `TimedOut` if no message arrives before the deadline.
fn answer(channel: &OwnedFd, deadline: Instant) -> io::Result<Option<(Answer, Vec<OwnedFd>)>> {
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let left = Timespec::try_from(left).map_err(io::Error::other)?;
        let mut source = [PollFd::new(channel, PollFlags::IN)];
        match poll(&mut source, Some(&left)) {
            Ok(0) => return Err(ErrorKind::TimedOut.into()),
            Ok(_) => {}
            Err(Errno::INTR) => continue,
            Err(error) => return Err(error.into()),
        }
        match wire::receive(channel, RecvFlags::empty()) {
            // The other side ended before it had read all messages. The kernel reports this once, before it delivers the
            // last messages of the other side.
            Err(error) if error.kind() == ErrorKind::ConnectionReset => {}
            answer => return answer,
        }
    }
}
