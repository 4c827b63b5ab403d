//! `lab chemins resoudre`.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, anyhow, bail, ensure};
use graph::WeightedGraph;
use graph::traversal::{Traversal, TraversalError, find_route};
use lab::paths::{Algorithm, Question};
use lab::table::{Figure, Table};
use serde::{Serialize, Serializer};

use crate::commands::{print, read, shown};

const JSON: &str = r#"JSON without a target, null where there is no way or no predecessor:
  {"algorithm": "dijkstra", "source": 97, "expanded": 156,
   "distances": {"0": 37, …}, "routing_table": {"0": 15, …}}
JSON with a target; without a route, that is empty, and length and steps are null:
  {"algorithm": "dijkstra", "source": 97, "target": 0, "expanded": 156,
   "route": [97, 112, …], "length": 37, "steps": 21}"#;

/// Larger graphs would take too much memory for all pairs.
const MOST_FOR_ALL_PAIRS: usize = 4000;

/// Find the shortest routes of a graph
///
/// The graph is a JSON dictionary of dictionaries, as {"0": {"15": 1}, "15": {"0": 1}}: for each
/// vertex its neighbours, and the weights of the edges that lead there. Vertices are named by whole
/// numbers from 0; one that is only a neighbour has no neighbours itself. Weights are whole numbers
/// of at least 1; Bellman-Ford and Johnson know what to do with others, BFS and DFS ignore them.
///
/// Prints the distance and the predecessor of every vertex, or the route to the target. The length
/// of a route is the sum of its weights; distances of BFS and DFS count edges. "expanded" is how
/// often the neighbours of a vertex were looked at.
#[derive(Debug, clap::Args)]
#[command(after_long_help = JSON)]
pub(crate) struct Args {
    /// File with the graph; - for the standard input
    #[arg(long, visible_alias = "graph", value_name = "FILE")]
    graphe: PathBuf,

    /// Vertex where routes begin
    #[arg(long, value_name = "N")]
    source: u64,

    /// Vertex where the route ends
    #[arg(long, visible_alias = "target", value_name = "N")]
    cible: Option<u64>,

    /// How to search
    #[arg(long, value_name = "ALGORITHM", value_enum, default_value_t)]
    algo: Algorithm,

