//! The flag `--isolement`, and the notes about isolation for people.

use std::path::{Path, PathBuf};

use anyhow::bail;
use language::said;
use plan::{Note, Plan, Program};
use programs::interpreter::is_private;
use programs::runner::Runner;
use sandbox::{LaunchError, Level};

#[derive(Clone, Debug, clap::Args)]
pub(crate) struct IsolationArgs {
    #[arg(long, visible_alias = "isolation", value_name = "auto|aucun|strict", default_value = "auto",
          value_parser = level, help = said!(
        "How far programs are isolated from this machine and from each other: as far as this system can, not at all, \
         or fully, else nothing is played",
        "Isoler les programmes de cette machine et les uns des autres : autant que ce système le permet (auto), pas du \
         tout (aucun), ou entièrement, sans quoi rien n'est joué (strict)"
    ))]
    pub(crate) isolement: Level,
}

fn level(text: &str) -> Result<Level, String> {
    text.parse().map_err(|_| {
        said!("expected `auto`, `aucun` or `strict`", "`auto`, `aucun` ou `strict` est attendu")
    })
}

/// Note for readers of results from other machines.
pub(crate) fn elsewhere() -> Note {
    Note::new(
        "Games are played on several machines; each isolates programs as far as it can, unless --isolation strict is \
         asked for. Orders are what these machines say; points follow from them by the rules.",
        "Les parties sont jouées sur plusieurs machines ; chacune isole les programmes autant qu'elle le peut, sauf si \
         --isolement strict est demandé. Les ordres sont ceux que rapportent ces machines ; les points en découlent \
         selon les règles.",
    )
}

pub(crate) fn say(notes: &[Note]) {
    for note in notes {
        cli::say!("{note}");
    }
}

/// Starts each program once, and prints the names of programs that do not start.
///
/// # Errors
///
/// If no program starts, because then there is nothing to see.
pub(crate) fn try_out(runner: &Runner, plan: &Plan) -> anyhow::Result<()> {
    let (mut tried, mut failed) = (0, Vec::new());
    for team in plan.teams.iter().filter(|team| team.disqualified.is_none()) {
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
        cli::say!("{line}");
    }
    Ok(())
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
