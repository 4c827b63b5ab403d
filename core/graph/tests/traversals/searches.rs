//! All searches by name, with a common signature.

use graph::WeightedGraph;
use graph::traversal::{
    Traversal, TraversalError, a_star, all_pairs, bellman_ford, bfs, bidirectional, dfs, dijkstra,
    find_route, floyd_warshall, johnson,
};

pub(crate) type Found = Result<Traversal, TraversalError>;
type Search = fn(&WeightedGraph, usize) -> Found;

/// Searches that need weights of at least 1, which must have equal results.
pub(crate) const POSITIVE: [(&str, Search); 5] = [
    ("dijkstra", |graph, source| dijkstra(graph.len(), source, |v| graph.successors(v))),
    ("a_star", |graph, source| a_star(graph.len(), source, None, |v| graph.successors(v), |_| 0)),
    ("bidirectional", |graph, source| assembled(graph, source, both_ends)),
    ("floyd_warshall", |graph, source| {
        Ok(floyd_warshall(graph.len(), |v| graph.successors(v))?.swap_remove(source))
    }),
    ("all pairs of dijkstra", |graph, source| {
        let search = |source| dijkstra(graph.len(), source, |v| graph.successors(v));
        Ok(all_pairs(graph.len(), search)?.swap_remove(source))
    }),
];

/// Searches for any weights.
pub(crate) const ANY: [(&str, Search); 2] = [
    ("bellman_ford", |graph, source| bellman_ford(graph.len(), source, |v| graph.successors(v))),
    ("johnson", |graph, source| {
        Ok(johnson(graph.len(), |v| graph.successors(v))?.swap_remove(source))
    }),
];

/// Searches that ignore weights.
pub(crate) const UNWEIGHTED: [(&str, Search); 2] = [
    ("bfs", |graph, source| bfs(graph.len(), source, |v| graph.neighbours(v))),
    ("dfs", |graph, source| dfs(graph.len(), source, |v| graph.neighbours(v))),
];

pub(crate) fn both_ends(graph: &WeightedGraph, source: usize, target: usize) -> Found {
    let back = graph.reversed();
    bidirectional(graph.len(), source, target, |v| graph.successors(v), |v| back.successors(v))
}

/// The distances and predecessors found by a separate search for each target.
fn assembled(
    graph: &WeightedGraph,
    source: usize,
    search: impl Fn(&WeightedGraph, usize, usize) -> Found,
) -> Found {
    let mut whole = search(graph, source, source)?;
    for target in 0..graph.len() {
        let found = search(graph, source, target)?;
        whole.distances[target] = found.distances[target];
        whole.routing_table[target] = found.routing_table[target];
        let route = find_route(&found.routing_table, source, target).unwrap();
        assert_eq!(route.is_empty(), found.distances[target].is_none());
        assert_eq!(length(graph, &route), found.distances[target].unwrap_or(0));
    }
    Ok(whole)
}

/// The sum of the weights along a route; there is an edge for each step.
pub(crate) fn length(graph: &WeightedGraph, route: &[usize]) -> i64 {
    route.windows(2).map(|step| graph.weight(step[0], step[1]).unwrap()).sum()
}
