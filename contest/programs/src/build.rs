//! Builds programs before they run.

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::io::{PipeReader, Read as _};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use intake::{ArchiveFault, Quoted, Unpacked};
use language::{Note, note};
use plan::CommandLine;
use sandbox::{Gap, Invocation, Isolation, Report, Sandbox, SandboxError};
use tempfile::{NamedTempFile, TempDir};
use tokio::sync::oneshot;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use crate::build_archive::{self, kept, most};
use crate::interpreter::{self, is_system, own_folder};
use crate::package;
use crate::process::{Process, ProcessResult, used_up};
use crate::runner::visible;

pub use crate::build_fault::{BuildFault, BuildProblem};

/// The shell script that runs the build command in the sandbox.
const SCRIPT: &str = include_str!("build.sh");

/// The limits of a build.
#[derive(Clone, Debug)]
pub struct BuildLimits {
    /// Maximum duration: 120 s.
    pub wall: Duration,
    /// Maximum processor time of all its processes, user and system: 120 s.
    pub cpu: Duration,
    /// Maximum memory in bytes, including the files in the scratch folder: 1 GB.
    pub memory: u64,
    /// Maximum number of processes and threads: 256.
    pub processes: u32,
    /// Maximum size of all files, the team's own included, in bytes: 500 MB.
    pub scratch: u64,
    /// The limits of the files that a build leaves.
    pub result: intake::Limits,
}

impl Default for BuildLimits {
    fn default() -> Self {
        Self {
            wall: Duration::from_secs(120),
            cpu: Duration::from_secs(120),
            memory: 1_000_000_000,
            processes: 256,
            scratch: 500_000_000,
            result: intake::Limits::default(),
        }
    }
}

/// A program to be built.
#[derive(Clone, Copy, Debug)]
pub struct BuildJob<'a> {
    /// The team's folder, which is only read.
    pub folder: &'a Path,
    /// The words of the build command, as in [`intake::Launch`].
    pub build: &'a [String],
    /// The words of the command that starts the program later. Of the folder `target` of a Cargo project, only what they name
    /// is kept.
    pub command: &'a [String],
    /// The folder in which the folder of the built program is made.
    pub into: &'a Path,
}

/// A program that was built.
#[derive(Debug)]
pub struct Built {
    /// A fresh folder with the team's files and those that the build has made.
    pub unpacked: Unpacked,
    /// The beginning and the end of what the build wrote, 32 KiB at most.
    pub output: Vec<u8>,
}

/// Builds programs of teams, which are as hostile as the programs themselves.
///
/// The organiser copies the plain files of the team's folder, by the rules of [`package`]. In the sandbox, a
/// copy of them is made in the scratch folder, the build command runs there, and the files leave as an archive in a pipe.
/// This archive is an upload like any other: [`intake::unpack`] takes it with its limits, or refuses it. So a build changes
/// nothing on this machine, and has no network.
///
/// Without any protection (at the level `none`, or on other systems than Linux), the build command runs in the organiser's copy.
///
/// The `main` function of an executable that uses a builder calls [`sandbox::launcher_main`] first.
#[derive(Debug)]
pub struct Builder {
    sandbox: Sandbox,
    hidden: Vec<PathBuf>,
    limits: BuildLimits,
}

impl Builder {
    /// Detects the protections of this system.
    ///
    /// # Errors
    ///
    /// If the level is strict and a protection is missing, or no program can be started at all.
    pub fn new(settings: Isolation, limits: BuildLimits) -> Result<Self, SandboxError> {
        let hidden = settings.hidden.clone();
        Ok(Self { sandbox: Sandbox::new(settings)?, hidden, limits })
    }

    /// The protections that builds run without, to be reported once.
    pub fn gaps(&self) -> &[Gap] {
        self.sandbox.gaps()
    }

