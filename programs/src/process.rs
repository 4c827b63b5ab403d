//! A team's program: watched, and ended with all that it started.

use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::task::{Context, Poll};
use std::time::Duration;

use sandbox::{Report, Running};
use tokio::io::AsyncReadExt;
use tokio::net::TcpListener;
use tokio::net::unix::pipe;
use tokio::task::{JoinHandle, spawn_blocking};
use tokio::time::timeout;

use crate::end::EndWatch;

/// What is kept of the beginning of a program's output, and of its end.
const KEPT: usize = 16 * 1024;
/// For the output of a program that has ended to come to its end.
const OUTPUT: Duration = Duration::from_secs(1);

/// A program that plays for a team in one game. All that it starts ends with it at the latest when this
/// is dropped.
#[derive(Debug)]
pub struct Process {
    running: Running,
    end: EndWatch,
    has_ended: bool,
    output: JoinHandle<Vec<u8>>,
}

/// What is known of a program when all its processes have ended.
#[derive(Debug)]
pub struct Remains {
    /// How it ended, and what it has used.
    pub report: Report,
    /// The beginning and the end of what it has written.
    pub output: Vec<u8>,
}

impl Process {
    /// Takes over a program that runs, and the end of a pipe where its output arrives.
    pub(crate) fn new(running: Running, output: io::PipeReader) -> io::Result<Self> {
        let output = pipe::Receiver::from_owned_fd(OwnedFd::from(output))?;
        let end = EndWatch::new(&running)?;
        Ok(Self { running, end, has_ended: false, output: tokio::spawn(keep(output)) })
    }

    /// The socket on which its connections arrive, and nobody else's if it is isolated. `None` when it was taken
    /// before.
    ///
    /// # Errors
    ///
    /// When the runtime cannot wait for it.
    pub fn take_listener(&mut self) -> io::Result<Option<TcpListener>> {
        self.running.take_listener().map(listener).transpose()
    }

    /// The socket on which it arrives if it does not look at the port that it is told, if there is one.
    ///
    /// # Errors
    ///
    /// When the runtime cannot wait for it.
    pub fn take_trap(&mut self) -> io::Result<Option<TcpListener>> {
        self.running.take_trap().map(listener).transpose()
    }

    /// Whether its end was noticed by [`wait`](Self::wait) or [`poll_end`](Self::poll_end).
    #[must_use]
    pub fn has_ended(&self) -> bool {
        self.has_ended
    }

    /// Waits until it has ended; how it did, `None` if a limit ended it. Cancel safe.
    pub async fn wait(&mut self) -> Option<ExitStatus> {
        std::future::poll_fn(|context| self.poll_end(context)).await;
        self.running.status()
    }

    /// Whether it has ended. If not, the last task that asked is woken when it has.
    pub fn poll_end(&mut self, context: &mut Context<'_>) -> Poll<()> {
        self.has_ended = self.has_ended || self.end.poll(&mut self.running, context).is_ready();
        if self.has_ended { Poll::Ready(()) } else { Poll::Pending }
    }

    /// The processor time of all its processes so far, if it is known.
    pub fn cpu_time(&mut self) -> Option<Duration> {
        self.running.cpu_time().ok()
    }

    /// Ends it and all that it started.
    pub async fn finish(self) -> Remains {
        let Self { running, mut output, .. } = self;
        // It waits until no process is left. It panics never, and the runtime stays as long as this.
        let report = spawn_blocking(|| running.finish()).await.unwrap_or_default();
        let kept = timeout(OUTPUT, &mut output).await;
        output.abort();
        Remains { report, output: kept.map_or_else(|_| Vec::new(), Result::unwrap_or_default) }
    }
}

fn listener(listener: std::net::TcpListener) -> io::Result<TcpListener> {
    listener.set_nonblocking(true)?;
    TcpListener::from_std(listener)
}

/// How a program ended that nobody ended, in words; `None` if it was still running at the end of the game.
#[must_use]
pub fn describe(report: &Report) -> Option<String> {
    if report.exceeded.cpu {
        return Some("its program was ended: it has used all its processor time".to_owned());
    }
    let status = report.status?;
    let mut words = match (status.code(), status.signal()) {
        (Some(code), _) => format!("its program ended with the code {code}"),
        (None, Some(signal)) => {
            let name = match signal {
                4 => " (illegal instruction)",
                6 => " (abort)",
                9 => " (killed)",
                11 => " (segmentation fault)",
                15 => " (terminated)",
                24 => " (out of processor time)",
                31 => " (a system call that is not allowed)",
                _ => "",
            };
            format!("its program was ended by the signal {signal}{name}")
        }
        (None, None) => "its program ended".to_owned(),
    };
    if report.exceeded.oom_kills > 0 {
        words.push_str(", after it has used all its memory");
    } else if report.exceeded.failed_forks > 0 {
        words.push_str(", after it has started too many processes");
    }
    Some(words)
}

/// Reads to the end, and keeps the beginning and the end.
async fn keep(mut output: pipe::Receiver) -> Vec<u8> {
    let (mut head, mut tail) = (Vec::new(), Vec::new());
    let mut left_out = 0;
    let mut buffer = vec![0; 4096];
    while let Ok(read @ 1..) = output.read(&mut buffer).await {
        let (to_head, to_tail) = buffer[..read].split_at(read.min(KEPT - head.len()));
        head.extend_from_slice(to_head);
        tail.extend_from_slice(to_tail);
        if tail.len() > 2 * KEPT {
            left_out += tail.drain(..tail.len() - KEPT).len();
        }
    }
    left_out += tail.drain(..tail.len().saturating_sub(KEPT)).len();
    if left_out > 0 {
        head.extend_from_slice(format!("\n[… {left_out} bytes left out …]\n").as_bytes());
    }
    head.append(&mut tail);
    head
}
