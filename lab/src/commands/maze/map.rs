//! `lab labyrinthe carte`.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use game::pacman::Colour;
use lab::mazes::pacman_map::{Loops, MapPlan};
use lab::mazes::rng;

use super::{Recipe, read_maze};
use crate::commands::{print_lines, shown};

/// Make a map of the game
///
/// Prints the map of a maze, 2h+1 rows and 2w+1 columns, in the format that `server --carte` reads.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Maze as a drawing, - for the standard input; without it, one is made
    #[arg(conflicts_with_all = ["algo", "hauteur", "largeur"])]
    file: Option<PathBuf>,

    #[command(flatten)]
    recipe: Recipe,

    /// Seed of the maze and of what it is given
    #[arg(long, visible_alias = "seed", value_name = "N", default_value_t = 1)]
    graine: u64,

    /// Ways through the edge of the torus
    #[arg(long, visible_alias = "openings", value_name = "N", default_value_t = 2)]
    ouvertures: usize,

    /// Walls to take down: a number, or a percentage
    #[arg(long, visible_alias = "loops", value_name = "N|N%", default_value = "10%",
          value_parser = loops)]
    boucles: Loops,

    /// Objects that are no vitamins, of each kind in turn
    #[arg(long, visible_alias = "objects", value_name = "N", default_value_t = 8)]
    objets: usize,

    /// Share of the other cells that hold a vitamin, in percent
    #[arg(long, visible_alias = "vitamins", value_name = "N", default_value_t = 50,
          value_parser = clap::value_parser!(u32).range(..=100))]
    vitamines: u32,

    /// Players that must find room
    #[arg(long, visible_alias = "players", value_name = "N", default_value_t = 4,
          value_parser = clap::value_parser!(u32).range(1..=Colour::MAX as i64))]
    joueurs: u32,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut rng = rng(args.graine);
    let (maze, name) = match &args.file {
        Some(path) => (read_maze(path)?.maze, shown(path)),
        None => (args.recipe.make(&mut rng)?, "cannot make a map".to_owned()),
    };
    let plan = MapPlan {
        openings: args.ouvertures,
        loops: args.boucles,
        objects: args.objets,
        vitamins: args.vitamines,
        players: args.joueurs as usize,
    };
    print_lines(plan.make(maze, &mut rng).with_context(|| name)?)?;
    Ok(ExitCode::SUCCESS)
}

/// Reads `N` or `N%`.
fn loops(text: &str) -> Result<Loops, String> {
    let expected = || "expected a number, or a share as `10%`, at most `100%`".to_owned();
    match text.strip_suffix('%') {
        Some(percent) => match percent.parse() {
            Ok(percent @ 0..=100) => Ok(Loops::Percent(percent)),
            _ => Err(expected()),
        },
        None => text.parse().map(Loops::Count).map_err(|_| expected()),
    }
}
