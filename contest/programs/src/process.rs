//! The process of a team's program, with the processes that it starts.

use std::io;
use std::process::ExitStatus;
use std::task::{Context, Poll};
use std::time::Duration;

use bstr::ByteSlice;
use language::note;
use plan::Note;
use sandbox::{Meter, Report, Running};
use tokio::net::TcpListener;
use tokio::task::spawn_blocking;

use crate::end::EndWatch;
use crate::output::{Output, RecentOutput};

/// A program that plays for a team in one game. All processes that it starts end with it, at the latest when this is
/// dropped.
#[derive(Debug)]
pub struct Process {
    running: Running,
    end: EndWatch,
    has_ended: bool,
    output: Output,
    origins: Vec<(String, String)>,
}

/// The results of a program after the end of all its processes.
#[derive(Debug)]
pub struct ProcessResult {
    /// The end of the program, and its use of resources.
    pub report: Report,
    /// The beginning and the end of the program's output.
    pub output: Vec<u8>,
}

impl Process {
    /// Takes over a running program, and the end of a pipe where its output arrives. In the output, the second text of each
    /// pair replaces the first.
    pub(crate) fn new(
        running: Running,
        output: io::PipeReader,
        origins: Vec<(String, String)>,
    ) -> io::Result<Self> {
        let (end, output) = (EndWatch::new(&running)?, Output::new(output)?);
        Ok(Self { running, end, has_ended: false, output, origins })
    }

    /// The socket on which the program's connections arrive; if it is isolated, only its own. `None` if the socket was
    /// taken before.
    ///
    /// # Errors
    ///
    /// If the runtime cannot poll the socket.
    pub fn take_listener(&mut self) -> io::Result<Option<TcpListener>> {
        self.running.take_listener().map(listener).transpose()
    }

    /// The socket for connections of a program that ignores the port given to it, if there is one.
    ///
    /// # Errors
    ///
    /// If the runtime cannot poll the socket.
    pub fn take_trap(&mut self) -> io::Result<Option<TcpListener>> {
        self.running.take_trap().map(listener).transpose()
    }

    /// Tests if [`wait`](Self::wait) or [`poll_end`](Self::poll_end) has noticed the end of the program.
    pub fn has_ended(&self) -> bool {
        self.has_ended
    }

    /// Waits for the end of the program and returns its status; `None` if a limit ended it. Cancel safe.
    pub async fn wait(&mut self) -> Option<ExitStatus> {
        std::future::poll_fn(|context| self.poll_end(context)).await;
        self.running.status()
    }

    /// Ready once the program has ended. Until then, only the last task that polled is woken at the end.
    pub fn poll_end(&mut self, context: &mut Context<'_>) -> Poll<()> {
        self.has_ended = self.has_ended || self.end.poll(&mut self.running, context).is_ready();
        if self.has_ended { Poll::Ready(()) } else { Poll::Pending }
    }

    /// The processor time of all processes of the program so far, if known.
    pub fn cpu_time(&mut self) -> Option<Duration> {
        self.running.cpu_time().ok()
    }

    /// The meter of all processes of the program while it runs.
    pub fn meter(&self) -> Meter {
        self.running.meter()
    }

    /// A reader of the program's output while it runs.
    pub fn recent_output(&self) -> RecentOutput {
        self.output.recent()
    }

    /// Ends the program and all processes that it started.
    pub async fn finish(self) -> ProcessResult {
        let Self { running, output, origins, .. } = self;
        // The call blocks until no process is left. It never panics, and the runtime outlives it.
        let report = spawn_blocking(|| running.finish()).await.unwrap_or_default();
        let output = origins
            .iter()
            .fold(output.kept().await, |output, (copy, own)| output.replace(copy, own));
        ProcessResult { report, output }
    }
}

fn listener(listener: std::net::TcpListener) -> io::Result<TcpListener> {
    listener.set_nonblocking(true)?;
    TcpListener::from_std(listener)
}

/// The end of a program in words, unless the game ended it; `None` if it was still running at the end of the game.
pub fn describe(report: &Report) -> Option<Note> {
    if report.exceeded.cpu {
        return Some(Note::new(
            "its program was ended: it has used all its processor time",
            "son programme a été arrêté : il a utilisé tout son temps de calcul",
        ));
    }
    let status = report.status?;
    #[cfg(unix)]
    let signal = std::os::unix::process::ExitStatusExt::signal(&status);
    #[cfg(not(unix))]
    let signal: Option<i32> = None;
    let end = match (status.code(), signal) {
        (Some(code), _) => note!(
            "its program ended with the code {code}",
            "son programme s'est terminé avec le code {code}",
        ),
        (None, Some(signal)) => {
            let (en, fr) = match signal {
                4 => (" (illegal instruction)", " (instruction interdite)"),
                6 => (" (abort)", " (abandon)"),
                9 => (" (killed)", " (tué)"),
                11 => (" (segmentation fault)", " (erreur de segmentation)"),
                15 => (" (terminated)", " (arrêté)"),
                24 => (" (out of processor time)", " (plus de temps de calcul)"),
                31 => (" (a system call that is not allowed)", " (appel système interdit)"),
                _ => ("", ""),
            };
            note!(
                "its program was ended by the signal {signal}{en}",
                "son programme a été terminé par le signal {signal}{fr}",
            )
        }
        (None, None) => Note::new("its program ended", "son programme s'est terminé"),
    };
    let (en, fr) = used_up(report);
    Some(Note::new(end.en + en, end.fr + fr))
}

/// Names the limits that a program exceeded, in words that follow how it ended. A fork bomb may exceed both.
pub(crate) fn used_up(report: &Report) -> (&'static str, &'static str) {
    match (report.exceeded.oom_kills > 0, report.exceeded.failed_forks > 0) {
        (true, true) => (
            ", after it has used all its memory and started too many processes",
            ", après avoir utilisé toute sa mémoire et lancé trop de processus",
        ),
        (true, false) => {
            (", after it has used all its memory", ", après avoir utilisé toute sa mémoire")
        }
        (false, true) => {
            (", after it has started too many processes", ", après avoir lancé trop de processus")
        }
        (false, false) => ("", ""),
    }
}
