//! The organiser's side: which protections there are, and the start of a program.

use std::env;
use std::ffi::OsString;
use std::io::{self, ErrorKind};
use std::net::{Ipv4Addr, TcpListener};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rustix::fs::CWD;
use rustix::mount::{OpenTreeFlags, open_tree};
use rustix::net::{AddressFamily, SocketFlags, SocketType, socketpair};
use tempfile::TempDir;

use crate::error::{StartError, Unavailable};
use crate::gap::{Gap, Protection};
use crate::level::Level;
use crate::linux::cgroup::Groups;
use crate::linux::launcher::LAUNCHER;
use crate::linux::privileges;
use crate::linux::running::{Channel, Running};
use crate::linux::view::{SCRATCH, SYSTEM};
use crate::linux::wire::{self, Answer, Cause, DESCRIPTORS, Failure, Job};
use crate::program::{Limits, Program, Settings};

/// The port of the game in a program's own network.
const PORT: u16 = 7777;
/// The user whose rights programs have where the organiser is root: nobody.
const NOBODY: u32 = 65_534;
/// For a start; usually it takes milliseconds.
const PATIENCE: Duration = Duration::from_secs(10);
const PATH: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/// Runs programs isolated from this machine, from its network and from each other.
///
/// Any number of programs can run at a time, started from any thread.
#[derive(Debug)]
pub struct Sandbox {
    settings: Settings,
    protections: Vec<Protection>,
    groups: Groups,
    gaps: Vec<Gap>,
    /// Programs do not have the rights of this user then.
    is_root: bool,
}

impl Sandbox {
    /// Finds out which protections this system has, by setting them up in a trial. It takes some 10 ms.
    ///
    /// # Errors
    ///
    /// When the level is strict and a required protection is missing, or the launcher does not run.
    pub fn new(settings: Settings) -> Result<Self, Unavailable> {
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
        for folder in &sandbox.settings.visible {
            if let Err(source) = usable(folder) {
                return Err(Unavailable::Folder { folder: folder.clone(), source });
            }
        }
        sandbox.protections.extend(Protection::ALL);
        let (groups, gaps) = Groups::find();
        sandbox.groups = groups;
        for gap in gaps {
            // A user namespace counts processes too; if there is none, the trial finds out.
            if gap.protection != Protection::ProcessCount || !namespaces_count_processes() {
                sandbox.go_without(gap);
            }
        }
        // Each trial finds the first protection that is missing.
        while let Err(failure) = sandbox.try_out().map_err(Unavailable::Launcher)? {
            match failure.cause {
                Cause::Protection(protection) if sandbox.protections.contains(&protection) => {
                    let why = failure.to_string();
                    sandbox.go_without(Gap { protection, why });
                }
                _ => return Err(Unavailable::Launcher(io::Error::other(failure.to_string()))),
            }
        }
        let is_required = |gap: &Gap| gap.protection.is_required();
        if sandbox.settings.level == Level::Strict && sandbox.gaps.iter().any(is_required) {
            return Err(Unavailable::Gaps(sandbox.gaps));
        }
        Ok(sandbox)
    }

    /// Protections that programs run without because this system lacks them, to be said once. Empty at the
    /// level [`Level::None`], where nothing is protected.
    #[must_use]
    pub fn gaps(&self) -> &[Gap] {
        &self.gaps
    }

    /// Protections that programs run with.
    #[must_use]
    pub fn protections(&self) -> &[Protection] {
        &self.protections
    }

