//! Starts the programs of teams.

use std::io;
use std::path::PathBuf;

use language::said;
use plan::{CommandLine, Note, TeamLimits};
use sandbox::{
    Gap, Invocation, Isolation, LaunchError, Protection, Running, Sandbox, SandboxError,
};

use crate::interpreter;
use crate::package::Packages;
use crate::process::Process;

/// Starts the programs of teams, isolated from this machine and from each other to the requested level.
///
/// The `main` function of an executable that uses a runner calls [`sandbox::launcher_main`] first.
#[derive(Debug)]
pub struct Runner {
    sandbox: Sandbox,
    packages: Packages,
    /// Files and folders that programs do not see.
    hidden: Vec<PathBuf>,
}

impl Runner {
    /// Detects the protections of this system. Programs run from these packages.
    ///
    /// # Errors
    ///
    /// If the level is strict and a protection is missing, or no program can be started at all.
    pub fn new(settings: Isolation, packages: Packages) -> Result<Self, SandboxError> {
        let hidden = settings.hidden.clone();
        Ok(Self { sandbox: Sandbox::new(settings)?, packages, hidden })
    }

    /// The protections that programs run without, to be reported once.
    pub fn gaps(&self) -> &[Gap] {
        self.sandbox.gaps()
    }

    /// Tests if programs run with a protection.
    pub fn protects(&self, protection: Protection) -> bool {
        self.sandbox.protections().contains(&protection)
    }

    /// Starts the program of the team with this name, from the package of this hash, or in its folder if there is no hash.
    /// If `core` is given, the program runs only on that processor. It learns its server from its arguments, and from
    /// `PACMAN_SERVEUR`, `PACMAN_PORT` and `PACMAN_NOM` in its environment, which inherits nothing from this process. In the
    /// program's output, paths into the package are replaced by those of the original files.
    ///
    /// This call blocks for some milliseconds. To be called within a tokio runtime.
    ///
    /// # Errors
    ///
    /// If the program cannot be started; the variant tells if the program or this machine is the cause.
    pub fn start(
        &self,
        command: &CommandLine,
        package: Option<&str>,
        limits: &TeamLimits,
        core: Option<u32>,
        name: &str,
    ) -> Result<Process, LaunchError> {
        let (reader, writer) = io::pipe().map_err(machine)?;
        let (running, origins) =
            self.launch(writer.into(), command, package, limits, core, name)?;
        Process::new(running, reader, origins).map_err(machine)
    }

    /// Starts a program and ends it at once, to test if it can be started.
    ///
    /// # Errors
    ///
    /// If the program cannot be started; the variant tells if the program or this machine is the cause.
    pub fn try_out(
        &self,
        command: &CommandLine,
        package: Option<&str>,
        limits: &TeamLimits,
        name: &str,
    ) -> Result<(), LaunchError> {
        let (_reader, writer) = io::pipe().map_err(machine)?;
        self.launch(writer.into(), command, package, limits, None, name).map(drop)
    }

    /// Starts a program; also returns the pairs of texts to replace in its output.
    fn launch(
        &self,
        output: sandbox::Output,
        command: &CommandLine,
        package: Option<&str>,
        limits: &TeamLimits,
        core: Option<u32>,
        name: &str,
    ) -> Result<(Running, Vec<(String, String)>), LaunchError> {
        let origins = package.map(|hash| self.packages.origins(command, hash));
        let origins: Vec<_> = origins.into_iter().flatten().collect();
        let visible = visible(command, &self.hidden)?;
        let packed = package.map(|hash| self.packages.command(command, hash));
        let command = packed.as_ref().unwrap_or(command);
        let limits = sandbox::Limits {
            memory: limits.memory,
            processes: limits.processes,
            cpu: limits.cpu,
            scratch: limits.scratch,
            cores: core.into_iter().collect(),
        };
        match self.sandbox.start(&limits, output, |port| program(command, visible, name, port)) {
            Ok(running) => Ok((running, origins)),
            Err(LaunchError::Program { what, source }) => {
                let own = |what: String, (copy, own): &(String, String)| what.replace(copy, own);
                Err(LaunchError::Program { what: origins.iter().fold(what, own), source })
            }
            Err(error) => Err(error),
        }
    }
}

/// The folders outside the system that a program sees; none of these paths is among them.
pub(crate) fn visible(
    command: &CommandLine,
    hidden: &[PathBuf],
) -> Result<Vec<PathBuf>, LaunchError> {
    interpreter::folders(command, hidden).map_err(|folder| {
        let what = command.words.first().cloned().unwrap_or_default();
        let folder = folder.display();
        let why = said!(
            "{folder}, which it needs, contains a home, teams or results, or belongs to another user, and is not shown to \
             programs",
            "{folder}, dont il a besoin, contient un dossier personnel, des équipes ou les résultats, ou est à un autre \
             utilisateur, et n'est pas montré aux programmes"
        );
        LaunchError::Program { what, source: io::Error::other(why) }
    })
}

fn machine(source: io::Error) -> LaunchError {
    LaunchError::Machine {
        what: Note::new("the output of a program", "la sortie d'un programme"),
        source,
    }
}

/// The invocation of a program that plays on this port.
fn program(command: &CommandLine, visible: Vec<PathBuf>, name: &str, port: u16) -> Invocation {
    let fill = |word: &String| protocol::command::filled(word, name, "127.0.0.1", port);
    let mut words = command.words.iter().map(fill);
    let path = words.next().unwrap_or_default();
    let port = port.to_string();
    let told = [
        ("PACMAN_SERVEUR", "127.0.0.1"),
        ("PACMAN_PORT", &port),
        ("PACMAN_NOM", name),
        ("PYTHONUNBUFFERED", "1"),
        // The program's folder is read-only.
        ("PYTHONDONTWRITEBYTECODE", "1"),
    ];
    let told = told.into_iter().map(|(name, value)| (name.into(), value.into()));
    let own = command.environment.iter().map(|(name, value)| (name.into(), value.into()));
    Invocation {
        path: path.into(),
        arguments: words.map(Into::into).collect(),
        folder: command.folder.clone(),
        visible,
        environment: told.chain(own).collect(),
    }
}
