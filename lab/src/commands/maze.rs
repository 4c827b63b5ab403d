//! `lab labyrinthe`.

mod generate;
mod image;
mod map;
mod solve;
mod stats;

use std::path::Path;
use std::process::ExitCode;

use crate::mazes;
use anyhow::Context;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use graph::{Cell, Dims, Pos};
use language::said;
use maze::{Generator, Maze, ReadMaze};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{position, read, shown};

#[derive(Debug, clap::Args)]
#[command(about = said!(
    "Make, solve, compare and draw mazes",
    "Créer, résoudre, comparer et dessiner des labyrinthes"
))]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    #[command(visible_alias = "generate")]
    Generer(generate::Args),
    #[command(visible_alias = "solve")]
    Resoudre(solve::Args),
    Stats(stats::Args),
    Image(image::Args),
    #[command(visible_alias = "map")]
    Carte(map::Args),
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    match &args.action {
        Action::Generer(args) => generate::run(args),
        Action::Resoudre(args) => solve::run(args),
        Action::Stats(args) => stats::run(args),
        Action::Image(args) => image::run(args),
        Action::Carte(args) => map::run(args),
    }
}

/// The parameters of a new maze.
#[derive(Debug, clap::Args)]
struct Recipe {
    #[arg(long, value_name = "ALGO", value_parser = generator(), default_value = "wilson",
          help = said!("How it is made", "Comment il est créé"))]
    algo: Generator,

    #[arg(long, visible_alias = "height", value_name = "N", default_value_t = 12,
          value_parser = clap::value_parser!(u16).range(1..),
          help = said!("Rows of cells", "Lignes de cases"))]
    hauteur: u16,

    #[arg(long, visible_alias = "width", value_name = "N", default_value_t = 12,
          value_parser = clap::value_parser!(u16).range(1..),
          help = said!("Columns of cells", "Colonnes de cases"))]
    largeur: u16,
}

impl Recipe {
    fn make(&self, rng: &mut Xoshiro256PlusPlus) -> anyhow::Result<Maze> {
        let dims = mazes::dims(self.hauteur, self.largeur)?;
        Ok(self.algo.generate(dims, rng))
    }
}

/// A generator by its name in the subject.
fn generator() -> impl TypedValueParser<Value = Generator> {
    PossibleValuesParser::new(Generator::ALL.map(Generator::name)).map(|name| {
        let mut all = Generator::ALL.into_iter();
        all.find(|generator| generator.name() == name).expect("only these are possible")
    })
}

/// The two ends of a path.
#[derive(Debug, clap::Args)]
struct Ends {
    #[arg(long, visible_alias = "start", value_name = "L,C", value_parser = position, help = said!(
        "Cell to start from, as row and column from 0 [default: the one that holds D, else the first]",
        "Case de départ, ligne et colonne à partir de 0 [défaut : celle qui contient D, sinon la première]"
    ))]
    depart: Option<Pos>,

    #[arg(long, visible_alias = "end", value_name = "L,C", value_parser = position, help = said!(
        "Cell to get to [default: the one that holds A, else the last]",
        "Case à atteindre [défaut : celle qui contient A, sinon la dernière]"
    ))]
    arrivee: Option<Pos>,
}

impl Ends {
    /// The start and the end; `contents` are the letters in the cells of the maze, if it has any.
    fn cells(&self, dims: Dims, contents: &[char]) -> anyhow::Result<(Cell, Cell)> {
        let holds = |letter| contents.iter().position(|&content| content == letter);
        let cell = |pos: Option<Pos>, otherwise| {
            let cell = pos.map_or(dims.nth(otherwise), |pos| dims.cell(pos));
            cell.with_context(|| {
                let pos = pos.map_or(String::new(), |pos| format!(" {pos}"));
                said!(
                    "the cell{pos} is outside the maze of {dims} cells",
                    "la case{pos} est hors du labyrinthe de {dims} cases"
                )
            })
        };
        let start = cell(self.depart, holds('D').unwrap_or(0))?;
        Ok((start, cell(self.arrivee, holds('A').unwrap_or(dims.len() - 1))?))
    }
}

/// The maze of a file, or of the standard input for `-`.
fn read_maze(path: &Path) -> anyhow::Result<ReadMaze> {
    let read = ReadMaze::parse(&read(path, u64::MAX)?).with_context(|| shown(path))?;
    let dims = read.maze.dims();
    mazes::dims(dims.rows(), dims.cols()).with_context(|| shown(path))?;
    Ok(read)
}
