//! `lab chemins`.

mod compare;
mod solve;

use std::process::ExitCode;

use clap::Subcommand;

/// Search weighted graphs for shortest routes
#[derive(Debug, clap::Args)]
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
