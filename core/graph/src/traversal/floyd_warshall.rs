//! The Floyd-Warshall algorithm.

use super::edges::{check_reached, edges, routing_table};
use super::{Traversal, TraversalError};

/// The distance without a path, which exceeds all valid distances.
const NONE: u64 = 1 << 63;

/// The Floyd-Warshall algorithm (*algorithme de Floyd-Warshall*): the shortest paths between all pairs of vertices, one
/// traversal for each source in order.
///
/// Tries every vertex as an intermediate vertex of every pair. Takes O(n³) time for n vertices with any edges, and
/// 40 bytes for each pair.
///
/// # Errors
///
/// If a successor is not a vertex, a weight is below 1, or a distance does not fit.
pub fn floyd_warshall<I: IntoIterator<Item = (usize, i64)>>(
    vertices: usize,
    successors: impl FnMut(usize) -> I,
) -> Result<Vec<Traversal>, TraversalError> {
    let edges = edges(vertices, successors)?;
    let mut rows = vec![vec![NONE; vertices]; vertices];
    for (vertex, row) in rows.iter_mut().enumerate() {
        row[vertex] = 0;
    }
    for &(from, to, weight) in &edges {
        if weight < 1 {
            return Err(TraversalError::WeightBelowOne { from, to, weight });
        }
        rows[from][to] = rows[from][to].min(weight.unsigned_abs());
    }
    for middle in 0..vertices {
        let onwards = rows[middle].clone();
        for row in rows.iter_mut().filter(|row| row[middle] < NONE) {
            let to_middle = row[middle];
            for (distance, &onward) in row.iter_mut().zip(&onwards) {
                // The sum fits: one term is below 2⁶³, and the other is at most 2⁶³.
                *distance = (*distance).min(to_middle + onward);
            }
        }
    }
    let traversal = |(source, row): (usize, Vec<u64>)| {
        let distances: Vec<_> = row.into_iter().map(|distance| distance.try_into().ok()).collect();
        check_reached(&distances, &edges)?;
        let routing_table = routing_table(source, &distances, &edges);
        Ok(Traversal { distances, routing_table, expanded: vertices })
    };
    rows.into_iter().enumerate().map(traversal).collect()
}
