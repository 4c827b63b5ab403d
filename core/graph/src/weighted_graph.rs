//! Graphs as lists of weighted edges.

mod dictionary;

use crate::traversal::TraversalError;

pub use dictionary::NestedDictionary;

/// A graph (*graphe pondéré*), as the list of weighted edges of each vertex, in the given order.
///
/// The vertices are `0..len()`, in increasing order of their names. A graph is read with serde from a dictionary of
/// dictionaries, as in JSON `{"0": {"15": 1}, "15": {"0": 1}}`: the name of each vertex, then the names of its successors
/// and the weights of the edges. Names are integers from 0, weights integers. A name that occurs only as a successor is
/// a vertex without edges of its own. Duplicates are errors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeightedGraph {
    names: Vec<u64>,
    /// The edges, ordered by their tails: the head and the weight.
    edges: Vec<(usize, i64)>,
    /// The index of the first edge of each vertex in `edges`, then the length of `edges`.
    starts: Vec<usize>,
}

impl WeightedGraph {
    /// The graph with these edges for each vertex; vertices are named by their indices.
    ///
    /// # Errors
    ///
    /// If the head of an edge is not a vertex.
    pub fn new(successors: &[Vec<(usize, i64)>]) -> Result<Self, TraversalError> {
        for (from, edges) in successors.iter().enumerate() {
            if let Some(&(to, _)) = edges.iter().find(|edge| edge.0 >= successors.len()) {
                return Err(TraversalError::UnknownSuccessor { from, to });
            }
        }
        Ok(Self::with_names((0..successors.len() as u64).collect(), successors))
    }

    /// The graph with these names and edges, whose heads must be vertices.
    fn with_names(names: Vec<u64>, successors: &[Vec<(usize, i64)>]) -> Self {
        let mut starts = vec![0; successors.len() + 1];
        for (vertex, edges) in successors.iter().enumerate() {
            starts[vertex + 1] = starts[vertex] + edges.len();
        }
        Self { names, edges: successors.concat(), starts }
    }

    /// Number of vertices.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Tests if there is no vertex.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Number of edges; a passage in both directions counts as two.
    pub fn edge_count(&self) -> usize {
        self.edges.len()
    }

    /// The names of the vertices, in increasing order.
    pub fn names(&self) -> &[u64] {
        &self.names
    }

    /// The vertex of this name.
    pub fn vertex(&self, name: u64) -> Option<usize> {
        self.names.binary_search(&name).ok()
    }

    /// The successors of a vertex, with the weights of the edges.
    pub fn successors(
        &self,
        vertex: usize,
    ) -> impl ExactSizeIterator<Item = (usize, i64)> + Clone + '_ {
        self.edges[self.starts[vertex]..self.starts[vertex + 1]].iter().copied()
    }

    /// All edges, ordered by their tails: the tail, the head, and the weight.
    pub fn edges(&self) -> impl Iterator<Item = (usize, usize, i64)> + '_ {
        (0..self.len())
            .flat_map(|from| self.successors(from).map(move |(to, weight)| (from, to, weight)))
    }

    /// The successors of a vertex.
    pub fn neighbours(&self, vertex: usize) -> impl ExactSizeIterator<Item = usize> + Clone + '_ {
        self.successors(vertex).map(|(to, _)| to)
    }

    /// The smallest weight of an edge between two vertices, if there is an edge.
    pub fn weight(&self, from: usize, to: usize) -> Option<i64> {
        self.successors(from).filter(|edge| edge.0 == to).map(|edge| edge.1).min()
    }

    /// The graph with all edges reversed.
    #[must_use]
    pub fn reversed(&self) -> Self {
        let mut successors = vec![Vec::new(); self.len()];
        for (from, to, weight) in self.edges() {
            successors[to].push((from, weight));
        }
        Self::with_names(self.names.clone(), &successors)
    }
}
