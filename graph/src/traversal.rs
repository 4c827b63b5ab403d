//! Searches from a source, in any graph given by its successors.
//!
//! The vertices are `0..vertices`. Which edges there are is told by a closure: it is given a vertex
//! and lists the vertices one edge away, with the weights of the edges where they count. A list may
//! be asked for more than once and must be the same each time.
//!
//! | search | from, to | weights | cost for n vertices and m edges |
//! | --- | --- | --- | --- |
//! | [`bfs`], [`dfs`] | one, all | ignored | n + m |
//! | [`dijkstra`] | one, all | at least 1 | (n + m)·log n |
//! | [`a_star`] | one, one | at least 1 | (n + m)·log n at most |
//! | [`bidirectional`] | one, one | at least 1 | (n + m)·log n at most |
//! | [`bellman_ford`] | one, all | any | n·m at most |
//! | [`floyd_warshall`] | all, all | at least 1 | n³ |
//! | [`johnson`] | all, all | any | n·(n + m)·log n + n·m |
//! | [`all_pairs`] | all, all | as the search that it repeats | n times that search |
//!
//! Of several equally good predecessors of a vertex, every search that minds weights chooses
//! the one of smallest index, so all of them give the same routes. Cycles of weight 0, which only
//! [`bellman_ford`] and [`johnson`] accept, could lead such a choice around in circles; the
//! smallest vertex there that can then takes the smallest predecessor that has a way from the
//! source.

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

/// Distances and predecessors that a search (*parcours*) found from its source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Traversal {
    /// The distance from the source to every vertex: the sum of the weights, or the number of edges
    /// where weights are ignored. `None` for the vertices that were not reached.
    pub distances: Vec<Option<i64>>,
    /// The routing table (*table de routage*): the predecessor of every vertex on the way from the
    /// source. `None` for the source and for the vertices that were not reached.
    pub routing_table: Vec<Option<usize>>,
    /// Number of vertices whose successors were looked at.
    pub expanded: usize,
}

impl Traversal {
    /// Nothing found yet.
    fn new(vertices: usize) -> Self {
        let (distances, routing_table) = (vec![None; vertices], vec![None; vertices]);
        Self { distances, routing_table, expanded: 0 }
    }
}

/// Why a graph cannot be searched; the vertices are numbers, or whatever [`map`](Self::map) calls
/// them.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TraversalError<V: Display = usize> {
    /// The source or the target is no vertex.
    #[error("{}", said!("there is no vertex {_0}", "il n'y a pas de sommet {_0}"))]
    UnknownVertex(V),
    /// The closure gave a successor that is no vertex.
    #[error("{}", said!(
        "vertex {from} leads to {to}, which is no vertex",
        "le sommet {from} mène à {to}, qui n'est pas un sommet"
    ))]
    UnknownSuccessor {
        /// Source of the edge.
        from: V,
        /// Target of the edge.
        to: V,
    },
    /// A weight that only [`bellman_ford`] and [`johnson`] can deal with.
    #[error("{}", said!(
        "the edge from {from} to {to} weighs {weight}, expected at least 1",
        "l'arête de {from} à {to} pèse {weight}, au moins 1 est attendu"
    ))]
    WeightBelowOne {
        /// Source of the edge.
        from: V,
        /// Target of the edge.
        to: V,
        /// Its weight.
        weight: i64,
    },
    /// A sum of weights beyond the range of `i64`, on the way to this vertex.
    #[error("{}", said!(
        "the distance of vertex {_0} needs more than 64 bits",
        "la distance du sommet {_0} demande plus de 64 bits"
    ))]
    TooFar(V),
    /// A cycle of negative weight (*cycle absorbant*), so that no way through it is a shortest one:
    /// its vertices in the order of its edges, beginning with the smallest.
    #[error("{}", said!(
        "there is a cycle of negative weight: {}",
        "il y a un cycle absorbant : {}",
        arrows(_0)
    ))]
    NegativeCycle(Vec<V>),
    /// An edge along which the guess of [`a_star`] falls by more than the weight.
    #[error("{}", said!(
        "the heuristic falls by more than the weight of the edge from {from} to {to}",
        "l'heuristique baisse de plus que le poids de l'arête de {from} à {to}"
    ))]
    InconsistentHeuristic {
        /// Source of the edge.
        from: V,
        /// Target of the edge.
        to: V,
    },
}

impl<V: Display> TraversalError<V> {
    /// The same, with other names for the vertices.
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
