//! The isolation of programs, and the notes about it for people.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::bail;
use checkup::words::duration;
use language::{Language, said};
use plan::{CommandLine, Files, Note, Plan, Program, SEATS, Team};
use programs::cores::Cores;
use programs::interpreter::is_private;
use programs::package::{Packages, places};
use programs::runner::Runner;
use sandbox::{Gap, Isolation, LaunchError, Level, SandboxError};

/// Sets up the runner that starts the programs of these teams from their packages. Programs do not see the hidden files,
/// nor the packages and the folders of teams other than their own; a trap is a port that also awaits programs which
/// ignore the given one.
pub(crate) fn runner(
    level: Level,
    teams: &[Team],
    hidden: Vec<PathBuf>,
    trap: Option<u16>,
    packages: Packages,
) -> anyhow::Result<Runner> {
    let files = |team: &Team| team.files.clone().unwrap_or(Files::Named);
    let places = teams.iter().filter_map(|team| Some(places(command(team)?, &files(team))));
    let mut hidden: Vec<_> = hidden.into_iter().chain(places.flatten()).collect();
    hidden.push(packages.path().to_owned());
    let settings = Isolation {
        // Bots of the house need nothing that could be missing.
        level: if commands(teams).next().is_some() { level } else { Level::None },
        hidden,
        trap,
        launcher: None,
    };
    match Runner::new(settings, packages) {
        Err(SandboxError::Gaps(gaps)) => bail!("{}", refusal(&gaps)),
        runner => Ok(runner?),
    }
}

/// Parses the value of `--isolement`.
pub(crate) fn level(text: &str) -> Result<Level, String> {
    text.parse().map_err(|_| {
        said!("expected `auto`, `aucun` or `strict`", "`auto`, `aucun` ou `strict` est attendu")
    })
}

/// The help of `--isolement`.
pub(crate) fn help() -> String {
    said!(
        "How far programs are isolated from this machine and from each other: as far as this system can, not at all, \
         or fully, else nothing is played",
        "Isolement des programmes, de cette machine et les uns des autres : autant que ce système le permet, aucun, \
         ou strict, sinon rien n'est joué"
    )
}

/// Notes on the protections that the programs of these teams lack; empty if there are no programs.
pub(crate) fn gaps(runner: &Runner, level: Level, teams: &[Team]) -> Vec<Note> {
    if commands(teams).next().is_none() {
        return Vec::new();
    }
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
    let missing = Note::new("Isolation, not protected: ", "Isolement, sans protection : ");
    let missing = |gap: &Gap| Note {
        en: format!("{}{}.", missing.en, gap.note().en),
        fr: format!("{}{}.", missing.fr, gap.note().fr),
    };
    runner.gaps().iter().map(missing).collect()
}

/// Notes for readers of the results of these teams: the gaps of the isolation, if any, and the time for an order if
/// programs share cores.
pub(crate) fn terms(
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
        let [en, fr] = [Language::English, Language::French]
            .map(|language| [time, deadline].map(|time| duration(time, language)));
        notes.push(Note {
            en: format!(
                "{thinking} programs think at a time on {count} cores: the time for an order is {} instead of \
                 {}, so that each can have as much processor time as on a core of its own.",
                en[0], en[1]
            ),
            fr: format!(
                "{thinking} programmes réfléchissent en même temps sur {count} cœurs : le temps pour un ordre est de \
                 {} au lieu de {}, pour que chacun puisse avoir autant de temps de calcul que sur un \
                 cœur à lui.",
                fr[0], fr[1]
            ),
        });
    }
    notes
}

/// Note for readers of results from other machines.
pub(crate) fn elsewhere() -> Note {
    Note::new(
        "Games are played on several machines; each isolates programs as far as it can, unless --isolement strict is \
         asked for. Orders are what these machines say; points follow from them by the rules.",
        "Les parties sont jouées sur plusieurs machines ; chacune isole les programmes autant qu'elle le peut, sauf si \
         --isolement strict est demandé. Les ordres sont ceux que disent ces machines ; les points en suivent par les \
         règles.",
    )
}

/// Prints notes, a line for each.
pub(crate) fn say(notes: &[Note]) {
    for note in notes {
        say!("{note}");
    }
}

/// Starts each program once, and prints the names of programs that do not start.
///
/// # Errors
///
/// When no program starts: there would be nothing to see.
pub(crate) fn try_out(runner: &Runner, plan: &Plan) -> anyhow::Result<()> {
    let (mut tried, mut failed) = (0, Vec::new());
    for team in &plan.teams {
        let Program::Command(command) = &team.program else { continue };
        tried += 1;
        let package = team.package.as_deref();
        match runner.try_out(command, package, &plan.limits, &team.name) {
            Err(LaunchError::Program { what, source }) => {
                let why = said!("cannot be started", "ne peut pas être lancé");
                let (name, source) = (&team.name, language::in_language(&source));
                let line =
                    said!("{name}: {what} {why}: {source}", "{name} : {what} {why} : {source}");
                failed.push(line);
            }
            // The machine may have the missing resource by the time of the game.
            Ok(()) | Err(LaunchError::Machine { .. }) => {}
        }
    }
    if tried > 0 && failed.len() == tried {
        let none = said!(
            "no program of a team can be started, so that nothing is played",
            "aucun programme d'équipe ne peut être lancé : rien n'est joué",
        );
        bail!("{none}\n  {}", failed.join("\n  "));
    }
    for line in failed {
        say!("{line}");
    }
    Ok(())
}

/// The number of programs that think at a time in a game of these teams.
pub(crate) fn programs_per_game(teams: &[Team]) -> usize {
    commands(teams).count().min(SEATS)
}

/// Games at a time by default: each program has a core of its own, if there are enough for a game.
pub(crate) fn usual_parallel(programs: usize) -> usize {
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

/// Paths that programs must not see: the results and what lies beside them, the journals, and the organiser's state.
pub(crate) fn results(base: &Path, journals: &Path) -> Vec<PathBuf> {
    let beside = |suffix: &str| {
        let mut path = base.as_os_str().to_owned();
        path.push(suffix);
        PathBuf::from(path)
    };
    let mut hidden: Vec<_> = ["", "-wal", "-shm"].map(beside).into();
    hidden.push(journals.to_owned());
    // Files that are made later and the configuration lie beside the results.
    let around = std::path::absolute(base).ok().and_then(|base| Some(base.parent()?.to_owned()));
    hidden.extend(around.filter(|folder| is_private(folder)));
    // Without a home folder there is no state.
    hidden.extend(cli::state_folder().ok());
    let absolute = hidden.iter().map(std::path::absolute);
    absolute.collect::<Result<_, _>>().unwrap_or(hidden)
}

fn refusal(gaps: &[Gap]) -> String {
    if !sandbox::CAN_ISOLATE {
        return said!(
            "--isolement strict: programs can only be isolated on Linux",
            "--isolement strict : les programmes ne peuvent être isolés que sous Linux",
        );
    }
    let start = said!(
        "--isolement strict: this system cannot isolate programs fully",
        "--isolement strict : ce système ne peut pas isoler les programmes entièrement",
    );
    let lines: Vec<_> = gaps.iter().map(|gap| format!("\n  - {gap}")).collect();
    format!("{start}{}", lines.concat())
}
