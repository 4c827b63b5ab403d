//! A*.

use super::frontier::Promising;
use super::search::Search;
use super::{Traversal, TraversalError};

/// A* (*A étoile*): a shortest path from `source` to `target`, guided by a lower bound of the remaining distance.
///
/// `heuristic` must not exceed the distance from a vertex to the target, nor fall along an edge by more than its weight;
/// 0 everywhere is valid, but gives no guidance. The search ends when the target is reached; without a target it reaches
/// all it can. Vertices not taken out until then count as unreached. The routes are those of
/// [`dijkstra`](super::dijkstra()), because equally promising vertices are taken out nearest first. O((n + m)·log n) for
/// n vertices and m edges.
///
/// # Errors
///
/// If `source`, `target` or a successor is not a vertex, a weight is below 1, a distance does not fit, or the heuristic
/// falls too fast along an examined edge.
pub fn a_star<I: IntoIterator<Item = (usize, i64)>>(
    vertices: usize,
    source: usize,
    target: Option<usize>,
    mut successors: impl FnMut(usize) -> I,
    heuristic: impl Fn(usize) -> i64,
) -> Result<Traversal, TraversalError> {
    if let Some(target) = target.filter(|&target| target >= vertices) {
        return Err(TraversalError::UnknownVertex(target));
    }
    let mut search = Search::new(vertices, source, Promising::new(&heuristic))?;
    while let Some(entry) = search.next() {
        if target == Some(entry.vertex) {
            return Ok(search.found);
        }
        let from = entry.vertex;
        let guess = heuristic(from);
        let mut too_fast = None;
        let edges = successors(from).into_iter().inspect(|&(to, weight)| {
            if to < vertices && guess > heuristic(to).saturating_add(weight) {
                too_fast = Some(to);
            }
        });
        search.expand(entry, edges)?;
        if let Some(to) = too_fast {
            return Err(TraversalError::InconsistentHeuristic { from, to });
        }
    }
    search.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_inconsistent_heuristic_is_an_error() {
        // The path over 1 is the shorter one, but 1 may look far away.
        let edges: [&[(usize, i64)]; 3] = [&[(1, 1), (2, 5)], &[(2, 1)], &[]];
        let search = |guesses: [i64; 3]| {
            a_star(3, 0, Some(2), |vertex| edges[vertex].iter().copied(), |vertex| guesses[vertex])
        };
        assert_eq!(search([2, 1, 0]).unwrap().distances[2], Some(2));
        let error = TraversalError::InconsistentHeuristic { from: 0, to: 2 };
        assert_eq!(search([9, 8, 0]), Err(error));
    }

    #[test]
    fn a_good_heuristic_expands_fewer_vertices() {
        // A corridor of 101 cells, from its middle.
        let corridor = |at: usize| [at.saturating_sub(1), (at + 1).min(100)].map(|to| (to, 1));
        let blind = a_star(101, 50, Some(100), corridor, |_| 0).unwrap();
        let guided =
            a_star(101, 50, Some(100), corridor, |at| 100 - i64::try_from(at).unwrap()).unwrap();
        assert_eq!(blind.distances[100], Some(50));
        assert_eq!(guided.distances[100], Some(50));
        assert_eq!((blind.expanded, guided.expanded), (100, 50));
    }
}
