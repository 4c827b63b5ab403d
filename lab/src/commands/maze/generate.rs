//! `lab labyrinthe generer`.

use std::process::ExitCode;

use clap::ValueEnum;
use cli::{print, print_lines};
use language::said;

use crate::mazes::rng;

use super::Recipe;

#[derive(Debug, clap::Args)]
#[command(about = said!("Print a perfect maze", "Afficher un labyrinthe parfait"))]
pub(super) struct Args {
    #[command(flatten)]
    recipe: Recipe,

    #[arg(long, visible_alias = "seed", value_name = "N", default_value_t = 1,
          help = said!("Seed", "Graine"))]
    graine: u64,

    #[arg(long, value_name = "FORMAT", value_enum, default_value_t,
          help = said!("What is printed", "Ce qui est affiché"))]
    format: Format,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Format {
    #[value(help = said!("A drawing", "Un dessin"))]
    #[default]
    #[value(alias = "text")]
    Texte,
    #[value(help = said!(
        "The neighbours of each cell and the weights of the passages, as in `PyRat`",
        "Les voisines de chaque case et les poids des passages, comme dans `PyRat`"
    ))]
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
