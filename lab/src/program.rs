//! `lab`: experiments answered with numbers and pictures.

use std::process::ExitCode;

use crate::commands::{hexapawn, matches, maze, new_bot, paths, puddles, pyrat};
use crate::progress::Interrupted;
use clap::{Parser, Subcommand};
use language::said;

/// Maximum number of files that are open at a time.
const FILES: usize = 8;

#[derive(Debug, Parser)]
#[command(version, about = said!(
    "Experiments answered with numbers and pictures",
    "Des expériences, en nombres et en images"
))]
struct Args {
    #[command(subcommand)]
    experiment: Experiment,
}

#[derive(Debug, Subcommand)]
enum Experiment {
    #[command(visible_alias = "matches")]
    Rencontres(matches::Args),
    #[command(visible_alias = "maze")]
    Labyrinthe(maze::Args),
    #[command(visible_alias = "paths")]
    Chemins(paths::Args),
    Hexapawn(hexapawn::Args),
    #[command(visible_alias = "puddles")]
    Flaques(puddles::Args),
    Pyrat(pyrat::Args),
    #[command(visible_alias = "new-bot")]
    NouveauBot(new_bot::Args),
}

/// Runs the program on the arguments of this process.
pub fn main() -> ExitCode {
    let args: Args = match cli::parse() {
        Ok(args) => args,
        Err(code) => return code,
    };
    let done = cli::prepare(FILES).and_then(|()| match args.experiment {
        Experiment::Rencontres(args) => matches::run(&args),
        Experiment::Labyrinthe(args) => maze::run(&args),
        Experiment::Chemins(args) => paths::run(&args),
        Experiment::Hexapawn(args) => hexapawn::run(&args),
        Experiment::Flaques(args) => puddles::run(&args),
        Experiment::Pyrat(args) => pyrat::run(&args),
        Experiment::NouveauBot(args) => new_bot::run(&args),
    });
    done.unwrap_or_else(|error| match error.downcast_ref::<Interrupted>() {
        Some(_) => ExitCode::from(cli::INTERRUPTED),
        None => cli::fail(&error),
    })
}
