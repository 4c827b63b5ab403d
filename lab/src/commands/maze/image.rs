//! `lab labyrinthe image`.

use std::path::PathBuf;
use std::process::ExitCode;

use crate::mazes::{picture::Picture, rng};
use crate::plot::Drawing;
use anyhow::Context;
use language::said;
use maze::ReadMaze;

use super::{Ends, Recipe, read_maze, solve};
use crate::commands::ending_in;

/// Units of a cell of the SVG picture.
const SVG_SCALE: u16 = 16;

#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("pictures").required(true).multiple(true),
      about = said!("Draw a maze", "Dessiner un labyrinthe"))]
pub(super) struct Args {
    #[arg(conflicts_with_all = ["algo", "hauteur", "largeur", "graine"], help = said!(
        "Maze as a drawing, - for the standard input; without it, one is made",
        "Labyrinthe dessiné, - pour l'entrée standard ; sinon un labyrinthe est créé"
    ))]
    file: Option<PathBuf>,

    #[command(flatten)]
    recipe: Recipe,

    #[arg(long, visible_alias = "seed", value_name = "N", default_value_t = 1,
          help = said!("Seed", "Graine"))]
    graine: u64,

    #[arg(long, value_name = "FILE", group = "pictures", value_parser = ending_in("svg"),
          help = said!("Picture of vectors to write", "Image vectorielle à écrire"))]
    svg: Option<PathBuf>,

    #[arg(long, value_name = "FILE", group = "pictures", value_parser = ending_in("png"),
          help = said!("Picture of pixels to write", "Image en pixels à écrire"))]
    png: Option<PathBuf>,

    #[arg(long, help = said!("Draw a shortest way", "Dessiner un plus court chemin"))]
    solution: bool,

    #[arg(long, visible_alias = "heat", help = said!(
        "Colour each cell by how far the start is: dark is near, bright is far",
        "Colorer chaque case selon la distance au départ : sombre si elle est proche, claire si elle est loin"
    ))]
    chaleur: bool,

    #[command(flatten)]
    ends: Ends,

    #[arg(long, visible_alias = "scale", value_name = "N",
          value_parser = clap::value_parser!(u16).range(2..=1000), help = said!(
        "Pixels of a cell of the PNG picture [default: 2 to 24, by the size of the maze]",
        "Pixels d'une case de l'image PNG [défaut : de 2 à 24, selon la taille du labyrinthe]"
    ))]
    echelle: Option<u16>,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let ReadMaze { maze, contents } = if let Some(path) = &args.file {
        read_maze(path)?
    } else {
        let maze = args.recipe.make(&mut rng(args.graine))?;
        ReadMaze { maze, contents: Vec::new() }
    };
    let dims = maze.dims();
    let (start, end) = args.ends.cells(dims, &contents)?;
    let way = if args.solution {
        solve::shortest(&maze, start, end).with_context(|| {
            said!(
                "no way leads from the start to the end",
                "aucun chemin ne mène du départ à l'arrivée"
            )
        })?
    } else {
        Vec::new()
    };
    let side = dims.rows().max(dims.cols());
    let mut picture = Picture {
        maze: &maze,
        ends: args.solution.then_some((start, end)),
        way,
        distances: args.chaleur.then(|| maze.distances(start)),
        scale: args.echelle.unwrap_or((4000 / side).clamp(2, 24)),
    };
    if let Some(path) = &args.png {
        picture.save(path)?;
    }
    if let Some(path) = &args.svg {
        picture.scale = SVG_SCALE;
        picture.save(path)?;
    }
    Ok(ExitCode::SUCCESS)
}
