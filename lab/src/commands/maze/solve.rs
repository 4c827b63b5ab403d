//! `lab labyrinthe resoudre`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::ValueEnum;
use cli::{print, print_lines};
use graph::Cell;
use language::said;
use maze::{Maze, Solution, Solver, Walk};
use serde_json::{Value, json};

use super::{Ends, read_maze};
use crate::commands::name_of;

#[derive(Debug, clap::Args)]
#[command(long_about = said!(
    "Find a way through a maze\n\nPrints the maze with the way as `*` from D to A, its length in steps, and how \
     many cells were visited. Without a way, the exit code is 1.",
    "Trouver un chemin dans un labyrinthe\n\nAffiche le labyrinthe avec le chemin en `*` de D à A, sa longueur \
     en pas, et combien de cases ont été visitées. Sans chemin, le code de sortie est 1."
))]
pub(super) struct Args {
    #[arg(default_value = "-", help = said!(
        "Maze as a drawing; - for the standard input",
        "Labyrinthe dessiné ; - pour l'entrée standard"
    ))]
    file: PathBuf,

    #[arg(long, value_name = "ALGO", value_enum, default_value_t,
          help = said!("How it is searched", "Comment le chercher"))]
    algo: Algo,

    #[command(flatten)]
    ends: Ends,

    #[arg(long, help = said!("Print JSON", "Afficher du JSON"))]
    json: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Algo {
    #[value(help = said!("Breadth-first search", "Parcours en largeur"))]
    #[default]
    Bfs,
    #[value(help = said!("Depth-first search", "Parcours en profondeur"))]
    Dfs,
    #[value(help = said!("Dijkstra", "Dijkstra"))]
    Dijkstra,
    #[value(name = "a_etoile", alias = "a_star", help = said!("A*", "A*"))]
    AEtoile,
    #[value(name = "main_droite", alias = "right_hand", help = said!(
        "Keep the right hand on the wall, and face north at first",
        "Garder la main droite sur le mur, en regardant d'abord au nord"
    ))]
    MainDroite,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let read = read_maze(&args.file)?;
    let (maze, dims) = (&read.maze, read.maze.dims());
    let (from, to) = args.ends.cells(dims, &read.contents)?;
    let (Solution { path, visited }, walk) = match args.algo {
        Algo::Bfs => (Solver::BreadthFirst.solve(maze, from, to), None),
        Algo::Dfs => (Solver::DepthFirst.solve(maze, from, to), None),
        Algo::Dijkstra => (Solver::Dijkstra.solve(maze, from, to), None),
        Algo::AEtoile => (Solver::AStar.solve(maze, from, to), None),
        Algo::MainDroite => walked(&Walk::right_hand(maze, from, to)),
    };
    let length = path.len().checked_sub(1);
    if args.json {
        let pos = |cell| json!([dims.pos(cell).row, dims.pos(cell).col]);
        let mut object = json!({
            "algo": name_of(&args.algo),
            "from": pos(from),
            "to": pos(to),
            "length": length,
            "visited": visited,
            "path": path.iter().map(|&cell| pos(cell)).collect::<Value>(),
        });
        if let Some(walk) = walk {
            object["walk"] = walk.into();
        }
        print(object)?;
    } else {
        let mut contents = vec![' '; dims.len()];
        for cell in &path {
            contents[cell.index()] = '*';
        }
        (contents[from.index()], contents[to.index()]) = ('D', 'A');
        print_lines(maze.rendering(|cell| contents[cell.index()]))?;
        let found = match length {
            Some(length) => said!("length {length}", "longueur {length}"),
            None => said!("no path found", "aucun chemin trouvé"),
        };
        let visited = said!("cells visited: {visited}", "cases visitées : {visited}");
        let walk = walk.map_or(String::new(), |steps| {
            said!(", steps walked: {steps}", ", pas parcourus : {steps}")
        });
        print(format_args!("{found}, {visited}{walk}"))?;
    }
    Ok(if length.is_some() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The path of a walk without its loops, empty unless the walk arrived, and the walk's total number of steps.
fn walked(walk: &Walk) -> (Solution, Option<usize>) {
    let mut visited = walk.cells.clone();
    visited.sort_unstable();
    visited.dedup();
    let path = if walk.arrived { walk.without_loops() } else { Vec::new() };
    (Solution { path, visited: visited.len() }, Some(walk.cells.len() - 1))
}

/// The cells of a shortest path, both ends included; `None` if no path leads there.
pub(super) fn shortest(maze: &Maze, from: Cell, to: Cell) -> Option<Vec<Cell>> {
    Some(Solver::BreadthFirst.solve(maze, from, to).path).filter(|path| !path.is_empty())
}
