//! Dijkstra's algorithm.

use super::frontier::Nearest;
use super::search::Search;
use super::{Traversal, TraversalError};

/// Dijkstra's algorithm (*algorithme de Dijkstra*): the shortest paths from `source` to every vertex.
///
/// O((n + m)·log n) for n vertices and m edges.
///
/// # Errors
///
/// If `source` or a successor is not a vertex, a weight is below 1, or a distance does not fit.
///
/// # Examples
///
/// ```
/// use graph::traversal::{dijkstra, find_route};
///
/// // 0 → 1 → 2 goes around the mud between 0 and 2.
/// let edges: [&[(usize, i64)]; 3] = [&[(1, 1), (2, 9)], &[(2, 1)], &[]];
/// let found = dijkstra(3, 0, |vertex| edges[vertex].iter().copied())?;
/// assert_eq!(found.distances, [Some(0), Some(1), Some(2)]);
/// assert_eq!(find_route(&found.routing_table, 0, 2), Ok(vec![0, 1, 2]));
/// # Ok::<_, graph::traversal::TraversalError>(())
/// ```
pub fn dijkstra<I: IntoIterator<Item = (usize, i64)>>(
    vertices: usize,
    source: usize,
    successors: impl FnMut(usize) -> I,
) -> Result<Traversal, TraversalError> {
    Search::new(vertices, source, Nearest::new())?.run(successors)
}
