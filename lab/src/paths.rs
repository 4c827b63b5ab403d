//! Searches on weighted graphs, by name, and their comparison.

mod comparison;

use graph::WeightedGraph;
use graph::traversal::{
    Traversal, TraversalError, a_star, bellman_ford, bfs, bidirectional, dfs, dijkstra,
    floyd_warshall, johnson,
};
use language::said;

use crate::commands::name_of;

pub use comparison::PathComparison;

/// A search algorithm, with its name in commands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
#[value(rename_all = "snake_case")]
pub enum Algorithm {
    /// Breadth-first search, which ignores weights: the fewest edges
    #[value(help = said!(
        "Breadth-first search, which ignores weights: the fewest edges",
        "Parcours en largeur, qui ignore les poids : le moins d'arêtes"
    ))]
    Bfs,
    /// Depth-first search, which ignores weights: some route
    #[value(help = said!(
        "Depth-first search, which ignores weights: some route",
        "Parcours en profondeur, qui ignore les poids : un chemin quelconque"
    ))]
    Dfs,
    /// Dijkstra's algorithm
    #[value(help = said!("Dijkstra's algorithm", "L'algorithme de Dijkstra"))]
    #[default]
    Dijkstra,
    /// A*, as far as the target
    #[value(name = "a_etoile", alias = "a_star",
          help = said!("A*, as far as the target", "A*, jusqu'à la cible"))]
    AStar,
    /// Dijkstra's algorithm from both ends, once a target
    #[value(name = "bidirectionnel", alias = "bidirectional", help = said!(
        "Dijkstra's algorithm from both ends, once a target",
        "L'algorithme de Dijkstra par les deux bouts, quand une cible est donnée"
    ))]
    Bidirectional,
    /// The Bellman-Ford algorithm, for negative weights too
    #[value(help = said!(
        "The Bellman-Ford algorithm, for negative weights too",
        "L'algorithme de Bellman-Ford, même pour des poids négatifs"
    ))]
    BellmanFord,
    /// The Floyd-Warshall algorithm, for all pairs
    #[value(help = said!(
        "The Floyd-Warshall algorithm, for all pairs",
        "L'algorithme de Floyd-Warshall, pour toutes les paires"
    ))]
    FloydWarshall,
    /// Johnson's algorithm, for all pairs and negative weights too
    #[value(help = said!(
        "Johnson's algorithm, for all pairs and negative weights too",
        "L'algorithme de Johnson, pour toutes les paires et des poids négatifs"
    ))]
    Johnson,
}

/// A shortest-path question on a graph.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The graph.
    pub graph: &'a WeightedGraph,
    /// The graph with reversed edges.
    pub reversed: &'a WeightedGraph,
    /// The start of the routes.
    pub source: usize,
    /// The end of the route; `None` for routes to all vertices.
    pub target: Option<usize>,
    /// The width of the grid whose cells the vertices are, by name and row-major. A* may count rows
    /// and columns if all edges lead to [contiguous](Self::leap) cells.
    pub width: Option<u64>,
}

impl Algorithm {
    /// The name in commands.
    pub fn name(self) -> String {
        name_of(&self)
    }

    /// Tests if the algorithm requires weights of at least 1.
    pub fn wants_positive_weights(self) -> bool {
        use Algorithm::{AStar, Bidirectional, Dijkstra, FloydWarshall};
        matches!(self, AStar | Bidirectional | Dijkstra | FloydWarshall)
    }

    /// Returns the result of one run: a traversal from the source, or one from each vertex in order.
    ///
    /// # Errors
    ///
    /// If the algorithm cannot search this graph.
    pub fn run(self, question: &Question<'_>) -> Result<Vec<Traversal>, TraversalError> {
        let &Question { graph, source, target, .. } = question;
        let vertices = graph.len();
        let neighbours = |vertex| graph.neighbours(vertex);
        let successors = |vertex| graph.successors(vertex);
        let found = match self {
            Self::Bfs => bfs(vertices, source, neighbours),
            Self::Dfs => dfs(vertices, source, neighbours),
            Self::Dijkstra => dijkstra(vertices, source, successors),
            Self::AStar => {
                a_star(vertices, source, target, successors, |vertex| question.at_least(vertex))
            }
            Self::Bidirectional => question.search_both_ways(),
            Self::BellmanFord => bellman_ford(vertices, source, successors),
            Self::FloydWarshall => return floyd_warshall(vertices, successors),
            Self::Johnson => return johnson(vertices, successors),
        };
        Ok(vec![found?])
    }
}

impl Question<'_> {
    /// The first edge between cells that are not side by side on the grid, if there is a grid.
    pub fn leap(&self) -> Option<(usize, usize)> {
        let mut edges = self.graph.edges().map(|(from, to, _)| (from, to));
        edges.find(|&(from, to)| self.manhattan(from, to) > 1)
    }

    /// A lower bound of the distance from a vertex to the target.
    fn at_least(&self, vertex: usize) -> i64 {
        let left = self.target.map_or(0, |target| self.manhattan(vertex, target));
        i64::try_from(left).unwrap_or(i64::MAX)
    }

    /// Manhattan distance of two cells of the grid, in cells; 0 without a grid.
    fn manhattan(&self, a: usize, b: usize) -> u64 {
        let Some(width) = self.width else { return 0 };
        let [a, b] = [a, b].map(|vertex| self.graph.names()[vertex]);
        (a / width).abs_diff(b / width).saturating_add((a % width).abs_diff(b % width))
    }

    /// Bidirectional search for the target, or for one vertex after the other.
    fn search_both_ways(&self) -> Result<Traversal, TraversalError> {
        let &Self { graph, reversed, source, .. } = self;
        let search = |target| {
            let successors = |vertex| graph.successors(vertex);
            let predecessors = |vertex| reversed.successors(vertex);
            bidirectional(graph.len(), source, target, successors, predecessors)
        };
        if let Some(target) = self.target {
            return search(target);
        }
        let mut whole = search(source)?;
        for target in 0..graph.len() {
            let found = search(target)?;
            whole.distances[target] = found.distances[target];
            whole.routing_table[target] = found.routing_table[target];
            whole.expanded += found.expanded;
        }
        Ok(whole)
    }
}