    /// Starts a program, which `program` describes when it is told the port of its game on 127.0.0.1.
    /// What the program writes to its standard output and error goes to `output`.
    ///
    /// It blocks until the program runs, usually for less than 20 ms.
    ///
    /// # Errors
    ///
    /// When the program cannot be started, and whether the program or this machine is to blame.
    pub fn start(
        &self,
        limits: &Limits,
        output: OwnedFd,
        program: impl FnOnce(u16) -> Program,
    ) -> Result<Running, StartError> {
        let isolated = self.protections.contains(&Protection::Namespaces);
        let listener = (!isolated)
            .then(|| TcpListener::bind((Ipv4Addr::LOCALHOST, 0)))
            .transpose()
            .map_err(machine("a port for a program"))?;
        let port = match &listener {
            Some(listener) => {
                listener.local_addr().map_err(machine("a port for a program"))?.port()
            }
            None => PORT,
        };
        let mut program = program(port);
        program.folder = usable(&program.folder).map_err(|error| {
            let text = format!("{}: {error}", program.folder.display());
            StartError::Program(io::Error::new(error.kind(), text))
        })?;
        self.launch(limits, output, listener, port, Some(program))?.map_err(|failure| {
            let source = io::Error::from_raw_os_error(failure.errno);
            match failure.cause {
                Cause::Program => {
                    StartError::Program(io::Error::new(source.kind(), failure.to_string()))
                }
                _ => StartError::Machine { what: failure.what, source },
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
            // There is no /proc of its own without a process namespace, which goes without saying.
            self.protections.retain(|&protection| protection != Protection::OwnProc);
            if !self.groups.count_processes()
                && self.protections.contains(&Protection::ProcessCount)
            {
                self.go_without(Gap { protection: Protection::ProcessCount, why });
            }
        }
    }

    /// Sets the protections up, and starts nothing.
    fn try_out(&self) -> io::Result<Result<(), Failure>> {
        let output = std::fs::File::options().write(true).open("/dev/null")?;
        let launched = self.launch(&Limits::default(), output.into(), None, PORT, None);
        match launched {
            Ok(launched) => Ok(launched.map(drop)),
            Err(StartError::Program(error)) => Err(error),
            Err(error) => Err(io::Error::other(error.to_string())),
        }
    }

    fn launch(
        &self,
        limits: &Limits,
        output: OwnedFd,
        listener: Option<TcpListener>,
        port: u16,
        program: Option<Program>,
    ) -> Result<Result<Running, Failure>, StartError> {
        let folders = self.folders(program.as_ref());
        let isolated = self.protections.contains(&Protection::Namespaces);
        // A user without rights does not get to folders below those of root.
        let mounts = match self.is_root && isolated {
            true => mounts(&folders)?,
            false => Vec::new(),
        };
        let own_scratch = (!isolated && !self.protections.is_empty())
            .then(|| tempfile::Builder::new().prefix("pacman-").tempdir())
            .transpose()
            .map_err(machine("a scratch folder"))?;
        let scratch = own_scratch.as_ref().map_or(Path::new(SCRATCH), TempDir::path).to_owned();
        let program = program.map(|program| Program {
            environment: self.environment(&scratch, program.environment),
            ..program
        });
        let group = self.groups.create(limits).map_err(machine("a control group"))?;
        let job = Job {
            protections: self.protections.clone(),
            program,
            limits: limits.clone(),
            port,
            hidden: hidden(&self.settings.hidden, &folders),
            folders,
            scratch,
            groups: group.entries(),
            groups_count_processes: self.groups.count_processes(),
            cpu_file: group.cpu_file(),
            user: self.is_root.then_some(NOBODY),
        };
        let (ours, theirs) =
            socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None)
                .map_err(|error| machine("a socket to the launcher")(error.into()))?;
        let errors = output.try_clone().map_err(machine("the output of a program"))?;
        let launcher = self.settings.launcher.as_deref().unwrap_or(Path::new("/proc/self/exe"));
        let child = Command::new(launcher)
            .arg(LAUNCHER)
            .env_clear()
            .stdin(Stdio::from(theirs))
            .stdout(output)
            .stderr(errors)
            .process_group(0)
            .spawn()
            .map_err(machine("the launcher"))?;
        // From here on, the launcher and everything that it starts ends when this is dropped.
        let mut running = Running::new(child, Channel::new(ours), group, own_scratch);
        let told = wire::send(running.channel(), &job, &[]).and_then(|()| match isolated {
            true => {
                let mounts: Vec<_> = mounts.iter().map(AsFd::as_fd).collect();
                wire::send(running.channel(), &job, &mounts)
            }
            false => Ok(()),
        });
        told.map_err(machine("to tell the launcher"))?;
        let mut listener = listener;
        let deadline = Instant::now() + PATIENCE;
        loop {
            let answer = running.answer(deadline).map_err(machine("the launcher"))?;
            match answer {
                Some((Answer::Listening, sockets)) => {
                    listener = sockets.into_iter().next().map(TcpListener::from);
                }
                Some((Answer::Started, _)) => break,
                Some((Answer::Failed(failure), _)) => return Ok(Err(failure)),
                Some(_) => {}
                None => {
                    let gone = io::Error::from(ErrorKind::UnexpectedEof);
                    return Err(machine("the launcher ended")(gone));
                }
            }
        }
        running.started(listener);
        Ok(Ok(running))
    }

    /// Folders that are seen besides the system, outer ones first.
    fn folders(&self, program: Option<&Program>) -> Vec<PathBuf> {
        let own = program.map(|program| program.folder.clone());
        let mut folders: Vec<_> = self.settings.visible.iter().cloned().chain(own).collect();
        folders.sort();
        let mut outer: Vec<PathBuf> = Vec::new();
        for folder in folders {
            if !outer.iter().any(|other| folder.starts_with(other)) {
                outer.push(folder);
            }
        }
        outer.truncate(DESCRIPTORS);
        outer
    }

    /// The whole environment of a program.
    fn environment(
        &self,
        scratch: &Path,
        own: Vec<(OsString, OsString)>,
    ) -> Vec<(OsString, OsString)> {
        let mut all: Vec<(OsString, OsString)> = vec![("LANG".into(), "C.UTF-8".into())];
        if self.protections.is_empty() {
            let theirs = |name: &str| Some((name.into(), env::var_os(name)?));
            all.extend(["PATH", "HOME", "TMPDIR"].into_iter().filter_map(theirs));
        } else {
            all.push(("PATH".into(), self.path()));
            all.extend(["HOME", "TMPDIR"].map(|name| (name.into(), scratch.into())));
        }
        all.extend(own);
        all
    }

    /// The organiser's `PATH` as far as programs see it, and the usual one.
    fn path(&self) -> OsString {
        let theirs = env::var_os("PATH").unwrap_or_default();
        let is_seen = |path: &PathBuf| {
            let visible = self.settings.visible.iter().map(PathBuf::as_path);
            path.is_absolute()
                && SYSTEM.iter().map(Path::new).chain(visible).any(|seen| path.starts_with(seen))
        };
        let usual = env::split_paths(PATH);
        let mut paths: Vec<_> = env::split_paths(&theirs).filter(is_seen).collect();
        paths.extend(usual);
        env::join_paths(paths).unwrap_or_else(|_| PATH.into())
    }
}

/// The mounts of folders, to be placed elsewhere; those that cannot be had are looked up by their paths.
fn mounts(folders: &[PathBuf]) -> Result<Vec<OwnedFd>, StartError> {
    let flags = OpenTreeFlags::OPEN_TREE_CLONE
        | OpenTreeFlags::OPEN_TREE_CLOEXEC
        | OpenTreeFlags::AT_RECURSIVE;
    let open = |folder: &PathBuf| open_tree(CWD, folder, flags);
    folders
        .iter()
        .map(|folder| {
            open(folder).map_err(|error| {
                let error = io::Error::from(error);
                let text = format!("{}: {error}", folder.display());
                StartError::Program(io::Error::new(error.kind(), text))
            })
        })
        .collect()
}

/// Where hidden files and folders are seen, if they lie below the folders.
fn hidden(paths: &[PathBuf], folders: &[PathBuf]) -> Vec<PathBuf> {
    let real = |path: &PathBuf| path.canonicalize().unwrap_or_else(|_| path.clone());
    let mut found = Vec::new();
    for folder in folders {
        for path in paths {
            if let Ok(rest) = real(path).strip_prefix(real(folder)) {
                found.push(folder.join(rest));
            }
        }
    }
    found
}

/// A folder as it can be shown to programs: absolute, and none that a sandbox has itself.
fn usable(folder: &Path) -> io::Result<PathBuf> {
    let found = folder.canonicalize()?;
    let own = ["/proc", "/dev", "/sys"];
    if !found.is_dir() {
        return Err(ErrorKind::NotADirectory.into());
    }
    if [Path::new("/"), Path::new(SCRATCH)].contains(&found.as_path())
        || own.into_iter().any(|own| found.starts_with(own))
    {
        return Err(io::Error::new(ErrorKind::InvalidInput, "no folder for a program"));
    }
    let is_plain = folder.components().all(|part| part != Component::ParentDir);
    // The path that a program was told is kept, though links be on it.
    if is_plain { std::path::absolute(folder) } else { Ok(found) }
}

/// Since Linux 5.14, the limit of processes of a user counts in each user namespace.
fn namespaces_count_processes() -> bool {
    let system = rustix::system::uname();
    let release = system.release().to_string_lossy();
    let mut numbers = release.split(['.', '-']).map(|number| number.parse().unwrap_or(0));
    (numbers.next(), numbers.next()) >= (Some(5), Some(14))
}

fn machine(what: &'static str) -> impl Fn(io::Error) -> StartError {
    move |source| StartError::Machine { what: what.to_owned(), source }
}
