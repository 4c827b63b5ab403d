//! `lab chemins resoudre`.

use std::path::PathBuf;
use std::process::ExitCode;

use crate::paths::{Algorithm, Question};
use crate::table::{Figure, Table};
use anyhow::{Context, anyhow, bail, ensure};
use cli::print;
use graph::WeightedGraph;
use graph::traversal::{Traversal, TraversalError, find_route};
use language::{said, word};
use serde::{Serialize, Serializer};

use crate::commands::{read, shown};

/// The help text on the output of `--json`.
fn json_help() -> String {
    let tree = r#"
  {"algorithm": "dijkstra", "source": 97, "expanded": 156,
   "distances": {"0": 37, …}, "routing_table": {"0": 15, …}}
"#;
    let route = r#"
  {"algorithm": "dijkstra", "source": 97, "target": 0, "expanded": 156,
   "route": [97, 112, …], "length": 37, "steps": 21}"#;
    said!(
        "JSON without a target, null where there is no way or no predecessor:{tree}JSON with a target; without a \
         route, that is empty, and length and steps are null:{route}",
        "JSON sans cible, null là où il n'y a pas de chemin ou pas de prédécesseur :{tree}JSON avec une cible ; sans \
         chemin, `route` est vide, et `length` et `steps` sont null :{route}"
    )
}

/// Maximum number of vertices for all pairs: larger graphs would need too much memory.
const MOST_FOR_ALL_PAIRS: usize = 4000;

#[derive(Debug, clap::Args)]
#[command(after_long_help = json_help(), long_about = said!(
    "Find the shortest routes of a graph\n\nThe graph is a JSON dictionary of dictionaries, as {{\"0\": \
     {{\"15\": 1}}, \"15\": {{\"0\": 1}}}}: for each vertex its neighbours, and the weights of the edges that \
     lead there. Vertices are named by whole numbers from 0; one that is only a neighbour has no neighbours \
     itself. Weights are whole numbers of at least 1; Bellman-Ford and Johnson know what to do with others, BFS \
     and DFS ignore them.\n\nPrints the distance and the predecessor of every vertex, or the route to the \
     target. The length of a route is the sum of its weights; distances of BFS and DFS count edges. \
     Vertices expanded, `expanded` in JSON, are how often the neighbours of a vertex were looked at.",
    "Trouver les plus courts chemins d'un graphe\n\n\
     Le graphe est un dictionnaire de dictionnaires en JSON, comme {{\"0\": {{\"15\": 1}}, \"15\": {{\"0\": 1}}}} : \
     pour chaque sommet ses voisins, et les poids des arêtes qui y mènent. Les sommets ont pour noms des nombres \
     entiers à partir de 0 ; un sommet qui n'est que voisin n'a pas de voisins lui-même. Les poids sont des entiers \
     d'au moins 1 ; Bellman-Ford et Johnson acceptent aussi les autres, BFS et DFS ignorent tous les poids.\n\n\
     Affiche la distance et le prédécesseur de chaque sommet, ou le chemin vers la cible. La longueur d'un chemin est \
     la somme de ses poids ; les distances de BFS et DFS comptent des arêtes. Le nombre de sommets développés, \
     `expanded` en JSON, est le nombre de fois que les voisins d'un sommet ont été parcourus."
))]
pub(crate) struct Args {
    #[arg(long, visible_alias = "graph", value_name = "FILE", help = said!(
        "File with the graph; - for the standard input",
        "Fichier du graphe ; - pour l'entrée standard"
    ))]
    graphe: PathBuf,

    #[arg(long, value_name = "N", help = said!(
        "Vertex where routes begin",
        "Sommet où les chemins commencent"
    ))]
    source: u64,

    #[arg(long, visible_alias = "target", value_name = "N",
          help = said!("Vertex where the route ends", "Sommet où le chemin finit"))]
    cible: Option<u64>,

    #[arg(long, value_name = "ALGORITHM", value_enum, default_value_t,
          help = said!("How to search", "Comment chercher"))]
    algo: Algorithm,

    #[arg(long, visible_alias = "width", value_name = "CELLS", requires = "cible",
          value_parser = clap::value_parser!(u64).range(1..), help = said!(
        "Width of the grid whose cells the vertices are, numbered row by row, for A*, which then counts the \
         rows and columns that are left to the target; else it guesses 0",
        "Largeur de la grille dont les sommets sont les cases, numérotées ligne par ligne, pour A*, qui compte \
         alors les lignes et les colonnes qui restent jusqu'à la cible ; sinon il suppose 0"
    ))]
    largeur: Option<u64>,

    #[arg(long, help = said!("Print JSON", "Afficher du JSON"))]
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
                anyhow!(said!(
                    "there is no vertex {name}; their names run from {first} to {last}",
                    "il n'y a pas de sommet {name} ; les noms vont de {first} à {last}"
                ))
            }
            _ => anyhow!(said!(
                "there is no vertex {name}, nor any other",
                "il n'y a pas de sommet {name}, ni aucun autre"
            )),
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
        ensure!(
            args.algo == Algorithm::AStar,
            said!("--width is for --algo a_star", "--largeur est pour --algo a_etoile")
        );
    }
    let name = |vertex: usize| graph.names()[vertex];
    // Checks all edges, because the source and the target determine which edges a search visits.
    if args.algo.wants_positive_weights()
        && let Some((from, to, weight)) = graph.edges().find(|edge| edge.2 < 1)
    {
        return Err(TraversalError::WeightBelowOne { from, to, weight }.map(name).into());
    }
    if let Some((from, to)) = question.leap() {
        let [from, to] = [from, to].map(name);
        bail!(said!(
            "{from} leads to {to}, which is not beside it on a grid as wide as --width says",
            "{from} mène à {to}, qui n'est pas à côté sur une grille de cette --largeur"
        ));
    }
    let for_all_pairs = match args.algo {
        Algorithm::FloydWarshall | Algorithm::Johnson => true,
        Algorithm::Bidirectional => args.cible.is_none(),
        _ => false,
    };
    ensure!(
        !for_all_pairs || graph.len() <= MOST_FOR_ALL_PAIRS,
        said!(
            "{} searches between all pairs, expected at most {MOST_FOR_ALL_PAIRS} vertices, found {}",
            "{} cherche entre toutes les paires : au plus {MOST_FOR_ALL_PAIRS} sommets \
              sont attendus, il y en a {}",
            args.algo.name(),
            graph.len()
        )
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

/// The JSON output.
#[derive(Serialize)]
#[serde(untagged)]
enum Found {
    Tree(Tree),
    Route(Route),
}

#[derive(Serialize)]
struct Tree {
    algorithm: String,
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
        let titles = [
            ("vertex", word("Vertex", "Sommet")),
            ("distance", word("Distance", "Distance")),
            ("predecessor", word("Predecessor", "Prédécesseur")),
        ];
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
    algorithm: String,
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
        let length = length.with_context(|| {
            said!(
                "the length of the route needs more than 64 bits",
                "la longueur du chemin demande plus de 64 bits"
            )
        })?;
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
            return said!(
                "no route from {source} to {target}\nvertices expanded: {expanded}",
                "pas de chemin de {source} à {target}\nsommets développés : {expanded}"
            );
        };
        let route: Vec<_> = self.vertices.iter().map(u64::to_string).collect();
        said!(
            "{}\nlength {length}, steps: {steps}, vertices expanded: {expanded}",
            "{}\nlongueur {length}, pas : {steps}, sommets développés : {expanded}",
            route.join(" ")
        )
    }
}
