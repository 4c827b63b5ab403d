//! Failures of builds.

use std::fmt;
use std::time::Duration;

use intake::{Quoted, Refusal};
use language::{Language, Note, note};
use protocol::is_invisible;
use sandbox::LaunchError;

use crate::package_error::PackageError;

/// Number of lines of the output that are shown, and the length of each in characters.
const LINES: usize = 12;
const LINE: usize = 200;

/// The failure of a build, with its output.
#[derive(Debug)]
pub struct BuildFault {
    /// The cause.
    pub problem: BuildProblem,
    /// The beginning and the end of the output of the build, 32 KiB at most.
    pub output: Vec<u8>,
}

/// The cause of a failed build.
#[derive(Debug)]
pub enum BuildProblem {
    /// The command names no program.
    NoCommand,
    /// This program of the command is not there.
    NotInstalled(Quoted),
    /// This program is there for the organiser alone, and programs of teams do not see it.
    NotShared(Quoted),
    /// The files of the team cannot be copied.
    Files(PackageError),
    /// The build could not be started.
    Start(LaunchError),
    /// The build ended like this.
    Failed(Note),
    /// The build did not end in this time.
    TooLong(Duration),
    /// The files that the build left are refused.
    Refused(Refusal),
    /// The build has succeeded without making this program, which the team's command names.
    NothingBuilt(Quoted),
    /// This machine failed; the team is not at fault.
    Machine(Note),
}

impl BuildFault {
    /// The fault of the team or of the machine in words; then the last lines that the build wrote, if there are any.
    pub fn words(&self) -> Note {
        let why = self.problem.words();
        let lines = self.last_lines();
        if lines.is_empty() {
            return why;
        }
        Note::new(format!("{}\n{lines}", why.en), format!("{}\n{lines}", why.fr))
    }

    /// The last lines that the build wrote, with printable characters only.
    pub fn last_lines(&self) -> String {
        let text = String::from_utf8_lossy(&self.output);
        let is_blank = |line: &&str| line.trim().is_empty();
        let mut lines: Vec<_> = text.lines().filter(|line| !is_blank(line)).map(shown).collect();
        lines.split_off(lines.len().saturating_sub(LINES)).join("\n")
    }

    /// True if this machine is at fault, and not the team.
    pub fn is_of_machine(&self) -> bool {
        match &self.problem {
            BuildProblem::Machine(_)
            | BuildProblem::Start(LaunchError::Machine { .. })
            | BuildProblem::Refused(Refusal::Disk(_)) => true,
            BuildProblem::NoCommand
            | BuildProblem::NotInstalled(_)
            | BuildProblem::NotShared(_)
            | BuildProblem::Files(_)
            | BuildProblem::Start(LaunchError::Program { .. })
            | BuildProblem::Failed(_)
            | BuildProblem::TooLong(_)
            | BuildProblem::Refused(_)
            | BuildProblem::NothingBuilt(_) => false,
        }
    }
}

impl BuildProblem {
    /// The problem in words.
    pub fn words(&self) -> Note {
        match self {
            Self::NoCommand => note!(
                "the build command is empty; expected for instance `make`",
                "la commande de construction est vide ; par exemple `make` est attendu",
            ),
            Self::NotInstalled(program) => note!(
                "`{program}`, which builds the program, is not installed on this machine",
                "`{program}`, qui construit le programme, n'est pas installé sur cette machine",
            ),
            Self::NotShared(program) => note!(
                "`{program}`, which builds the program, is not installed for everybody on this machine: programs of teams \
                 see no home folder; install it below /usr or /opt, or put another one first in PATH",
                "`{program}`, qui construit le programme, n'est pas installé pour tout le monde sur cette machine : les \
                 programmes des équipes ne voient aucun dossier personnel ; installez-le sous /usr ou /opt, ou placez-en un \
                 autre au début de PATH",
            ),
            Self::Files(error) => error.words(),
            Self::Start(error) => error.note(),
            Self::Failed(how) => how.clone(),
            Self::TooLong(limit) => {
                let [en, fr] =
                    [Language::English, Language::French].map(|language| language.duration(*limit));
                Note::new(
                    format!("the build did not end within {en}, and was stopped"),
                    format!("la construction n'a pas fini en {fr}, et a été arrêtée"),
                )
            }
            Self::Refused(refusal) => {
                note!("the files after the build", "les fichiers après la construction")
                    .because(&refusal.words())
            }
            Self::NothingBuilt(program) => note!(
                "the build has made no `{program}`, which the command starts",
                "la construction n'a pas produit `{program}`, que la commande lance",
            ),
            Self::Machine(why) => why.clone(),
        }
    }
}

impl fmt::Display for BuildFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.words().fmt(f)
    }
}

impl std::error::Error for BuildFault {}

impl From<BuildProblem> for BuildFault {
    fn from(problem: BuildProblem) -> Self {
        Self { problem, output: Vec::new() }
    }
}

/// A line of the output, short and printable.
fn shown(line: &str) -> String {
    let printable = line.replace('\t', "    ");
    printable.chars().take(LINE).map(|c| if is_invisible(c) { '\u{fffd}' } else { c }).collect()
}
