//! A search from every vertex.

use super::{Traversal, TraversalError};

/// The same search from every vertex (*toutes les paires*): one traversal each, in the order of the
/// vertices.
///
/// Takes the time of the searches; the tables take 32 bytes for each pair of vertices.
///
/// # Errors
///
/// The first error of the searches.
///
/// # Examples
///
/// ```
/// use graph::traversal::{all_pairs, bfs};
///
/// let around = |vertex: usize| [(vertex + 1) % 4];
/// let found = all_pairs(4, |source| bfs(4, source, around))?;
/// assert_eq!(found[3].distances, [Some(1), Some(2), Some(3), Some(0)]);
/// # Ok::<_, graph::traversal::TraversalError>(())
/// ```
pub fn all_pairs(
    vertices: usize,
    search: impl FnMut(usize) -> Result<Traversal, TraversalError>,
) -> Result<Vec<Traversal>, TraversalError> {
    (0..vertices).map(search).collect()
}
