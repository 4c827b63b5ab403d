//! Breadth-first search.

use std::collections::VecDeque;

use super::search::Search;
use super::{Traversal, TraversalError};

/// Breadth-first search (*parcours en largeur*): the fewest edges from `source` to every vertex.
///
/// The parent of a vertex is the first of its predecessors to be taken out of the queue. O(n + m) for n vertices and
/// m edges.
///
/// # Errors
///
/// If `source` or a successor is not a vertex.
pub fn bfs<I: IntoIterator<Item = usize>>(
    vertices: usize,
    source: usize,
    mut successors: impl FnMut(usize) -> I,
) -> Result<Traversal, TraversalError> {
    Search::new(vertices, source, VecDeque::new())?
        .run(|vertex| successors(vertex).into_iter().map(|next| (next, 1)))
}