    /// Builds a program. To be called within a tokio runtime. If the future is dropped, all processes of the build end, and
    /// nothing is left.
    ///
    /// # Errors
    ///
    /// If the program is not built; [`BuildFault::is_of_machine`] tells if this machine is the cause.
    pub async fn build(&self, job: BuildJob<'_>) -> Result<Built, BuildFault> {
        let copy = copied(job).await?;
        let command = CommandLine {
            words: job.build.to_vec(),
            folder: copy.path().to_owned(),
            environment: [].into(),
        };
        self.check_program(&command)?;
        let kept = kept(job.command);
        let archive = NamedTempFile::new_in(job.into).map_err(disk)?;
        let output = if self.is_protected() {
            self.build_apart(&command, &kept, &archive).await?
        } else {
            self.build_in_place(&command, kept, &archive).await?
        };
        let limits =
            intake::Limits { upload: most(&self.limits.result), ..self.limits.result.clone() };
        let into = job.into.to_owned();
        let unpacking =
            spawn_blocking(move || intake::unpack(archive.path(), "built.tar", &into, &limits));
        let fail = |problem| BuildFault { problem, output: output.clone() };
        let unpacked = unpacking.await.map_err(|error| disk(io::Error::other(error)))?;
        let unpacked = unpacked.map_err(|refusal| fail(BuildProblem::Refused(refusal)))?;
        match job.command.first().filter(|word| word.contains('/')) {
            Some(word) if !unpacked.folder.path().join(word).is_file() => {
                Err(fail(BuildProblem::NothingBuilt(Quoted::new(word))))
            }
            _ => Ok(Built { unpacked, output }),
        }
    }

    fn is_protected(&self) -> bool {
        !self.sandbox.protections().is_empty()
    }

    /// Checks that the build sees the program of its command.
    fn check_program(&self, command: &CommandLine) -> Result<(), BuildFault> {
        let word = command.words.first().ok_or(BuildProblem::NoCommand)?;
        let Some(program) = interpreter::program(command) else {
            return Err(BuildProblem::NotInstalled(Quoted::new(word)).into());
        };
        let own = own_folder(command);
        let is_seen = program.starts_with(&own) || is_system(&program, &own);
        let shown = visible(command, &self.hidden).map_err(BuildProblem::Start)?;
        if self.is_protected() && !is_seen && !shown.iter().any(|seen| program.starts_with(seen)) {
            return Err(BuildProblem::NotShared(Quoted::new(word)).into());
        }
        Ok(())
    }

    /// Runs a build in the sandbox, writes the archive of its files, and returns its output.
    async fn build_apart(
        &self,
        command: &CommandLine,
        kept: &[PathBuf],
        archive: &NamedTempFile,
    ) -> Result<Vec<u8>, BuildFault> {
        let kept: Vec<_> = kept.iter().map(|path| path.to_string_lossy()).collect();
        let invocation = Invocation {
            path: "/bin/sh".into(),
            arguments: ["-c", SCRIPT, "build"]
                .into_iter()
                .chain(words(command))
                .map(Into::into)
                .collect(),
            folder: command.folder.clone(),
            visible: visible(command, &self.hidden).map_err(BuildProblem::Start)?,
            environment: environment([("KEPT", kept.join("\n"))]),
        };
        let (files, writer) = io::pipe().map_err(disk)?;
        let process = self.start(Some(writer.into()), invocation)?;
        let received = receive(files, archive.reopen().map_err(disk)?, most(&self.limits.result));
        let received = received.map_err(disk)?;
        let (ended, output) = self.wait(process).await;
        let is_whole = received.await.unwrap_or_else(|_| Err(io::ErrorKind::BrokenPipe.into()));
        let fail = |problem| BuildFault { problem, output: output.clone() };
        if !is_whole.map_err(disk)? {
            let fault = ArchiveFault::TooManyBytes(None, self.limits.result.unpacked);
            return Err(fail(BuildProblem::Refused(fault.into())));
        }
        ended.map_err(fail)?;
        Ok(output)
    }

    /// Runs a build without protection in its folder, writes the archive of its files, and returns its output.
    async fn build_in_place(
        &self,
        command: &CommandLine,
        kept: Vec<PathBuf>,
        archive: &NamedTempFile,
    ) -> Result<Vec<u8>, BuildFault> {
        let mut words = words(command);
        let scratch = scratch(archive.path().parent().unwrap_or(Path::new("."))).map_err(disk)?;
        let temporary = scratch.path().display().to_string();
        let invocation = Invocation {
            path: words.next().unwrap_or_default().into(),
            arguments: words.map(Into::into).collect(),
            folder: command.folder.clone(),
            visible: Vec::new(),
            environment: environment(
                ["TMPDIR", "TEMP", "TMP"].map(|name| (name, temporary.clone())),
            ),
        };
        let process = self.start(None, invocation)?;
        let (ended, output) = self.wait(process).await;
        ended.map_err(|problem| BuildFault { problem, output: output.clone() })?;
        let mut file = archive.reopen().map_err(disk)?;
        let folder = command.folder.clone();
        let written = spawn_blocking(move || build_archive::write(&folder, &kept, &mut file)).await;
        written.unwrap_or_else(|error| Err(io::Error::other(error))).map_err(disk)?;
        Ok(output)
    }

