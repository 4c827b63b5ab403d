//! The organiser's side: finding the protections of this system, and starting a program.

use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

use rustix::net::{AddressFamily, SocketFlags, SocketType, socketpair};
use tempfile::TempDir;

use crate::error::{LaunchError, SandboxError};
use crate::gap::{Gap, Protection};
use crate::level::Level;
use crate::linux::cgroup::Groups;
use crate::linux::launcher::{LAUNCHER, SWEEPER};
use crate::linux::running::{Resources, Running};
use crate::linux::surroundings;
use crate::linux::users::{User, Users};
use crate::linux::view::SCRATCH;
use crate::linux::wire::{Cause, Failure, Job, Step};
use crate::program::{Invocation, Isolation, Limits};

/// The port of the game in a program's own network.
const PORT: u16 = 7777;
/// The folder that a trial of the protections shows.
const TRIED: &str = "/usr";

/// Runs programs isolated from this machine, from its network and from each other.
///
/// Any number of programs can run at a time, started from any thread.
#[derive(Debug)]
pub struct Sandbox {
    settings: Isolation,
    protections: Vec<Protection>,
    groups: Groups,
    gaps: Vec<Gap>,
    users: Users,
}

impl Sandbox {
    /// Detects which protections this system has by setting them up in a trial, which takes some 10 ms.
    ///
    /// # Errors
    ///
    /// If the level is strict and a required protection is missing, or if the launcher does not run.
    pub fn new(settings: Isolation) -> Result<Self, SandboxError> {
        let mut sandbox = Self {
            settings,
            protections: Vec::new(),
            groups: Groups::default(),
            gaps: Vec::new(),
            users: Users::Organiser,
        };
        if sandbox.settings.level == Level::None {
            return Ok(sandbox);
        }
        sandbox.protections.extend(Protection::ALL);
        let (groups, gaps) = Groups::find();
        sandbox.groups = groups;
        let (users, gap) = Users::find();
        sandbox.users = users;
        for gap in gap.into_iter().chain(gaps) {
            if gap.protection != Protection::ProcessCount || !sandbox.users_count_processes() {
                sandbox.go_without(gap);
            }
        }
        // Each trial finds the first missing protection.
        while let Err(failure) = sandbox.try_out() {
            match failure.cause {
                Cause::Protection(protection) if sandbox.protections.contains(&protection) => {
                    let why = failure.note();
                    if protection == Protection::OwnUser {
                        // Root lacks the right to become another user.
                        sandbox.users = Users::Organiser;
                    }
                    sandbox.go_without(Gap { protection, why });
                }
                _ => {
                    return Err(SandboxError::Launcher(io::Error::other(
                        failure.note().to_string(),
                    )));
                }
            }
        }
        let is_required = |gap: &Gap| gap.protection.is_required();
        if sandbox.settings.level == Level::Strict && sandbox.gaps.iter().any(is_required) {
            return Err(SandboxError::Gaps(sandbox.gaps));
        }
        Ok(sandbox)
    }

    /// Protections missing on this system; to be reported once. Empty at the level [`Level::None`], which has no protection.
    pub fn gaps(&self) -> &[Gap] {
        &self.gaps
    }

    /// The active protections of programs.
    pub fn protections(&self) -> &[Protection] {
        &self.protections
    }

    /// Starts the program returned by `program`, which gets the port of the game on 127.0.0.1. Standard output and error of
    /// the program go to `output`.
    ///
    /// Blocks until the program runs, usually for less than 20 ms.
    ///
    /// # Errors
    ///
    /// If the program cannot be started; the error tells whether the program or this machine is to blame.
    pub fn start(
        &self,
        limits: &Limits,
        output: OwnedFd,
        program: impl FnOnce(u16) -> Invocation,
    ) -> Result<Running, LaunchError> {
        let errors =
            output.try_clone().on_machine("the output of a program", "la sortie d'un programme")?;
        self.start_with_errors(limits, output, errors, program)
    }

    /// Does the same as [`Self::start`], but standard error goes to `errors`.
    ///
    /// # Errors
    ///
    /// If the program cannot be started; the error tells whether the program or this machine is to blame.
    pub fn start_with_errors(
        &self,
        limits: &Limits,
        output: OwnedFd,
        errors: OwnedFd,
        program: impl FnOnce(u16) -> Invocation,
    ) -> Result<Running, LaunchError> {
        let bind = || {
            let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
            io::Result::Ok((listener.local_addr()?.port(), Some(listener)))
        };
        let (port, listener) = if self.protections.contains(&Protection::Namespaces) {
            (PORT, None)
        } else {
            bind().on_machine("a port for a program", "un port pour un programme")?
        };
        let mut program = program(port);
        for folder in std::iter::once(&mut program.folder).chain(&mut program.visible) {
            *folder = surroundings::usable(folder).map_err(|error| {
                let what = folder.display().to_string();
                LaunchError::Program { what, source: error }
            })?;
        }
        Ok(self.launch(limits, [output, errors], listener, port, Some(program))?)
    }

