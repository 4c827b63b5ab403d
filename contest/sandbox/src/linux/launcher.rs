//! The launcher: the organiser's program, started again to start one program.
//!
//! A new process namespace begins with the next process, so that there are two stages: the launcher enters the
//! namespaces, and the supervisor, the first process in them, sets them up and starts the program. The launcher is a
//! fresh process with one thread, and the supervisor a copy of it, which takes a third of the time of a new program.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;
use std::process::exit;

use language::Phrase;
use nix::errno::Errno;
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::signal::Signal as SignalNumber;
use rustix::net::RecvFlags;
use rustix::process::{Pid, Resource, Rlimit, Signal, WaitOptions, setrlimit};

use crate::gap::Protection;
use crate::linux::copy;
use crate::linux::privileges;
use crate::linux::processes;
use crate::linux::supervisor;
use crate::linux::wire::{self, Answer, Cause, Failure, Job, Step};

/// The first argument of the launcher, which is no plausible name of a command.
pub(crate) const LAUNCHER: &str = "__sandbox-launcher";
/// The first argument of a launcher that ends all processes of a user, whose number follows.
pub(crate) const SWEEPER: &str = "__sandbox-sweeper";
const JOIN: Phrase = Phrase::new("to join a control group", "rejoindre un groupe de contrôle");

/// Runs the launcher of a program, or what ends its processes, if this process was started as one, and then never returns.
///
/// Must be called first in `main`, before threads are started or arguments are read.
pub fn launcher_main() {
    let stage: Option<OsString> = env::args_os().nth(1);
    let done = match stage.as_deref().and_then(OsStr::to_str) {
        Some(LAUNCHER) => privileges::close_inherited()
            .and_then(|()| privileges::control())
            .and_then(|control| stage_of(&control, launch)),
        Some(SWEEPER) => sweep(),
        _ => return,
    };
    exit(i32::from(done.is_err()));
}

/// Ends all processes of a user that belongs to one program: the kernel signals all that exist at a time, so that none can
/// escape by starting others.
fn sweep() -> io::Result<()> {
    let user = env::args().nth(2).and_then(|number| number.parse().ok());
    privileges::become_user(user.ok_or(ErrorKind::InvalidInput)?)?;
    match nix::sys::signal::kill(nix::unistd::Pid::from_raw(-1), SignalNumber::SIGKILL) {
        Ok(()) | Err(Errno::ESRCH) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Runs a stage with the received job, and reports a failure to the organiser.
fn stage_of(
    control: &OwnedFd,
    stage: impl FnOnce(&Job, Vec<OwnedFd>, &OwnedFd) -> Result<(), Failure>,
) -> io::Result<()> {
    let received = wire::receive(control, RecvFlags::empty())?;
    let (job, mounts) = received.ok_or(ErrorKind::UnexpectedEof)?;
    if let Err(failure) = stage(&job, mounts, control) {
        wire::send(control, &Answer::Failed(failure), &[])?;
    }
    Ok(())
}

/// The launcher keeps `_locks`, the lock of the program's user, until the program has ended: also when the organiser is
/// killed before.
fn launch(job: &Job, _locks: Vec<OwnedFd>, control: &OwnedFd) -> Result<(), Failure> {
    let original = rustix::process::getpid();
    if !job.protections.is_empty() {
        privileges::leave_terminal().on_machine("to leave the terminal", "quitter le terminal")?;
    }
    // The supervisor passes descriptors. The kernel compares their number with this limit of the sender, and counts those
    // of all programs of its user, whose own limits are lower.
    let raised = rustix::process::getrlimit(Resource::Nofile).maximum;
    let _ = setrlimit(Resource::Nofile, Rlimit { current: raised, maximum: raised });
    if let Some((protection, folder)) = &job.unified {
        let copy = join_unified(folder);
        if let Some(copy) = copy.step(Cause::Protection(*protection), JOIN)? {
            return wait_for(copy);
        }
    }
    let is_copy = rustix::process::getpid() != original;
    for (protection, folder) in &job.groups {
        // 0 stands for the writing thread, which is the only one. For a process with several threads, the kernel would
        // wait as described in `copy`.
        let joined = fs::write(folder.join("tasks"), "0");
        joined.step(Cause::Protection(*protection), JOIN)?;
    }
    if job.has(Protection::Namespaces) {
        if let Some(user) = job.user {
            privileges::become_user(user)
                .step(Cause::Protection(Protection::OwnUser), supervisor::USER)?;
        }
        privileges::enter_namespaces()
            .in_namespaces("user namespaces", "espaces de noms d'utilisateurs")?;
        if is_copy {
            // The copy ends with the process that the organiser knows. A change of rights resets this setting.
            rustix::process::set_parent_process_death_signal(Some(Signal::KILL))
                .on_machine("to end with the launcher", "finir avec le lanceur")?;
        }
        let first = copy::begin().on_machine("a supervisor", "un superviseur")?;
        let Some(first) = first else {
            exit(i32::from(stage_of(control, supervisor::run).is_err()));
        };
        wait_for(first)?;
    } else {
        rustix::process::set_child_subreaper(Some(rustix::process::getpid())).on_machine(
            "to adopt the processes of a program",
            "adopter les processus d'un programme",
        )?;
        supervisor::supervise(job, control)?;
    }
    tell_total(control).on_machine("the usage of a program", "la consommation d'un programme")
}

/// Waits for the end of a copy of this process, which has the output.
fn wait_for(copy: Pid) -> Result<(), Failure> {
    supervisor::release_output().on_machine("to close the output", "fermer la sortie")?;
    rustix::process::waitpid(Some(copy), WaitOptions::empty())
        .map(drop)
        .on_machine("to wait for the supervisor", "attendre le superviseur")
}

/// Joins a control group of version 2, in a copy of this process if possible. Returns the process id of the copy in the
/// process left outside, and `None` in the process that has joined.
fn join_unified(folder: &Path) -> io::Result<Option<Pid>> {
    let group = File::open(folder)?;
    match copy::continue_in(group.as_fd()) {
        Ok(copy) => Ok(copy),
        Err(_) => fs::write(folder.join("cgroup.procs"), "0").map(|()| None),
    }
}

fn tell_total(control: impl AsFd) -> io::Result<()> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let cpu = processes::cpu_in(&usage);
    // The kernel counts in KiB.
    let largest = u64::try_from(usage.max_rss()).unwrap_or(0) * 1024;
    wire::send(control, &Answer::Total { cpu, largest }, &[])
}
