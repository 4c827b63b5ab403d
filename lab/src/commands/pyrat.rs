//! `lab pyrat`.

mod compare;
mod duel;
mod sum;

use std::ops::Range;
use std::process::ExitCode;

use anyhow::Context;
use clap::Subcommand;
use game::pyrat::Recipe;
use language::said;

#[derive(Debug, clap::Args)]
#[command(about = said!(
    "Compare the players of PyRat", "Comparer les joueurs de PyRat"
))]
pub(crate) struct Args {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    #[command(visible_alias = "compare")]
    Comparer(compare::Args),
    Duel(duel::Args),
    #[command(visible_alias = "sum")]
    Somme(sum::Args),
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    match &args.task {
        Task::Comparer(args) => compare::run(args),
        Task::Duel(args) => duel::run(args),
        Task::Somme(args) => sum::run(args),
    }
}

/// The parameters of mazes, except the mud.
#[derive(Debug, clap::Args)]
struct MazeArgs {
    #[arg(long, visible_alias = "width", value_name = "N", default_value_t = 15,
          help = said!("Columns of the mazes", "Colonnes des labyrinthes"))]
    largeur: u16,

    #[arg(long, visible_alias = "height", value_name = "N", default_value_t = 13,
          help = said!("Rows of the mazes", "Lignes des labyrinthes"))]
    hauteur: u16,

    #[arg(long, visible_alias = "cells", value_name = "PERCENT", default_value_t = 80.0, help = said!(
        "Percentage of the places that are cells; the others are holes",
        "Pourcentage des places qui sont des cases ; les autres sont des trous"
    ))]
    cellules: f64,

    #[arg(long, visible_alias = "walls", value_name = "PERCENT", default_value_t = 60.0, help = said!(
        "Percentage of the walls there are, of those that leave the maze connected",
        "Pourcentage des murs présents, parmi ceux qui laissent le labyrinthe connexe"
    ))]
    murs: f64,
}

impl MazeArgs {
    /// The parameters of mazes with this percentage of mud.
    fn recipe(&self, mud: f64) -> Recipe {
        Recipe {
            width: self.largeur,
            height: self.hauteur,
            cells: self.cellules,
            walls: self.murs,
            mud,
            ..Recipe::default()
        }
    }
}

/// `count` seeds from the first one on.
fn seeds(first: u64, count: u32) -> anyhow::Result<Range<u64>> {
    let end = first.checked_add(count.into());
    Ok(first..end.with_context(|| {
        said!(
            "there are no {count} seeds from {first} to 2⁶⁴",
            "il n'y a pas {count} graines de {first} à 2⁶⁴"
        )
    })?)
}