    fn go_without(&mut self, gap: Gap) {
        self.groups.forget(gap.protection);
        self.protections.retain(|&protection| protection != gap.protection);
        let without_namespaces = gap.protection == Protection::Namespaces;
        let why = gap.why.clone();
        self.gaps.push(gap);
        if without_namespaces {
            // Without a process namespace there is no separate `/proc` either; this needs no gap of its own.
            self.protections.retain(|&protection| protection != Protection::OwnProc);
        }
        if !self.groups.count_processes()
            && !self.users_count_processes()
            && self.protections.contains(&Protection::ProcessCount)
        {
            self.go_without(Gap { protection: Protection::ProcessCount, why });
        }
    }

    /// Tests if the limit of processes of a user holds for one program: in a user namespace of its own, as since Linux
    /// 5.14, or for a user of its own.
    fn users_count_processes(&self) -> bool {
        let has = |protection| self.protections.contains(&protection);
        has(Protection::OwnUser) || has(Protection::Namespaces) && namespaces_count_processes()
    }

    /// Sets the protections up without starting a program.
    fn try_out(&self) -> Result<(), Failure> {
        let output = std::fs::File::options().write(true).open("/dev/null");
        let output = output.on_machine("the output of a program", "la sortie d'un programme")?;
        let errors =
            output.try_clone().on_machine("the output of a program", "la sortie d'un programme")?;
        let outputs = [output, errors].map(OwnedFd::from);
        self.launch(&Limits::default(), outputs, None, PORT, None).map(drop)
    }

    /// Starts a program with this standard output and error, or tries the protections out if there is none.
    fn launch(
        &self,
        limits: &Limits,
        [output, errors]: [OwnedFd; 2],
        listener: Option<TcpListener>,
        port: u16,
        program: Option<Invocation>,
    ) -> Result<Running, Failure> {
        let user = self
            .users
            .take()
            .on_machine("a user for a program", "un utilisateur pour un programme")?;
        let own = program.as_ref().map_or(TRIED.into(), |program| program.folder.clone());
        let visible = program.iter().flat_map(|program| &program.visible);
        let shown: Vec<_> = visible.cloned().chain([own]).collect();
        let hidden = surroundings::hidden(&self.settings.hidden, &shown);
        let folders = surroundings::outer(shown, &hidden);
        let isolated = self.protections.contains(&Protection::Namespaces);
        // A user without rights cannot reach folders below folders of root.
        let mounts = if user.number.is_some() && isolated {
            surroundings::mounts(&folders)?
        } else {
            Vec::new()
        };
        let own_scratch = (!isolated && !self.protections.is_empty())
            .then(|| scratch_of(&user))
            .transpose()
            .on_machine("a scratch folder", "un dossier de brouillon")?;
        let scratch = own_scratch.as_ref().map_or(Path::new(SCRATCH), TempDir::path).to_owned();
        let scratch_seen = (!self.protections.is_empty()).then_some(scratch.as_path());
        let program = program.map(|program| Invocation {
            environment: surroundings::environment(
                scratch_seen,
                &program.visible,
                program.environment,
            ),
            ..program
        });
        let group =
            self.groups.create(limits).on_machine("a control group", "un groupe de contrôle")?;
        let job = Job {
            protections: self.protections.clone(),
            program,
            limits: limits.clone(),
            port,
            trap: self.settings.trap,
            hidden,
            folders,
            scratch,
            groups: group.legacy(),
            unified: group.unified(),
            groups_count_processes: self.groups.count_processes(),
            cpu_file: group.cpu_file(),
            user: user.number,
        };
        let (ours, theirs) =
            socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None)
                .on_machine("a socket to the launcher", "une socket vers le lanceur")?;
        let launcher = self.settings.launcher.as_deref().unwrap_or(Path::new("/proc/self/exe"));
        let child = Command::new(launcher)
            .arg(LAUNCHER)
            .env_clear()
            .stdin(Stdio::from(theirs))
            .stdout(output)
            .stderr(errors)
            .process_group(0)
            .spawn()
            .on_machine("the launcher", "le lanceur")?;
        // With a process namespace, nothing outlives the supervisor.
        let sweeper = (!isolated && user.lock.is_some()).then(|| sweeper(launcher, &user));
        // Another server may occupy the port already.
        let trap = self.settings.trap.filter(|_| !isolated);
        let trap = trap.and_then(|port| TcpListener::bind((Ipv4Addr::LOCALHOST, port)).ok());
        // From here on, dropping the running program ends the launcher and its descendants.
        let resources = Resources { group, sweeper, _scratch: own_scratch, user };
        Running::new(child, ours, resources, listener, trap).begin(&job, &mounts)
    }
}

/// A scratch folder on the machine, for a program without a file system of its own.
fn scratch_of(user: &User) -> io::Result<TempDir> {
    let folder = tempfile::Builder::new().prefix("pacman-").tempdir()?;
    std::os::unix::fs::chown(&folder, user.number, user.number)?;
    Ok(folder)
}

/// The command that ends all processes of a user of its own.
fn sweeper(launcher: &Path, user: &User) -> Command {
    let mut sweeper = Command::new(launcher);
    let number = user.number.map(|number| number.to_string());
    sweeper.env_clear().arg(SWEEPER).args(number).stdin(Stdio::null());
    sweeper
}

/// Tests if the limit of processes of a user counts in each user namespace, as since Linux 5.14.
fn namespaces_count_processes() -> bool {
    let system = rustix::system::uname();
    let release = system.release().to_string_lossy();
    let mut numbers = release.split(['.', '-']).map(|number| number.parse().unwrap_or(0));
    (numbers.next(), numbers.next()) >= (Some(5), Some(14))
}
