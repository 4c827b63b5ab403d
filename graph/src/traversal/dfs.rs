//! Depth-first search.

use super::search::Search;
use super::{Traversal, TraversalError};

/// Depth-first search (*parcours en profondeur*), with a stack: a way from `source` to every
/// vertex, seldom a short one; distances are the edges of that way.
///
/// A vertex is marked when it is popped, and its parent is the one that pushed it last. The
/// unmarked successors are pushed in order, so the last one is explored first. Linear in vertices
/// and edges.
///
/// # Errors
///
/// When `source` or a successor is no vertex.
pub fn dfs<I: IntoIterator<Item = usize>>(
    vertices: usize,
    source: usize,
    mut successors: impl FnMut(usize) -> I,
) -> Result<Traversal, TraversalError> {
    Search::new(vertices, source, Vec::new())?
        .run(|vertex| successors(vertex).into_iter().map(|next| (next, 1)))
}
