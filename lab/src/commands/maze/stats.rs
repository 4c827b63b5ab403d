//! `lab labyrinthe stats`.

use std::process::ExitCode;

use crate::mazes::{self, comparison::MazeComparison};
use cli::print;
use language::said;

use crate::commands::PlotFiles;

#[derive(Debug, clap::Args)]
#[command(long_about = said!(
    "Compare the generators\n\nMeans over all mazes: the share of cells that are dead ends; how much the \
     directions of dead ends differ from a quarter each (0 to 0.75); the share of passages that lead east or \
     west; steps of a corridor, from one choice or dead end to the next; steps of the longest way and of the \
     mean way between two cells. Then χ² of 96 000 mazes of 3×3 cells over the 192 that there are: below 257, \
     all mazes are as likely.\n\nThe curves show how long corridors are, and how ways grow with the side of a maze.",
    "Comparer les générateurs\n\nMoyennes sur tous les labyrinthes : la part des cases en impasse ; l'écart \
     entre les directions des impasses et un quart chacune (de 0 à 0,75) ; la part des passages d'est en ouest \
     ; les pas d'un couloir, d'un choix ou d'une impasse au suivant ; les pas du plus long chemin et du chemin \
     moyen entre deux cases. Puis le χ² de 96 000 labyrinthes de 3×3 cases sur les 192 qui existent : \
     au-dessous de 257, tous les labyrinthes sont aussi probables.\n\nLes courbes montrent la longueur des couloirs, et la \
     croissance des chemins selon le côté du labyrinthe."
))]
pub(super) struct Args {
    #[arg(long, visible_alias = "height", value_name = "N", default_value_t = 50,
          value_parser = clap::value_parser!(u16).range(1..),
          help = said!("Rows of cells", "Lignes de cases"))]
    hauteur: u16,

    #[arg(long, visible_alias = "width", value_name = "N", default_value_t = 50,
          value_parser = clap::value_parser!(u16).range(1..),
          help = said!("Columns of cells", "Colonnes de cases"))]
    largeur: u16,

    #[arg(long, visible_alias = "mazes", value_name = "N", default_value_t = 40,
          value_parser = clap::value_parser!(u32).range(1..=1_000_000), help = said!(
        "Mazes of each generator",
        "Labyrinthes de chaque générateur"
    ))]
    labyrinthes: u32,

    #[arg(long, visible_alias = "seed", value_name = "N", default_value_t = 1,
          help = said!("Seed of the first maze", "Graine du premier labyrinthe"))]
    graine: u64,

    #[arg(long, help = said!("Print JSON", "Afficher du JSON"))]
    json: bool,

    #[command(flatten)]
    files: PlotFiles,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let dims = mazes::dims(args.hauteur, args.largeur)?;
    let comparison = MazeComparison { dims, mazes: args.labyrinthes, seed: args.graine };
    let table = comparison.table()?;
    if args.files.are_wanted() {
        args.files.save(&comparison.plots()?)?;
    }
    print(table.show(args.json))?;
    Ok(ExitCode::SUCCESS)
}
