//! A team's program: started, watched, and ended with all that it started.

use std::io::{self, ErrorKind};
use std::os::fd::OwnedFd;
use std::os::unix::process::ExitStatusExt;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use rustix::io::Errno;
use rustix::process::{Pid, Resource, Rlimit, Signal, kill_process_group, prlimit};
use tokio::io::AsyncReadExt;
use tokio::net::unix::pipe;
use tokio::process::{Child, Command as Starter};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::orphans;
use plan::{CommandLine, Limits};

/// What is kept of the beginning of a program's output, and of its end.
const KEPT: usize = 16 * 1024;
/// For the output of a program that has ended to come to its end.
const OUTPUT: Duration = Duration::from_millis(100);
/// The variable that marks the processes of a run.
pub(crate) const MARK: &str = "PACMAN_TOURNOI";

/// A program that plays for a team in one game. All that it starts ends with it at the latest when this
/// is dropped.
#[derive(Debug)]
pub struct Process {
    group: Pid,
    mark: String,
    /// How it ended, once it has.
    ended: watch::Receiver<Option<ExitStatus>>,
    output: JoinHandle<Vec<u8>>,
}

/// Where a program is to play, and as whom.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// The port on this machine.
    pub port: u16,
    /// The name of its team.
    pub name: &'a str,
    /// Marks it, and all that it starts.
    pub mark: &'a str,
}

/// Why a program was not started.
#[derive(Debug, thiserror::Error)]
pub enum SpawnError {
    /// It is not there, or is no program.
    #[error("{program}: {source}")]
    Own {
        /// The program.
        program: String,
        /// What is wrong with it.
        source: io::Error,
    },
    /// This machine cannot start one more now.
    #[error("cannot start another process: {0}")]
    Machine(io::Error),
}

impl Process {
    /// Starts a program. It is told where to play by its arguments, and by `PACMAN_SERVEUR`,
    /// `PACMAN_PORT` and `PACMAN_NOM` in its environment.
    ///
    /// To be called within a tokio runtime.
    ///
    /// # Errors
    ///
    /// When it cannot be started, and whose fault that is.
    pub fn start(
        command: &CommandLine,
        limits: &Limits,
        place: Place<'_>,
    ) -> Result<Self, SpawnError> {
        let port = place.port.to_string();
        let fill = |word: &String| {
            word.replace("{serveur}", "127.0.0.1")
                .replace("{port}", &port)
                .replace("{nom}", place.name)
        };
        let words: Vec<_> = command.words.iter().map(fill).collect();
        let (program, arguments) = words.split_first().map_or(("", &[][..]), |(p, a)| (p, a));
        let (reader, writer) = io::pipe().map_err(SpawnError::Machine)?;
        let output = pipe::Receiver::from_owned_fd(OwnedFd::from(reader));
        let output = output.map_err(SpawnError::Machine)?;
        let also = writer.try_clone().map_err(SpawnError::Machine)?;
        // A program beside its files is meant, not one that runs beside ours.
        let own = command.folder.join(program);
        let path = if program.contains('/') && own.exists() { own } else { program.into() };
        let child = Starter::new(path)
            .args(arguments)
            .current_dir(&command.folder)
            .env("PACMAN_SERVEUR", "127.0.0.1")
            .env("PACMAN_PORT", &port)
            .env("PACMAN_NOM", place.name)
            .env("PYTHONUNBUFFERED", "1")
            .envs(&command.environment)
            .env(MARK, place.mark)
            .stdin(Stdio::null())
            .stdout(writer)
            .stderr(also)
            .process_group(0)
            .spawn()
            .map_err(|source| match source.raw_os_error().map(Errno::from_raw_os_error) {
                // There are too many, or the file is being written. Everything else is wrong with it.
                Some(Errno::AGAIN | Errno::NOMEM | Errno::MFILE | Errno::NFILE | Errno::TXTBSY) => {
                    SpawnError::Machine(source)
                }
                _ => SpawnError::Own { program: program.to_owned(), source },
            })?;
        let group = child.id().and_then(|id| Pid::from_raw(id.cast_signed()));
        let group = group.ok_or_else(|| SpawnError::Machine(ErrorKind::NotFound.into()))?;
        limit(group, limits);
        let (tell, ended) = watch::channel(None);
        tokio::spawn(reap(child, tell));
        let mark = place.mark.to_owned();
        Ok(Self { group, mark, ended, output: tokio::spawn(keep(output)) })
    }

    /// How it ended, once it has.
    #[must_use]
    pub fn watch(&self) -> watch::Receiver<Option<ExitStatus>> {
        self.ended.clone()
    }

    /// The number of its group of processes.
    #[must_use]
    pub fn group(&self) -> i32 {
        self.group.as_raw_nonzero().get()
    }

    /// Waits until it has ended.
    pub async fn wait(&self) -> Option<ExitStatus> {
        let mut ended = self.ended.clone();
        // The sender is gone when the runtime ends.
        ended.wait_for(Option::is_some).await.ok().and_then(|status| *status)
    }

    /// Ends it and all that it started, and gives what it has written, at most so much of the
    /// beginning and of the end.
    pub async fn finish(mut self) -> Vec<u8> {
        self.kill();
        if let Ok(output) = timeout(OUTPUT, &mut self.output).await {
            return output.unwrap_or_default();
        }
        // Something that it started has left its group, and still holds the other end of the pipe.
        orphans::kill(&self.mark);
        timeout(OUTPUT, &mut self.output)
            .await
            .map_or_else(|_| Vec::new(), Result::unwrap_or_default)
    }

    fn kill(&self) {
        // No process may be left.
        let _ = kill_process_group(self.group, Signal::KILL);
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
        self.output.abort();
    }
}

async fn reap(mut child: Child, tell: watch::Sender<Option<ExitStatus>>) {
    if let Ok(status) = child.wait().await {
        tell.send_replace(Some(status));
    }
}

/// How a program ended, in words.
#[must_use]
pub fn describe(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("its program ended with the code {code}"),
        (None, Some(signal)) => {
            let name = match signal {
                4 => " (illegal instruction)",
                6 => " (abort)",
                9 => " (killed)",
                11 => " (segmentation fault)",
                15 => " (terminated)",
                24 => " (out of processor time)",
                _ => "",
            };
            format!("its program was ended by the signal {signal}{name}")
        }
        (None, None) => "its program ended".to_owned(),
    }
}

/// Limits what a process, and those that it starts, may take, where the system can.
fn limit(process: Pid, limits: &Limits) {
    let both = |limit: u64| Rlimit { current: Some(limit), maximum: Some(limit) };
    // It may have ended already. What it reserves and never uses does not count as data.
    if let Some(bytes) = limits.memory {
        let _ = prlimit(Some(process), Resource::Data, both(bytes));
    }
    if let Some(time) = limits.cpu {
        let seconds = time.as_secs().max(1);
        let limit = Rlimit { current: Some(seconds), maximum: Some(seconds + 1) };
        let _ = prlimit(Some(process), Resource::Cpu, limit);
    }
    let _ = prlimit(Some(process), Resource::Core, both(0));
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
