//! Johnson's algorithm.

use super::bellman_ford::{relax, shortest_paths};
use super::edges::{edges, routing_table};
use super::frontier::Nearest;
use super::search::Search;
use super::{Traversal, TraversalError};

/// Johnson's algorithm (*algorithme de Johnson*): the shortest paths between all pairs of vertices, with any weights; one
/// traversal for each source in order.
///
/// Bellman-Ford gives each vertex a height such that no edge climbs by more than its weight; with the weights reduced by
/// the climbs, Dijkstra's algorithm finds the paths from each source. O(n·(n + m)·log n + n·m) for n vertices and m edges.
///
/// # Errors
///
/// If a successor is not a vertex, a distance does not fit, or there is a cycle of negative weight.
pub fn johnson<I: IntoIterator<Item = (usize, i64)>>(
    vertices: usize,
    successors: impl FnMut(usize) -> I,
) -> Result<Vec<Traversal>, TraversalError> {
    let edges = edges(vertices, successors)?;
    // The heights are the distances from an additional vertex with edges of weight 0 to all vertices.
    let mut heights = vec![Some(0); vertices];
    relax(&mut heights, &edges)?;
    let heights: Vec<i64> = heights.into_iter().flatten().collect();
    let climb = |from: usize, to: usize| i128::from(heights[to]) - i128::from(heights[from]);

    let mut successors = vec![Vec::new(); vertices];
    let mut do_fit = true;
    for &(from, to, weight) in &edges {
        match i64::try_from(i128::from(weight) - climb(from, to)) {
            Ok(more) => successors[from].push((to, more)),
            Err(_) => do_fit = false,
        }
    }
    let traversal = |source| {
        let mut search = Search::new(vertices, source, Nearest::new())?;
        search.least_weight = 0;
        let mut found = match search.run(|vertex| successors[vertex].iter().copied()) {
            Ok(found) if do_fit => found,
            // The reduced weights are larger than the weights: the distances may fit all the same.
            Ok(_) | Err(TraversalError::TooFar(_)) => {
                return shortest_paths(vertices, source, &edges);
            }
            Err(error) => return Err(error),
        };
        for (vertex, distance) in found.distances.iter_mut().enumerate() {
            let Some(distance) = distance else { continue };
            *distance = i64::try_from(i128::from(*distance) + climb(source, vertex))
                .map_err(|_| TraversalError::TooFar(vertex))?;
        }
        found.routing_table = routing_table(source, &found.distances, &edges);
        Ok(found)
    };
    (0..vertices).map(traversal).collect()
}
