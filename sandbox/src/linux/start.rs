//! The organiser's side: finding the protections of this system, and starting a program.

use std::io::{self, ErrorKind};
use std::net::{Ipv4Addr, TcpListener};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use language::Phrase;
use rustix::net::{AddressFamily, SocketFlags, SocketType, socketpair};
use tempfile::TempDir;

use crate::error::{LaunchError, SandboxError};
use crate::gap::{Gap, Protection};
use crate::level::Level;
use crate::linux::cgroup::Groups;
use crate::linux::launcher::LAUNCHER;
use crate::linux::privileges;
use crate::linux::running::{Channel, Running};
use crate::linux::surroundings;
use crate::linux::view::SCRATCH;
use crate::linux::wire::{self, Answer, Cause, Failure, Job, Step};
use crate::program::{Invocation, Isolation, Limits};

/// The port of the game in a program's own network.
const PORT: u16 = 7777;
/// The user whose rights programs have if the organiser is root: `nobody`.
const NOBODY: u32 = 65_534;
/// Longest wait for the start of a program, which usually takes milliseconds.
const PATIENCE: Duration = Duration::from_secs(10);

/// Runs programs isolated from this machine, from its network and from each other.
///
/// Any number of programs can run at a time, started from any thread.
#[derive(Debug)]
pub struct Sandbox {
    settings: Isolation,
    protections: Vec<Protection>,
    groups: Groups,
    gaps: Vec<Gap>,
    /// True if the organiser is root; then programs run as `NOBODY`.
    is_root: bool,
}