    /// Starts a build. Its standard output goes to `files`, or else to the same place as its errors.
    fn start(
        &self,
        files: Option<sandbox::Output>,
        invocation: Invocation,
    ) -> Result<Process, BuildFault> {
        let limits = sandbox::Limits {
            memory: Some(self.limits.memory),
            processes: Some(self.limits.processes),
            cpu: Some(self.limits.cpu),
            scratch: self.limits.scratch,
            cores: Vec::new(),
        };
        let (reader, writer) = io::pipe().map_err(disk)?;
        let running = match files {
            Some(files) => {
                self.sandbox.start_with_errors(&limits, files, writer.into(), |_| invocation)
            }
            None => self.sandbox.start(&limits, writer.into(), |_| invocation),
        };
        let running = running.map_err(BuildProblem::Start)?;
        Ok(Process::new(running, reader, Vec::new()).map_err(disk)?)
    }

    /// Waits for the end of a build and ends all its processes; returns whether it has succeeded, and its output.
    async fn wait(&self, mut process: Process) -> (Result<(), BuildProblem>, Vec<u8>) {
        let is_late = timeout(self.limits.wall, process.wait()).await.is_err();
        let ProcessResult { report, output } = process.finish().await;
        let is_done = report.status.is_some_and(|status| status.success());
        let ended = if is_late {
            Err(BuildProblem::TooLong(self.limits.wall))
        } else if is_done {
            Ok(())
        } else {
            Err(BuildProblem::Failed(describe(&report)))
        };
        (ended, output)
    }
}

/// A copy of a team's plain files, in a fresh folder.
async fn copied(job: BuildJob<'_>) -> Result<TempDir, BuildFault> {
    let (folder, into) = (job.folder.to_owned(), job.into.to_owned());
    let copying = spawn_blocking(move || {
        let copy = scratch(&into).map_err(disk)?;
        package::copy(&folder, copy.path()).map_err(BuildProblem::Files)?;
        Ok(copy)
    });
    copying.await.unwrap_or_else(|error| Err(disk(io::Error::other(error)).into()))
}

/// A fresh folder in this one.
fn scratch(into: &Path) -> io::Result<TempDir> {
    tempfile::Builder::new().prefix(".build-").tempdir_in(into)
}

fn words(command: &CommandLine) -> impl Iterator<Item = &str> {
    command.words.iter().map(String::as_str)
}

/// The environment of a build, with these variables.
fn environment<const N: usize>(own: [(&str, String); N]) -> Vec<(OsString, OsString)> {
    let usual = [("TERM", "dumb"), ("CARGO_NET_OFFLINE", "true"), ("CARGO_TERM_COLOR", "never")];
    let usual = usual.map(|(name, value)| (name, value.to_owned()));
    usual.into_iter().chain(own).map(|(name, value)| (name.into(), value.into())).collect()
}

/// Writes what comes through a pipe into a file, on a thread that ends with the pipe; false if there is more than `most`.
fn receive(
    pipe: PipeReader,
    mut file: File,
    most: u64,
) -> io::Result<oneshot::Receiver<io::Result<bool>>> {
    let (sender, received) = oneshot::channel();
    thread::Builder::new().name("build".to_owned()).spawn(move || {
        let copied = io::copy(&mut pipe.take(most + 1), &mut file);
        // Nobody receives it if the build was given up.
        let _ = sender.send(copied.map(|length| length <= most));
    })?;
    Ok(received)
}

/// An error of this machine.
#[allow(clippy::needless_pass_by_value, reason = "for `map_err`")]
fn disk(error: io::Error) -> BuildProblem {
    let what = note!("this machine could not build it", "cette machine n'a pas pu le construire");
    BuildProblem::Machine(what.because(&(&error).into()))
}

/// The reason of a failed build: a limit, its exit code, or a signal.
fn describe(report: &Report) -> Note {
    if report.exceeded.cpu {
        return note!(
            "the build has used all its processor time, and was stopped",
            "la construction a utilisé tout son temps de calcul, et a été arrêtée",
        );
    }
    let how = match report.status.and_then(|status| status.code()) {
        Some(code) => note!(
            "the build has failed with the code {code}",
            "la construction a échoué avec le code {code}",
        ),
        None => note!("the build was killed", "la construction a été tuée"),
    };
    let (en, fr) = used_up(report);
    Note::new(how.en + en, how.fr + fr)
}
