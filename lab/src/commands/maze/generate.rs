//! `lab labyrinthe generer`.

use std::process::ExitCode;

use clap::ValueEnum;

use lab::mazes::rng;

use super::Recipe;
use crate::commands::{print, print_lines};

/// Print a perfect maze
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    recipe: Recipe,

    /// Seed
    #[arg(long, visible_alias = "seed", value_name = "N", default_value_t = 1)]
    graine: u64,

    /// What is printed
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
    format: Format,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Format {
    /// A drawing
    #[default]
    #[value(alias = "text")]
    Texte,
    /// The neighbours of each cell and the weights of the passages, as in `PyRat`
    Json,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let maze = args.recipe.make(&mut rng(args.graine))?;
    match args.format {
        Format::Texte => print_lines(maze)?,
        Format::Json => print(maze.dictionary())?,
    }
    Ok(ExitCode::SUCCESS)
}