    /// Width of the grid whose cells the vertices are, numbered row by row, for A*, which then
    /// counts the rows and columns that are left to the target; else it guesses 0
    #[arg(long, visible_alias = "width", value_name = "CELLS", requires = "cible",
          value_parser = clap::value_parser!(u64).range(1..))]
    largeur: Option<u64>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let text = read(&args.graphe, u64::MAX)?;
    let found = serde_json::from_slice(&text).map_err(anyhow::Error::from);
    let found = found.and_then(|graph| solve(args, &graph)).with_context(|| shown(&args.graphe))?;
    match &found {
        Found::Route(route) if !args.json => print(route.text())?,
        Found::Tree(tree) if !args.json => print(tree.table())?,
        _ => print(serde_json::to_string_pretty(&found)?)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn solve(args: &Args, graph: &WeightedGraph) -> anyhow::Result<Found> {
    let vertex = |name| {
        graph.vertex(name).ok_or_else(|| match (graph.names().first(), graph.names().last()) {
            (Some(first), Some(last)) => {
                anyhow!("there is no vertex {name}; their names run from {first} to {last}")
            }
            _ => anyhow!("there is no vertex {name}, nor any other"),
        })
    };
    let question = Question {
        graph,
        reversed: &graph.reversed(),
        source: vertex(args.source)?,
        target: args.cible.map(vertex).transpose()?,
        width: args.largeur,
    };
    if args.largeur.is_some() {
        ensure!(args.algo == Algorithm::AStar, "--largeur is for --algo a_etoile");
    }
    let name = |vertex: usize| graph.names()[vertex];
    // Wherever it is: whether a search comes by depends on where it begins and ends.
    if args.algo.wants_positive_weights()
        && let Some((from, to, weight)) = graph.edges().find(|edge| edge.2 < 1)
    {
        return Err(TraversalError::WeightBelowOne { from, to, weight }.map(name).into());
    }
    if let Some((from, to)) = question.leap() {
        let [from, to] = [from, to].map(name);
        bail!("{from} leads to {to}, which is not beside it on a grid as wide as --largeur says");
    }
    let for_all_pairs = match args.algo {
        Algorithm::FloydWarshall | Algorithm::Johnson => true,
        Algorithm::Bidirectional => args.cible.is_none(),
        _ => false,
    };
    ensure!(
        !for_all_pairs || graph.len() <= MOST_FOR_ALL_PAIRS,
        "{} searches between all pairs, expected at most {MOST_FOR_ALL_PAIRS} vertices, found {}",
        args.algo.name(),
        graph.len()
    );
    let mut found = args.algo.run(&question).map_err(|error| error.map(name))?;
    let own = if found.len() > 1 { question.source } else { 0 };
    let found = found.swap_remove(own);
    match question.target {
        Some(target) => {
            Ok(Found::Route(Route::new(args.algo, graph, question.source, target, &found)?))
        }
        None => Ok(Found::Tree(Tree::new(args.algo, graph, question.source, found))),
    }
}

/// What is printed.
#[derive(Serialize)]
#[serde(untagged)]
enum Found {
    Tree(Tree),
    Route(Route),
}

#[derive(Serialize)]
struct Tree {
    algorithm: &'static str,
    source: u64,
    expanded: usize,
    #[serde(serialize_with = "dictionary")]
    distances: Vec<(u64, Option<i64>)>,
    #[serde(serialize_with = "dictionary")]
    routing_table: Vec<(u64, Option<u64>)>,
}

impl Tree {
    fn new(algo: Algorithm, graph: &WeightedGraph, source: usize, found: Traversal) -> Self {
        let names = graph.names();
        let parents = found.routing_table.iter().map(|parent| parent.map(|at| names[at]));
        Self {
            algorithm: algo.name(),
            source: names[source],
            expanded: found.expanded,
            routing_table: names.iter().copied().zip(parents).collect(),
            distances: names.iter().copied().zip(found.distances).collect(),
        }
    }

    fn table(&self) -> Table {
        let titles =
            [("vertex", "Vertex"), ("distance", "Distance"), ("predecessor", "Predecessor")];
        let mut table = Table::new(&titles);
        for (&(name, distance), (_, parent)) in self.distances.iter().zip(&self.routing_table) {
            let distance = distance.map(Figure::Whole);
            table.push([name.into(), distance.into(), (*parent).into()]);
        }
        table
    }
}

fn dictionary<T: Serialize, S: Serializer>(
    entries: &[(u64, T)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(entries.iter().map(|(name, value)| (name, value)))
}

#[derive(Serialize)]
struct Route {
    algorithm: &'static str,
    source: u64,
    target: u64,
    expanded: usize,
    #[serde(rename = "route")]
    vertices: Vec<u64>,
    length: Option<i64>,
    steps: Option<usize>,
}

impl Route {
    fn new(
        algo: Algorithm,
        graph: &WeightedGraph,
        source: usize,
        target: usize,
        found: &Traversal,
    ) -> anyhow::Result<Self> {
        let route = find_route(&found.routing_table, source, target)?;
        let mut weights = route.windows(2).filter_map(|step| graph.weight(step[0], step[1]));
        let length = weights.try_fold(0_i64, i64::checked_add);
        let length = length.context("the length of the route needs more than 64 bits")?;
        let name = |vertex: usize| graph.names()[vertex];
        Ok(Self {
            algorithm: algo.name(),
            source: name(source),
            target: name(target),
            expanded: found.expanded,
            length: (!route.is_empty()).then_some(length),
            steps: route.len().checked_sub(1),
            vertices: route.into_iter().map(name).collect(),
        })
    }

    fn text(&self) -> String {
        let Self { source, target, expanded, .. } = self;
        let (Some(length), Some(steps)) = (self.length, self.steps) else {
            return format!("no route from {source} to {target}\nexpanded={expanded}");
        };
        let route: Vec<_> = self.vertices.iter().map(u64::to_string).collect();
        format!("{}\nlength={length} steps={steps} expanded={expanded}", route.join(" "))
    }
}
