//! `lab chemins comparer`.

use std::process::ExitCode;

use crate::paths::PathComparison;
use cli::print;
use language::said;

use crate::commands::PlotFiles;

#[derive(Debug, clap::Args)]
#[command(long_about = said!(
    "Time all searches on the same random mazes, and check that they agree\n\nPrints a row for each search and \
     size: the time of one run (the least of several), also divided by the number of vertices, and how often \
     the successors of a vertex were looked at. \"× n\" is a search from each vertex. A* knows the grid and \
     looks for the opposite corner, as the search from both ends does. Mazes too large for a search are left \
     out: beyond 1000 vertices for Floyd-Warshall, 2000 for the others that answer for all pairs, and 100000 \
     for Bellman-Ford.\n\nThe curves show how the times grow, next to the complexities that the exercise names.",
    "Chronométrer toutes les recherches sur les mêmes labyrinthes tirés au hasard, et vérifier qu'elles sont \
     d'accord\n\n\
     Affiche une ligne par recherche et par taille : le temps d'un essai (le plus court de plusieurs), ce temps divisé \
     par le nombre de sommets, et combien de fois les successeurs d'un sommet ont été parcourus. « × n » est une \
     recherche depuis chaque sommet. A* connaît la grille et cherche le coin opposé, comme la recherche par les deux \
     bouts. Les labyrinthes trop grands pour une recherche sont laissés de côté : au-delà de 1000 sommets pour \
     Floyd-Warshall, de 2000 pour les autres qui répondent pour toutes les paires, et de 100000 pour Bellman-Ford.\n\n\
     Les courbes montrent la croissance des temps, à côté des complexités que donne l'énoncé."
))]
pub(crate) struct Args {
    #[arg(long, visible_alias = "sizes", value_name = "N,…", value_delimiter = ',',
          default_value = "100,300,1000,3000,10000,30000",
          value_parser = clap::value_parser!(u32).range(2..=4_000_000),
          help = said!("Numbers of vertices", "Nombres de sommets"))]
    tailles: Vec<u32>,

    #[arg(long, visible_alias = "seed", value_name = "N", default_value_t = 1,
          help = said!("Seed of the mazes", "Graine des labyrinthes"))]
    graine: u64,

    #[arg(long, visible_alias = "mud", value_name = "PERCENT", default_value_t = 25,
          value_parser = clap::value_parser!(u32).range(..=100), help = said!(
        "Percentage of the passages that are mud and weigh 4 to 9",
        "Pourcentage des passages qui sont de la boue et pèsent de 4 à 9"
    ))]
    boue: u32,

    #[arg(long, visible_alias = "loops", value_name = "PERCENT", default_value_t = 25,
          value_parser = clap::value_parser!(u32).range(..=100), help = said!(
        "Percentage of the passages that are opened of those without which all cells are connected",
        "Pourcentage des passages ouverts, parmi ceux dont les cases n'ont pas besoin pour être toutes reliées"
    ))]
    boucles: u32,

    #[arg(long, help = said!(
        "Print JSON: a list of objects, times in seconds",
        "Afficher du JSON : une liste d'objets, les temps en secondes"
    ))]
    json: bool,

    #[command(flatten)]
    files: PlotFiles,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut sizes = args.tailles.clone();
    sizes.sort_unstable();
    sizes.dedup();
    let comparison =
        PathComparison { sizes, loops: args.boucles, mud: args.boue, seed: args.graine };
    let costs = comparison.run()?;
    print(costs.table().show(args.json))?;
    args.files.save(&costs.plots())?;
    Ok(ExitCode::SUCCESS)
}
