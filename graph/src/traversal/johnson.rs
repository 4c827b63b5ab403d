//! Johnson's algorithm.

use super::bellman_ford::relax;
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
    for &(from, to, weight) in &edges {
        let more = i64::try_from(i128::from(weight) - climb(from, to));
        successors[from].push((to, more.map_err(|_| TraversalError::TooFar(to))?));
    }
    let traversal = |source| {
        let search = Search::new(vertices, source, Nearest::new())?.accepting_zero();
        let mut found = search.run(|vertex| successors[vertex].iter().copied())?;
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
