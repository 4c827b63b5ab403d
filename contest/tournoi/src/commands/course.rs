//! `tournoi cours`: a course that lasts for weeks.

mod copy;
mod finale;
mod machines;
mod marks;
mod open;
mod settings;
mod teams;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use clap::Subcommand;
use language::said;

#[derive(Debug, clap::Args)]
#[command(after_help = said!(
    "The file of the course, and the folder beside it with what teams have handed in, keep everything: after a restart, the course \
     goes on where it was. Copy both with `course copy` only, which also works while the course is open.",
    "Le fichier du cours, et le dossier à côté avec ce que les équipes ont déposé, gardent tout : après un \
     redémarrage, le cours continue où il en était. Copiez-les uniquement par `cours copie`, qui marche aussi pendant \
     que le cours est ouvert."
))]
pub(crate) struct CourseArgs {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    #[command(visible_alias = "open", args_override_self = true, about = said!(
        "Open the course: serve its pages, check what teams hand in, and play the ladder until Ctrl-C",
        "Ouvrir le cours : servir ses pages, vérifier ce que les équipes déposent, et jouer le classement jusqu'à Ctrl-C"
    ))]
    Ouvrir(open::OpenArgs),

    #[command(visible_alias = "teams", args_override_self = true, about = said!(
        "Add teams from a CSV file, or renew tokens, while the course is closed",
        "Ajouter les équipes d'un fichier CSV, ou renouveler des jetons, pendant que le cours est fermé"
    ))]
    Equipes(teams::TeamsArgs),

    #[command(visible_alias = "mark", args_override_self = true, about = said!(
        "Mark all teams by their games against the bots of the house on the ladder",
        "Noter toutes les équipes selon leurs parties du classement contre les bots de la maison"
    ))]
    Noter(marks::MarksArgs),

    #[command(visible_alias = "final", args_override_self = true, about = said!(
        "Freeze the versions, and play a tournament between them",
        "Figer les versions, et jouer un tournoi entre elles"
    ))]
    Finale(Box<finale::FinaleArgs>),

    #[command(visible_alias = "copy", args_override_self = true, about = said!(
        "Copy the course to a new file, also while it is open",
        "Copier le cours dans un nouveau fichier, même pendant qu'il est ouvert"
    ))]
    Copie(copy::CopyArgs),
}

/// The file of the course.
#[derive(Clone, Debug, clap::Args)]
struct FileArgs {
    #[arg(value_name = "COURSE", help = said!(
        "File of the course, as cours.sqlite",
        "Fichier du cours, comme cours.sqlite"
    ))]
    cours: PathBuf,
}

pub(crate) fn run(args: CourseArgs) -> anyhow::Result<ExitCode> {
    match args.command {
        Command::Ouvrir(args) => open::run(&args),
        Command::Equipes(args) => teams::run(&args),
        Command::Noter(args) => marks::run(&args),
        Command::Finale(args) => finale::run(&args),
        Command::Copie(args) => copy::run(&args),
    }
}

/// The present time, in seconds since 1970.
fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}
