//! How far programs are isolated, and what is said of it.

use std::path::{Path, PathBuf};

use anyhow::bail;
use cli::Language;
use plan::{Command, Plan, Program, Team};
use programs::interpreter;
use programs::package::Packages;
use programs::runner::Runner;
use sandbox::{Gap, Level, Protection, Settings, StartError, Unavailable};

/// Sets up what starts the programs of these teams from their packages. They do not see the hidden files; with a trap, one that
/// connects to that port is awaited there.
pub(crate) fn runner(
    level: Level,
    teams: &[Team],
    hidden: Vec<PathBuf>,
    trap: Option<u16>,
    packages: Packages,
    language: Language,
) -> anyhow::Result<Runner> {
    let settings = Settings {
        // Bots of the house need nothing that could be missing.
        level: if commands(teams).next().is_some() { level } else { Level::None },
        visible: interpreter::folders(commands(teams)),
        hidden,
        trap,
        launcher: None,
    };
    match Runner::new(settings, packages) {
        Err(Unavailable::Gaps(gaps)) => bail!("{}", refusal(&gaps, language)),
        runner => Ok(runner?),
    }
}

/// Says which protections the programs of these teams go without.
pub(crate) fn say_gaps(runner: &Runner, level: Level, teams: &[Team], language: Language) {
    if level == Level::None && commands(teams).next().is_some() {
        say!("{}", unprotected(language));
    }
    if !runner.gaps().is_empty() {
        say!("{}", partly_protected(language));
        for gap in runner.gaps() {
            say!("  - {}", consequence(gap, language));
        }
    }
}

/// Starts each program once, and says which ones do not start.
///
/// # Errors
///
/// When none does: there would be nothing to see.
pub(crate) fn try_out(runner: &Runner, plan: &Plan, language: Language) -> anyhow::Result<()> {
    let (mut tried, mut failed) = (0, Vec::new());
    for team in &plan.teams {
        let Program::Command(command) = &team.program else { continue };
        tried += 1;
        let package = team.package.as_deref();
        match runner.try_out(command, package, &plan.limits, &team.name) {
            Err(StartError::Program { what, source }) => {
                let why = language.say("cannot be started", "ne peut pas être lancé");
                failed.push(format!("{}: {what} {why}: {source}", team.name));
            }
            // Whatever the machine lacks now, it may have when the game is played.
            Ok(()) | Err(StartError::Machine { .. }) => {}
        }
    }
    if tried > 0 && failed.len() == tried {
        let none = language.say(
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

fn commands(teams: &[Team]) -> impl Iterator<Item = &Command> {
    teams.iter().filter_map(|team| match &team.program {
        Program::Command(command) => Some(command),
        Program::House(_) | Program::Remote => None,
    })
}

/// What programs must not see: the results, the journals, and the organiser's state.
pub(crate) fn results(base: &Path, journals: &Path) -> Vec<PathBuf> {
    let beside = |suffix: &str| {
        let mut path = base.as_os_str().to_owned();
        path.push(suffix);
        PathBuf::from(path)
    };
    let mut hidden: Vec<_> = ["", "-wal", "-shm"].map(beside).into();
    hidden.push(journals.to_owned());
    // Without a home folder there is none.
    hidden.extend(cli::state_folder().ok());
    let absolute = hidden.iter().map(std::path::absolute);
    absolute.collect::<Result<_, _>>().unwrap_or(hidden)
}

fn unprotected(language: Language) -> &'static str {
    language.say(
        "isolation: none. Programs have the rights of whoever runs the tournament: they can read files, use the \
         network and disturb other programs.",
        "isolement : aucun. Les programmes ont les droits de qui lance le tournoi : ils peuvent lire ses fichiers, \
         utiliser le réseau et gêner les autres programmes.",
    )
}

fn partly_protected(language: Language) -> &'static str {
    language.say(
        "isolation: this system does not allow all of it. What is missing:",
        "isolement : ce système ne permet pas tout. Ce qui manque :",
    )
}

fn refusal(gaps: &[Gap], language: Language) -> String {
    let start = language.say(
        "--isolement strict: this system cannot isolate programs fully",
        "--isolement strict : ce système ne peut pas isoler les programmes entièrement",
    );
    let lines: Vec<_> =
        gaps.iter().map(|gap| format!("\n  - {}", consequence(gap, language))).collect();
    format!("{start}{}", lines.concat())
}

/// The consequence of a missing protection, and why it is missing, as the system says it.
fn consequence(gap: &Gap, language: Language) -> String {
    if language == Language::English {
        return gap.to_string();
    }
    let text = match gap.protection {
        Protection::Namespaces => {
            "les programmes utilisent le réseau de cette machine, voient ses processus et ses fichiers temporaires"
        }
        Protection::OwnProc => {
            "les programmes voient les noms de tous les processus de cette machine"
        }
        Protection::TotalMemory => {
            "la mémoire est limitée pour chaque processus, et non pour tous ceux d'un programme ensemble"
        }
        Protection::ProcessCount => "le nombre de processus d'un programme n'est pas limité",
        Protection::CpuAccounting => {
            "le temps de calcul est additionné d'après /proc ; un programme peut cacher celui d'enfants qu'il ignore"
        }
        Protection::SystemCalls => {
            "les programmes peuvent faire tous les appels système permis à l'utilisateur"
        }
        Protection::Landlock => "il n'y a pas de second verrou derrière les espaces de noms",
    };
    format!("{text} ({})", gap.why)
}
