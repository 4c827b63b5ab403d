//! Depth-first search.

use super::search::Search;
use super::{Traversal, TraversalError};

/// Depth-first search (*parcours en profondeur*), with a stack: a path from `source` to every vertex, rarely a short one;
/// distances are the numbers of edges of these paths.
///
/// A vertex is marked when it is popped, and its parent is the vertex that pushed it last. Unmarked successors are pushed
/// in order, so the last successor is explored first. O(n + m) for n vertices and m edges.
///
/// # Errors
///
/// If `source` or a successor is not a vertex.
pub fn dfs<I: IntoIterator<Item = usize>>(
    vertices: usize,
    source: usize,
    mut successors: impl FnMut(usize) -> I,
) -> Result<Traversal, TraversalError> {
    Search::new(vertices, source, Vec::new())?
        .run(|vertex| successors(vertex).into_iter().map(|next| (next, 1)))
}
