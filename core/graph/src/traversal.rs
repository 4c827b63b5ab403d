//! Searches from a source, in any graph given by its successors.
//!
//! The vertices are `0..vertices`. A closure gives the edges: it lists the vertices one edge away from a vertex, with the
//! weights of the edges if they count. A search may call it several times for a vertex and needs the same list each time.
//!
//! | search | from, to | weights | time for n vertices and m edges |
//! | --- | --- | --- | --- |
//! | [`bfs`], [`dfs`] | one, all | ignored | n + m |
//! | [`dijkstra`] | one, all | at least 1 | (n + m)·log n |
//! | [`a_star`] | one, one | at least 1 | (n + m)·log n at most |
//! | [`bidirectional`] | one, one | at least 1 | (n + m)·log n at most |
//! | [`bellman_ford`] | one, all | any | n·m at most |
//! | [`floyd_warshall`] | all, all | at least 1 | n³ |
//! | [`johnson`] | all, all | any | n·(n + m)·log n + n·m |
//! | [`all_pairs`] | all, all | as the repeated search | n times the repeated search |
//!
//! Among equally good predecessors of a vertex, every weighted search chooses the smallest index, so all these searches
//! give the same routes. With cycles of weight 0, which only [`bellman_ford`] and [`johnson`] accept, such choices could
//! form a cycle; then the smallest vertex that can take a predecessor connected to the source takes the smallest such
//! predecessor.

mod a_star;
mod all_pairs;
mod bellman_ford;
mod bfs;
mod bidirectional;
mod dfs;
mod dijkstra;
mod edges;
mod floyd_warshall;
mod frontier;
mod johnson;
mod route;
mod search;

use std::fmt::Display;

use language::said;

pub use a_star::a_star;
pub use all_pairs::all_pairs;
pub use bellman_ford::bellman_ford;
pub use bfs::bfs;
pub use bidirectional::bidirectional;
pub use dfs::dfs;
pub use dijkstra::dijkstra;
pub use floyd_warshall::floyd_warshall;
pub use johnson::johnson;
pub use route::{RouteError, find_route};

/// The result of a search (*parcours*) from a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Traversal {
    /// The distance from the source to every vertex: the sum of the weights, or the number of edges if weights are ignored.
    /// `None` for unreached vertices.
    pub distances: Vec<Option<i64>>,
    /// The routing table (*table de routage*): the predecessor of every vertex on the path from the source. `None` for the
    /// source and for unreached vertices.
    pub routing_table: Vec<Option<usize>>,
    /// Number of expansions of a vertex.
    pub expanded: usize,
}

impl Traversal {
    /// The result before the search has reached any vertex.
    fn new(vertices: usize) -> Self {
        let (distances, routing_table) = (vec![None; vertices], vec![None; vertices]);
        Self { distances, routing_table, expanded: 0 }
    }
}

/// The reason why a graph cannot be searched; vertices are numbers, or the names given by [`map`](Self::map).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TraversalError<V: Display = usize> {
    /// The source or the target is not a vertex.
    #[error("{}", said!("there is no vertex {_0}", "il n'y a pas de sommet {_0}"))]
    UnknownVertex(V),
    /// The closure gave a successor that is not a vertex.
    #[error("{}", said!(
        "vertex {from} leads to {to}, which is no vertex",
        "le sommet {from} mène à {to}, qui n'est pas un sommet"
    ))]
    UnknownSuccessor {
        /// The tail of the edge.
        from: V,
        /// The head of the edge.
        to: V,
    },
    /// A weight that only [`bellman_ford`] and [`johnson`] accept.
    #[error("{}", said!(
        "the edge from {from} to {to} weighs {weight}, expected at least 1",
        "l'arête de {from} à {to} pèse {weight}, au moins 1 est attendu"
    ))]
    WeightBelowOne {
        /// The tail of the edge.
        from: V,
        /// The head of the edge.
        to: V,
        /// The weight of the edge.
        weight: i64,
    },
    /// A sum of weights beyond the range of `i64`, on a path to this vertex.
    #[error("{}", said!(
        "the distance of vertex {_0} needs more than 64 bits",
        "la distance du sommet {_0} demande plus de 64 bits"
    ))]
    TooFar(V),
    /// A cycle of negative weight (*cycle absorbant*), so that no path through it is shortest: its vertices in the order of
    /// the edges, starting with the smallest vertex.
    #[error("{}", said!(
        "there is a cycle of negative weight: {}",
        "il y a un cycle absorbant : {}",
        arrows(_0)
    ))]
    NegativeCycle(Vec<V>),
    /// An edge along which the heuristic of [`a_star`] falls by more than the weight.
    #[error("{}", said!(
        "the heuristic falls by more than the weight of the edge from {from} to {to}",
        "l'heuristique baisse de plus que le poids de l'arête de {from} à {to}"
    ))]
    InconsistentHeuristic {
        /// The tail of the edge.
        from: V,
        /// The head of the edge.
        to: V,
    },
}

impl<V: Display> TraversalError<V> {
    /// The same error with other names for the vertices.
    pub fn map<W: Display>(self, name: impl Fn(V) -> W) -> TraversalError<W> {
        use TraversalError as Error;
        match self {
            Self::UnknownVertex(vertex) => Error::UnknownVertex(name(vertex)),
            Self::UnknownSuccessor { from, to } => {
                Error::UnknownSuccessor { from: name(from), to: name(to) }
            }
            Self::WeightBelowOne { from, to, weight } => {
                Error::WeightBelowOne { from: name(from), to: name(to), weight }
            }
            Self::TooFar(vertex) => Error::TooFar(name(vertex)),
            Self::NegativeCycle(cycle) => {
                Error::NegativeCycle(cycle.into_iter().map(name).collect())
            }
            Self::InconsistentHeuristic { from, to } => {
                Error::InconsistentHeuristic { from: name(from), to: name(to) }
            }
        }
    }
}

/// A cycle as `1 → 2 → 1`.
fn arrows<V: Display>(cycle: &[V]) -> String {
    let vertices = cycle.iter().chain(cycle.first()).map(V::to_string);
    vertices.collect::<Vec<_>>().join(" → ")
}
