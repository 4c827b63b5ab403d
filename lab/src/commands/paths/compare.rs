//! `lab chemins comparer`.

use std::path::PathBuf;
use std::process::ExitCode;

use lab::paths::PathComparison;
use lab::plot::Plot;

use crate::commands::{ending_in, print};

/// Time all searches on the same random mazes, and check that they agree
///
/// Prints a row for each search and size: the time of one run (the least of several), also divided
/// by the number of vertices, and how often the successors of a vertex were looked at. "× n" is a
/// search from each vertex. A* knows the grid and looks for the opposite corner, as the search
/// from both ends does. Mazes too large for a search are left out: beyond 1000 vertices for
/// Floyd-Warshall, 2000 for the others that answer for all pairs, and 100000 for Bellman-Ford.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Numbers of vertices
    #[arg(long, visible_alias = "sizes", value_name = "N,…", value_delimiter = ',',
          default_value = "100,300,1000,3000,10000,30000",
          value_parser = clap::value_parser!(u32).range(2..=4_000_000))]
    tailles: Vec<u32>,

    /// Seed of the mazes
    #[arg(long, visible_alias = "seed", value_name = "N", default_value_t = 1)]
    graine: u64,

    /// Percentage of the passages that are mud and weigh 4 to 9
    #[arg(long, visible_alias = "mud", value_name = "PERCENT", default_value_t = 25,
          value_parser = clap::value_parser!(u32).range(..=100))]
    boue: u32,

    /// Percentage of the passages that are opened of those without which all cells are connected
    #[arg(long, visible_alias = "loops", value_name = "PERCENT", default_value_t = 25,
          value_parser = clap::value_parser!(u32).range(..=100))]
    boucles: u32,

    /// Print JSON: a list of objects, times in seconds
    #[arg(long)]
    json: bool,

    /// Draw how the times grow, next to the complexities that the exercise names
    #[arg(long, value_name = "FILE", value_parser = ending_in("svg"))]
    svg: Option<PathBuf>,

    /// The same as pixels
    #[arg(long, value_name = "FILE", value_parser = ending_in("png"))]
    png: Option<PathBuf>,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut sizes = args.tailles.clone();
    sizes.sort_unstable();
    sizes.dedup();
    let comparison =
        PathComparison { sizes, loops: args.boucles, mud: args.boue, seed: args.graine };
    let costs = comparison.run()?;
    print(costs.table().show(args.json))?;
    for path in args.svg.iter().chain(&args.png) {
        Plot::save(&costs.plots(), path)?;
    }
    Ok(ExitCode::SUCCESS)
}
