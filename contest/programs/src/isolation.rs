//! The isolation of programs, and the notes about it for people.

use std::path::PathBuf;
use std::time::Duration;

use language::{Language, note, said};
use plan::{CommandLine, Files, Note, Program, SEATS, Team};
use sandbox::{Gap, Isolation, Level, SandboxError};
use thiserror::Error;

use crate::build::{BuildLimits, Builder};
use crate::cores::Cores;
use crate::package::{Packages, places};
use crate::runner::Runner;

/// Programs cannot be isolated as demanded.
#[derive(Debug, Error)]
pub enum IsolationError {
    /// This system lacks protections, and all are demanded.
    #[error("{}", refusal(_0))]
    Gaps(Vec<Gap>),
    /// The launcher of programs cannot be used.
    #[error(transparent)]
    Sandbox(SandboxError),
}

/// Sets up the runner that starts the programs of these teams from their packages. Programs do not see the hidden files,
/// nor the packages and the folders of teams other than their own; a trap is a port that also awaits programs which
/// ignore the given one.
///
/// # Errors
///
/// If this system cannot isolate programs as demanded.
pub fn runner(
    level: Level,
    teams: &[Team],
    hidden: Vec<PathBuf>,
    trap: Option<u16>,
    packages: Packages,
) -> Result<Runner, IsolationError> {
    let hidden = hidden.into_iter().chain(places_of(teams)).collect();
    // Bots of the house need nothing that could be missing.
    let level = if commands(teams).next().is_some() { level } else { Level::None };
    runner_of_packages(level, hidden, trap, packages)
}

/// The files and folders of these teams that programs of other teams must not see, as absolute paths.
pub fn places_of(teams: &[Team]) -> Vec<PathBuf> {
    let files = |team: &Team| team.files.clone().unwrap_or(Files::Named);
    teams.iter().filter_map(|team| Some(places(command(team)?, &files(team)))).flatten().collect()
}

/// Sets up the runner of programs that lie in packages as a whole. Programs do not see the hidden files, nor packages other
/// than their own.
///
/// # Errors
///
/// If this system cannot isolate programs as demanded.
pub fn runner_of_packages(
    level: Level,
    mut hidden: Vec<PathBuf>,
    trap: Option<u16>,
    packages: Packages,
) -> Result<Runner, IsolationError> {
    hidden.push(packages.path().to_owned());
    let settings = Isolation { level, hidden, trap, launcher: None };
    Ok(Runner::new(settings, packages)?)
}

/// Sets up the builder of programs. Builds do not see the hidden files.
///
/// # Errors
///
/// If this system cannot isolate builds as demanded.
pub fn builder(
    level: Level,
    hidden: Vec<PathBuf>,
    limits: BuildLimits,
) -> Result<Builder, IsolationError> {
    let settings = Isolation { level, hidden, ..Isolation::default() };
    Ok(Builder::new(settings, limits)?)
}

impl From<SandboxError> for IsolationError {
    fn from(error: SandboxError) -> Self {
        match error {
            SandboxError::Gaps(gaps) => Self::Gaps(gaps),
            error @ SandboxError::Launcher(_) => Self::Sandbox(error),
        }
    }
}

/// Notes on the protections that the programs of these teams lack; empty if there are no programs.
pub fn gaps(runner: &Runner, level: Level, teams: &[Team]) -> Vec<Note> {
    if commands(teams).next().is_none() { Vec::new() } else { gaps_of(runner, level) }
}

/// Notes on the protections that programs lack.
pub fn gaps_of(runner: &Runner, level: Level) -> Vec<Note> {
    if level != Level::None && !sandbox::CAN_ISOLATE {
        return vec![Note::new(
            "Isolation: none, because it needs Linux. Programs have the rights of whoever runs the tournament, and \
             their memory, processor time and processes are not limited.",
            "Isolement : aucun, parce qu'il demande Linux. Les programmes ont les droits de qui lance le tournoi, et \
             leur mémoire, leur temps de calcul et leurs processus ne sont pas limités.",
        )];
    }
    if level == Level::None {
        return vec![Note::new(
            "Isolation: none. Programs have the rights of whoever runs the tournament: they can read files, use the \
             network and disturb other programs.",
            "Isolement : aucun. Les programmes ont les droits de qui lance le tournoi : ils peuvent lire ses \
             fichiers, utiliser le réseau et gêner les autres programmes.",
        )];
    }
    let missing = |gap: &Gap| {
        let Note { en, fr } = gap.note();
        note!("Isolation, not protected: {en}.", "Isolement incomplet : {fr}.")
    };
    runner.gaps().iter().map(missing).collect()
}

/// Notes for readers of the results of these teams: the gaps of the isolation, if any, and the time for an order if
/// programs share cores.
pub fn terms(
    runner: &Runner,
    level: Level,
    teams: &[Team],
    deadline: Duration,
    cores: &Cores,
) -> Vec<Note> {
    let mut notes = gaps(runner, level, teams);
    if notes.is_empty() && commands(teams).next().is_some() {
        notes.push(Note::new(
            "Programs are isolated from the machine and from each other.",
            "Les programmes sont isolés de la machine et les uns des autres.",
        ));
    }
    let time = cores.wall_time(deadline);
    if time > deadline {
        let (thinking, count) = (cores.thinking(), cores.count());
        let in_both =
            |time| [Language::English, Language::French].map(|language| language.duration(time));
        let ([time_en, time_fr], [usual_en, usual_fr]) = (in_both(time), in_both(deadline));
        notes.push(note!(
            "{thinking} programs think at a time on {count} cores: the time for an order is {time_en} instead of \
             {usual_en}, so that each can have as much processor time as on a core of its own.",
            "{thinking} programmes réfléchissent en même temps sur {count} cœurs : le temps pour un ordre est de \
             {time_fr} au lieu de {usual_fr}, pour que chacun puisse avoir autant de temps de calcul que sur un \
             cœur à lui.",
        ));
    }
    notes
}

/// The number of programs that think at a time in a game of these teams.
pub fn programs_per_game(teams: &[Team]) -> usize {
    commands(teams).count().min(SEATS)
}

/// Games at a time by default: each program has a core of its own, if there are enough for a game.
pub fn usual_parallel(programs: usize) -> usize {
    (Cores::new(0).count() / programs.max(1)).max(1)
}

fn commands(teams: &[Team]) -> impl Iterator<Item = &CommandLine> {
    teams.iter().filter_map(command)
}

fn command(team: &Team) -> Option<&CommandLine> {
    match &team.program {
        Program::Command(command) => Some(command),
        Program::House(_) | Program::Remote => None,
    }
}

fn refusal(gaps: &[Gap]) -> String {
    if !sandbox::CAN_ISOLATE {
        return said!(
            "--isolation strict: programs can only be isolated on Linux",
            "--isolement strict : les programmes ne peuvent être isolés que sous Linux",
        );
    }
    let start = said!(
        "--isolation strict: this system cannot isolate programs fully",
        "--isolement strict : ce système ne peut pas isoler les programmes entièrement",
    );
    let lines: Vec<_> = gaps.iter().map(|gap| format!("\n  - {gap}")).collect();
    format!("{start}{}", lines.concat())
}
