//! `lab chemins`.

mod compare;
mod solve;

use std::process::ExitCode;

use clap::Subcommand;
use language::said;

#[derive(Debug, clap::Args)]
#[command(about = said!(
    "Search weighted graphs for shortest routes",
    "Chercher les plus courts chemins dans des graphes pondérés"
))]
pub(crate) struct Args {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    #[command(visible_alias = "solve")]
    Resoudre(solve::Args),
    #[command(visible_alias = "compare")]
    Comparer(compare::Args),
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    match &args.task {
        Task::Resoudre(args) => solve::run(args),
        Task::Comparer(args) => compare::run(args),
    }
}
