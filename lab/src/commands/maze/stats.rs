//! `lab labyrinthe stats`.

use std::path::PathBuf;
use std::process::ExitCode;

use lab::mazes::{self, comparison::MazeComparison};
use lab::plot::Plot;

use crate::commands::{ending_in, print};

/// Compare the generators
///
/// Means over all mazes: the share of cells that are dead ends; how much the directions of dead
/// ends differ from a quarter each (0 to 0.75); the share of passages that lead east or west; steps of
/// a corridor, from one choice or dead end to the next; steps of the longest way and of the mean
/// way between two cells. Then χ² of 96 000 mazes of 3×3 cells over the 192 that there are: below 257,
/// all mazes are as likely.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Rows of cells
    #[arg(long, visible_alias = "height", value_name = "N", default_value_t = 50,
          value_parser = clap::value_parser!(u16).range(1..))]
    hauteur: u16,

    /// Columns of cells
    #[arg(long, visible_alias = "width", value_name = "N", default_value_t = 50,
          value_parser = clap::value_parser!(u16).range(1..))]
    largeur: u16,

    /// Mazes of each generator
    #[arg(long, visible_alias = "mazes", value_name = "N", default_value_t = 40,
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    labyrinthes: u32,

    /// Seed of the first maze
    #[arg(long, visible_alias = "seed", value_name = "N", default_value_t = 1)]
    graine: u64,

    /// Print JSON
    #[arg(long)]
    json: bool,

    /// Also plot how long corridors are and how ways grow, as vectors
    #[arg(long, value_name = "FILE", value_parser = ending_in("svg"))]
    svg: Option<PathBuf>,

    /// The same plots as pixels
    #[arg(long, value_name = "FILE", value_parser = ending_in("png"))]
    png: Option<PathBuf>,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let dims = mazes::dims(args.hauteur, args.largeur)?;
    let comparison = MazeComparison { dims, mazes: args.labyrinthes, seed: args.graine };
    let table = comparison.table()?;
    let files: Vec<_> = [&args.svg, &args.png].into_iter().flatten().collect();
    if !files.is_empty() {
        let plots = comparison.plots()?;
        for file in files {
            Plot::save(&plots, file)?;
        }
    }
    print(table.show(args.json))?;
    Ok(ExitCode::SUCCESS)
}
