//! `lab labyrinthe carte`.

use std::path::PathBuf;
use std::process::ExitCode;

use crate::mazes::pacman_map::{Loops, MapPlan};
use crate::mazes::rng;
use anyhow::Context;
use cli::print_lines;
use game::pacman::Colour;
use language::said;

use super::{Recipe, read_maze};
use crate::commands::shown;

#[derive(Debug, clap::Args)]
#[command(long_about = said!(
    "Make a map of the game\n\nPrints the map of a maze, 2h+1 rows and 2w+1 columns, in the format that `server \
     --map` reads.",
    "Créer une carte du jeu\n\n\
     Affiche la carte d'un labyrinthe : h lignes et l colonnes de cases donnent 2h+1 lignes et 2l+1 colonnes, au \
     format que lit `server --carte`."
))]
pub(super) struct Args {
    #[arg(conflicts_with_all = ["algo", "hauteur", "largeur"], help = said!(
        "Maze as a drawing, - for the standard input; without it, one is made",
        "Labyrinthe dessiné, - pour l'entrée standard ; sinon un labyrinthe est créé"
    ))]
    file: Option<PathBuf>,

    #[command(flatten)]
    recipe: Recipe,

    #[arg(long, visible_alias = "seed", value_name = "N", default_value_t = 1, help = said!(
        "Seed of the maze and of what it is given",
        "Graine du labyrinthe et de ce qui y est ajouté"
    ))]
    graine: u64,

    #[arg(long, visible_alias = "openings", value_name = "N", default_value_t = 2, help = said!(
        "Ways through the edge of the torus",
        "Passages à travers le bord du tore"
    ))]
    ouvertures: usize,

    #[arg(long, visible_alias = "loops", value_name = "N|N%", default_value = "10%",
          value_parser = loops, help = said!(
        "Walls to take down: a number, or a percentage",
        "Murs à abattre : un nombre, ou un pourcentage"
    ))]
    boucles: Loops,

    #[arg(long, visible_alias = "objects", value_name = "N", default_value_t = 8, help = said!(
        "Objects that are no vitamins, of each kind in turn",
        "Objets autres que des vitamines, de chaque sorte tour à tour"
    ))]
    objets: usize,

    #[arg(long, visible_alias = "vitamins", value_name = "N", default_value_t = 50,
          value_parser = clap::value_parser!(u32).range(..=100), help = said!(
        "Share of the other cells that hold a vitamin, in percent",
        "Part des autres cases qui ont une vitamine, en pour cent"
    ))]
    vitamines: u32,

    #[arg(long, visible_alias = "players", value_name = "N", default_value_t = 4,
          value_parser = clap::value_parser!(u32).range(1..=Colour::MAX as i64), help = said!(
        "Players that must find room",
        "Joueurs pour lesquels la carte doit avoir de la place"
    ))]
    joueurs: u32,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut rng = rng(args.graine);
    let (maze, name) = match &args.file {
        Some(path) => (read_maze(path)?.maze, shown(path)),
        None => (
            args.recipe.make(&mut rng)?,
            said!("cannot make a map", "impossible de faire une carte"),
        ),
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
    let loops = match text.strip_suffix('%') {
        Some(percent) => percent.parse().ok().filter(|share| *share <= 100).map(Loops::Percent),
        None => text.parse().ok().map(Loops::Count),
    };
    loops.ok_or_else(|| {
        said!(
            "expected a number, or a share as `10%`, at most `100%`",
            "un nombre ou une part comme `10%` est attendu, au plus `100%`"
        )
    })
}
