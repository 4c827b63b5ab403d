//! The Bellman-Ford algorithm.

use super::edges::{Edge, check_reached, edges, routing_table};
use super::{Traversal, TraversalError};

/// The Bellman-Ford algorithm (*algorithme de Bellman-Ford*): the shortest paths from `source` to every vertex, with any
/// weights.
///
/// Relaxes all edges until no distance becomes smaller. O(n·m) for n vertices and m edges, and often much less.
///
/// # Errors
///
/// If `source` or a successor is not a vertex, a distance does not fit, or a cycle of negative weight can be reached from
/// the source.
pub fn bellman_ford<I: IntoIterator<Item = (usize, i64)>>(
    vertices: usize,
    source: usize,
    successors: impl FnMut(usize) -> I,
) -> Result<Traversal, TraversalError> {
    shortest_paths(vertices, source, &edges(vertices, successors)?)
}

/// The same with a list of all edges.
pub(super) fn shortest_paths(
    vertices: usize,
    source: usize,
    edges: &[Edge],
) -> Result<Traversal, TraversalError> {
    let mut distances = vec![None; vertices];
    *distances.get_mut(source).ok_or(TraversalError::UnknownVertex(source))? = Some(0);
    let passes = relax(&mut distances, edges)?;
    check_reached(&distances, edges)?;
    let routing_table = routing_table(source, &distances, edges);
    Ok(Traversal { distances, routing_table, expanded: passes * vertices })
}

/// Relaxes all edges until no distance becomes smaller; returns the number of passes. Paths that are too long are ignored.
pub(super) fn relax(
    distances: &mut [Option<i64>],
    edges: &[Edge],
) -> Result<usize, TraversalError> {
    // A vertex without a parent is its own parent.
    let mut parents: Vec<usize> = (0..distances.len()).collect();
    for pass in 1..=distances.len() {
        let mut improved = None;
        for &(from, to, weight) in edges {
            let Some(distance) = distances[from] else { continue };
            let Some(distance) = distance.checked_add(weight) else {
                // Nothing is shorter than a path whose length is below the range.
                if weight < 0 {
                    return Err(TraversalError::TooFar(to));
                }
                continue;
            };
            if distances[to].is_none_or(|known| distance < known) {
                distances[to] = Some(distance);
                parents[to] = from;
                improved = Some(to);
            }
        }
        match improved {
            None => return Ok(pass),
            // All paths without a cycle were known before this pass, so the improvement comes from a cycle.
            Some(vertex) if pass == distances.len() => {
                return Err(TraversalError::NegativeCycle(cycle_before(vertex, &parents)));
            }
            Some(_) => {}
        }
    }
    Ok(0)
}

/// The cycle at the end of the chain of predecessors of `vertex`, starting with its smallest vertex.
fn cycle_before(vertex: usize, parents: &[usize]) -> Vec<usize> {
    let on_cycle = (0..parents.len()).fold(vertex, |at, _| parents[at]);
    let mut cycle = vec![on_cycle];
    let mut at = parents[on_cycle];
    while at != on_cycle {
        cycle.push(at);
        at = parents[at];
    }
    cycle.reverse();
    let smallest = (0..cycle.len()).min_by_key(|&place| cycle[place]).unwrap_or(0);
    cycle.rotate_left(smallest);
    cycle
}
