//! Messages between the organiser, the launcher and the supervisor, one packet each.

use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::PathBuf;
use std::time::Duration;

use language::{Note, Phrase, word};
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, recvmsg, sendmsg,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::error::LaunchError;
use crate::gap::Protection;
use crate::program::{Invocation, Limits};

/// Size in bytes of the largest message, with the arguments and the environment of a program.
const MESSAGE: usize = 192 * 1024;
/// Maximum number of descriptors in a message; the kernel's limit is 253.
pub(crate) const DESCRIPTORS: usize = 64;

/// A program to start, with its protections. With namespaces, the job is sent twice: to the launcher, with the lock of the
/// program's user if it has one, and to the supervisor, with the mounts of `folders` if the organiser is root.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Job {
    /// Protections to be set up; a failure is an error.
    pub protections: Vec<Protection>,
    /// The program; `None` for a trial of the protections only.
    pub program: Option<Invocation>,
    pub limits: Limits,
    /// The port of the game.
    pub port: u16,
    /// Another port, to catch programs that ignore the port of the game.
    pub trap: Option<u16>,
    /// Folders that the program sees besides the system: its own, and those of its interpreter.
    pub folders: Vec<PathBuf>,
    /// Files and folders in these folders and in the system that are hidden from the program.
    pub hidden: Vec<PathBuf>,
    /// The folder in which the program may write.
    pub scratch: PathBuf,
    /// Folders of control groups of version 1 to join, and the purpose of each.
    pub groups: Vec<(Protection, PathBuf)>,
    /// The folder of the control group of version 2 to join, and its purpose.
    pub unified: Option<(Protection, PathBuf)>,
    /// True if one of the groups limits the number of processes.
    pub groups_count_processes: bool,
    /// A file with the processor time of the groups.
    pub cpu_file: Option<PathBuf>,
    /// The number of the user and the group of the program, unless it is the organiser's.
    pub user: Option<u32>,
}

impl Job {
    pub(crate) fn has(&self, protection: Protection) -> bool {
        self.protections.contains(&protection)
    }
}

/// A question of the organiser.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Question {
    Cpu,
}

/// A message to the organiser.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Answer {
    /// The message carries the socket on which the program's connections arrive, and the socket of the trap if there is a trap.
    Listening,
    /// The program runs; in a trial, all protections are set up. The control group has used this processor time before the
    /// program.
    Started {
        cpu_before: Duration,
    },
    Failed(Failure),
    /// The first process of the program has ended by itself, or was ended by the limit of processor time.
    Ended {
        status: Option<i32>,
        cpu_exceeded: bool,
        run_delay: Option<Duration>,
    },
    Cpu(Duration),
    /// The last message: the processor time of all ended processes, and the memory of the largest process in bytes.
    Total {
        cpu: Duration,
        largest: u64,
    },
}

/// A step of a start that failed.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Failure {
    pub cause: Cause,
    pub what: Note,
    /// The error number of the system, if it has one; otherwise, `reason` is the error.
    pub errno: Option<i32>,
    pub reason: String,
}

/// The purpose of a step.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) enum Cause {
    Protection(Protection),
    Program,
    Machine,
}

/// Adds the purpose of a step, and the step in English and in French, to its error.
pub(crate) trait Step<T>: Sized {
    fn step(self, cause: Cause, what: impl Into<Note>) -> Result<T, Failure>;

    /// A step that fails only if this machine has a problem.
    fn on_machine(self, en: &'static str, fr: &'static str) -> Result<T, Failure> {
        self.step(Cause::Machine, Phrase::new(en, fr))
    }

    /// A step of setting up the namespaces of a program.
    fn in_namespaces(self, en: &'static str, fr: &'static str) -> Result<T, Failure> {
        self.step(Cause::Protection(Protection::Namespaces), Phrase::new(en, fr))
    }
}

impl<T, E: Into<io::Error>> Step<T> for Result<T, E> {
    fn step(self, cause: Cause, what: impl Into<Note>) -> Result<T, Failure> {
        self.map_err(|error| Failure::new(cause, what.into(), &error.into()))
    }
}

pub(crate) fn send(
    socket: impl AsFd,
    message: &impl Serialize,
    descriptors: &[BorrowedFd<'_>],
) -> io::Result<()> {
    let bytes = serde_json::to_vec(message)?;
    if bytes.len() > MESSAGE {
        return Err(io::Error::other(word(
            "the arguments and the environment are too long",
            "les arguments et l'environnement sont trop longs",
        )));
    }
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(DESCRIPTORS))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    if !descriptors.is_empty() && !control.push(SendAncillaryMessage::ScmRights(descriptors)) {
        return Err(io::Error::other(word(
            "there are too many folders",
            "il y a trop de dossiers",
        )));
    }
    let flags = SendFlags::NOSIGNAL;
    rustix::io::retry_on_intr(|| {
        sendmsg(socket.as_fd(), &[IoSlice::new(&bytes)], &mut control, flags)
    })?;
    Ok(())
}

/// Receives a message; `None` if the other side has closed the connection.
pub(crate) fn receive<T: DeserializeOwned>(
    socket: impl AsFd,
    flags: RecvFlags,
) -> io::Result<Option<(T, Vec<OwnedFd>)>> {
    let mut bytes = vec![0; MESSAGE];
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(DESCRIPTORS))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let flags = flags | RecvFlags::CMSG_CLOEXEC;
    let received = rustix::io::retry_on_intr(|| {
        recvmsg(socket.as_fd(), &mut [IoSliceMut::new(&mut bytes)], &mut control, flags)
    })?;
    if received.bytes == 0 {
        return Ok(None);
    }
    let mut descriptors = Vec::new();
    for message in control.drain() {
        if let RecvAncillaryMessage::ScmRights(rights) = message {
            descriptors.extend(rights);
        }
    }
    Ok(Some((serde_json::from_slice(&bytes[..received.bytes])?, descriptors)))
}

impl Failure {
    pub(crate) fn new(cause: Cause, what: Note, error: &io::Error) -> Self {
        Self { cause, what, errno: error.raw_os_error(), reason: error.to_string() }
    }

    /// The error of the step.
    pub(crate) fn source(&self) -> io::Error {
        self.errno.map_or_else(|| io::Error::other(&*self.reason), io::Error::from_raw_os_error)
    }

    /// The step, and the reason of its failure.
    pub(crate) fn note(&self) -> Note {
        self.what.because(&(&self.source()).into())
    }
}

impl From<Failure> for LaunchError {
    fn from(failure: Failure) -> Self {
        let source = failure.source();
        match failure.cause {
            Cause::Program => Self::Program { what: failure.what.en, source },
            Cause::Protection(_) | Cause::Machine => Self::Machine { what: failure.what, source },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reason_of_a_failure_is_told_once() {
        for error in [io::Error::other("why"), io::Error::from_raw_os_error(libc::ENOENT)] {
            let failure = Failure::new(Cause::Machine, Note::same("a step"), &error);
            assert_eq!(LaunchError::from(failure).note().en, format!("a step: {error}"));
        }
    }
}