impl Sandbox {
    /// Detects which protections this system has by setting them up in a trial, which takes some 10 ms.
    ///
    /// # Errors
    ///
    /// If the level is strict and a required protection is missing, or if the launcher does not run.
    pub fn new(settings: Isolation) -> Result<Self, SandboxError> {
        let is_root = rustix::process::geteuid().is_root() && privileges::knows(NOBODY);
        let mut sandbox = Self {
            settings,
            protections: Vec::new(),
            groups: Groups::default(),
            gaps: Vec::new(),
            is_root,
        };
        if sandbox.settings.level == Level::None {
            return Ok(sandbox);
        }
        sandbox.protections.extend(Protection::ALL);
        let (groups, gaps) = Groups::find();
        sandbox.groups = groups;
        for gap in gaps {
            // A user namespace counts processes too; the trial detects if there is none.
            if gap.protection != Protection::ProcessCount || !namespaces_count_processes() {
                sandbox.go_without(gap);
            }
        }
        // Each trial finds the first missing protection.
        while let Err(failure) = sandbox.try_out().map_err(SandboxError::Launcher)? {
            match failure.cause {
                Cause::Protection(protection) if sandbox.protections.contains(&protection) => {
                    let why = failure.note();
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
    #[must_use]
    pub fn gaps(&self) -> &[Gap] {
        &self.gaps
    }

    /// The active protections of programs.
    #[must_use]
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
        let isolated = self.protections.contains(&Protection::Namespaces);
        let listener = (!isolated)
            .then(|| TcpListener::bind((Ipv4Addr::LOCALHOST, 0)))
            .transpose()
            .map_err(machine(Phrase::new("a port for a program", "un port pour un programme")))?;
        let port = match &listener {
            Some(listener) => listener
                .local_addr()
                .map_err(machine(Phrase::new("a port for a program", "un port pour un programme")))?
                .port(),
            None => PORT,
        };
        let mut program = program(port);
        for folder in std::iter::once(&mut program.folder).chain(&mut program.visible) {
            *folder = surroundings::usable(folder).map_err(|error| {
                let what = folder.display().to_string();
                LaunchError::Program { what, source: error }
            })?;
        }
        self.launch(limits, output, listener, port, Some(program))?.map_err(|failure| {
            let source = io::Error::from_raw_os_error(failure.errno);
            match failure.cause {
                Cause::Program => LaunchError::Program { what: failure.what.en, source },
                _ => LaunchError::Machine { what: failure.what, source },
            }
        })
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
            if !self.groups.count_processes()
                && self.protections.contains(&Protection::ProcessCount)
            {
                self.go_without(Gap { protection: Protection::ProcessCount, why });
            }
        }
    }

    /// Sets the protections up without starting a program.
    fn try_out(&self) -> io::Result<Result<(), Failure>> {
        // The system may refuse what programs in folders of root need.
        if self.is_root
            && self.protections.contains(&Protection::Namespaces)
            && let Err(LaunchError::Program { source, .. } | LaunchError::Machine { source, .. }) =
                surroundings::mounts(&[Path::new("/usr").to_owned()])
        {
            let what = Phrase::new("the folders of programs", "les dossiers des programmes");
            return Ok(Err(source).step(Cause::Protection(Protection::Namespaces), what));
        }
        let output = std::fs::File::options().write(true).open("/dev/null")?;
        let launched = self.launch(&Limits::default(), output.into(), None, PORT, None);
        match launched {
            Ok(launched) => Ok(launched.map(drop)),
            Err(error) => Err(io::Error::other(error.to_string())),
        }
    }

    fn launch(
        &self,
        limits: &Limits,
        output: OwnedFd,
        listener: Option<TcpListener>,
        port: u16,
        program: Option<Invocation>,
    ) -> Result<Result<Running, Failure>, LaunchError> {
        let shown = program.iter().flat_map(|it| std::iter::once(&it.folder).chain(&it.visible));
        let shown: Vec<_> = shown.cloned().collect();
        let hidden = surroundings::hidden(&self.settings.hidden, &shown);
        let folders = surroundings::outer(shown, &hidden);
        let isolated = self.protections.contains(&Protection::Namespaces);
        // A user without rights cannot reach folders below folders of root.
        let mounts = match self.is_root && isolated {
            true => surroundings::mounts(&folders)?,
            false => Vec::new(),
        };
        let own_scratch = (!isolated && !self.protections.is_empty())
            .then(|| tempfile::Builder::new().prefix("pacman-").tempdir())
            .transpose()
            .map_err(machine(Phrase::new("a scratch folder", "un dossier de brouillon")))?;
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
        let group = self
            .groups
            .create(limits)
            .map_err(machine(Phrase::new("a control group", "un groupe de contrôle")))?;
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
            user: self.is_root.then_some(NOBODY),
        };
        let (ours, theirs) =
            socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None)
                .map_err(|error| {
                    machine(Phrase::new("a socket to the launcher", "une prise vers le lanceur"))(
                        error.into(),
                    )
                })?;
        let errors = output
            .try_clone()
            .map_err(machine(Phrase::new("the output of a program", "la sortie d'un programme")))?;
        let launcher = self.settings.launcher.as_deref().unwrap_or(Path::new("/proc/self/exe"));
        let child = Command::new(launcher)
            .arg(LAUNCHER)
            .env_clear()
            .stdin(Stdio::from(theirs))
            .stdout(output)
            .stderr(errors)
            .process_group(0)
            .spawn()
            .map_err(machine(Phrase::new("the launcher", "le lanceur")))?;
        // From here on, dropping `running` ends the launcher and its descendants.
        let mut running = Running::new(child, Channel::new(ours), group, own_scratch);
        let told = wire::send(running.channel(), &job, &[]).and_then(|()| match isolated {
            true => {
                let mounts: Vec<_> = mounts.iter().map(AsFd::as_fd).collect();
                wire::send(running.channel(), &job, &mounts)
            }
            false => Ok(()),
        });
        told.map_err(machine(Phrase::new("to tell the launcher", "parler au lanceur")))?;
        let mut listener = listener;
        // Another server may occupy the port already.
        let mut trap = match self.settings.trap {
            Some(port) if !isolated => TcpListener::bind((Ipv4Addr::LOCALHOST, port)).ok(),
            _ => None,
        };
        let deadline = Instant::now() + PATIENCE;
        let cpu_before_ns = loop {
            let answer = running
                .answer(deadline)
                .map_err(machine(Phrase::new("the launcher", "le lanceur")))?;
            match answer {
                Some((Answer::Listening, sockets)) => {
                    let mut sockets = sockets.into_iter().map(TcpListener::from);
                    (listener, trap) = (sockets.next(), sockets.next());
                }
                Some((Answer::Started { cpu_before_ns }, _)) => break cpu_before_ns,
                Some((Answer::Failed(failure), _)) => return Ok(Err(failure)),
                Some(_) => {}
                None => {
                    let gone = io::Error::from(ErrorKind::UnexpectedEof);
                    return Err(machine(Phrase::new("the launcher ended", "la fin du lanceur"))(
                        gone,
                    ));
                }
            }
        };
        running.started(listener, trap, Duration::from_nanos(cpu_before_ns));
        Ok(Ok(running))
    }
}

/// Tests if the limit of processes of a user counts in each user namespace, as since Linux 5.14.
fn namespaces_count_processes() -> bool {
    let system = rustix::system::uname();
    let release = system.release().to_string_lossy();
    let mut numbers = release.split(['.', '-']).map(|number| number.parse().unwrap_or(0));
    (numbers.next(), numbers.next()) >= (Some(5), Some(14))
}

fn machine(what: Phrase) -> impl Fn(io::Error) -> LaunchError {
    move |source| LaunchError::Machine { what: what.into(), source }
}
