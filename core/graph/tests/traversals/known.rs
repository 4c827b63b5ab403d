//! Tests on graphs with known results.

use std::collections::BTreeMap;

use graph::WeightedGraph;
use graph::traversal::{TraversalError, a_star, bfs, dfs, dijkstra, find_route};
use serde::Deserialize;

use crate::searches::{ANY, POSITIVE, UNWEIGHTED, both_ends, length};

/// A maze of the exercise on Dijkstra's algorithm, with the results given there.
#[derive(Deserialize)]
struct Exercise {
    source: u64,
    maze: WeightedGraph,
    routing_table: BTreeMap<u64, Option<u64>>,
    distances: BTreeMap<u64, i64>,
}

#[test]
fn the_mazes_of_the_exercise_come_out_completely() {
    for text in [include_str!("../data/maze1.json"), include_str!("../data/maze2.json")] {
        let Exercise { source, maze, routing_table, distances } =
            serde_json::from_str(text).unwrap();
        let names = maze.names();
        let source = maze.vertex(source).unwrap();
        let table = |parents: &[Option<usize>]| -> BTreeMap<u64, Option<u64>> {
            names.iter().copied().zip(parents.iter().map(|p| p.map(|p| names[p]))).collect()
        };
        for (name, search) in POSITIVE.iter().chain(&ANY) {
            let found = search(&maze, source).unwrap();
            let found_distances: BTreeMap<u64, i64> =
                names.iter().copied().zip(found.distances.into_iter().flatten()).collect();
            assert_eq!(found_distances, distances, "{name}");
            assert_eq!(table(&found.routing_table), routing_table, "{name}");
        }
        // There is one path to each cell, so all searches find it.
        for (name, search) in UNWEIGHTED {
            let found = search(&maze, source).unwrap();
            assert_eq!(table(&found.routing_table), routing_table, "{name}");
            for (vertex, edges) in found.distances.into_iter().flatten().enumerate() {
                let route = find_route(&found.routing_table, source, vertex).unwrap();
                assert_eq!(usize::try_from(edges).unwrap() + 1, route.len(), "{name}");
                assert_eq!(length(&maze, &route), distances[&names[vertex]], "{name}");
            }
        }
    }
}

fn graph(text: &str) -> WeightedGraph {
    serde_json::from_str(text).unwrap()
}

#[test]
fn mud_is_walked_around() {
    // A ring of six vertices with mud between 0 and 1.
    let ring = graph(
        r#"{"0": {"1": 9, "5": 1}, "1": {"0": 9, "2": 1}, "2": {"1": 1, "3": 1},
            "3": {"2": 1, "4": 1}, "4": {"3": 1, "5": 1}, "5": {"4": 1, "0": 1}}"#,
    );
    let short = bfs(6, 0, |v| ring.neighbours(v)).unwrap();
    let route = find_route(&short.routing_table, 0, 1).unwrap();
    assert_eq!((&route[..], length(&ring, &route)), (&[0, 1][..], 9));
    for (name, search) in POSITIVE.iter().chain(&ANY) {
        let found = search(&ring, 0).unwrap();
        assert_eq!(found.distances, [0, 5, 4, 3, 2, 1].map(Some), "{name}");
        let route = find_route(&found.routing_table, 0, 1).unwrap();
        assert_eq!(route, [0, 5, 4, 3, 2, 1], "{name}");
    }
}

#[test]
fn ties_go_to_the_smallest_predecessor() {
    // Three paths of length 6 to vertex 5; the smallest predecessor, 1, is reached last.
    let ties = graph(
        r#"{"0": {"3": 1, "4": 2, "2": 3}, "1": {"5": 1}, "2": {"1": 2, "5": 3}, "3": {"5": 5},
            "4": {"5": 4}, "5": {}, "6": {"0": 1}}"#,
    );
    for (name, search) in POSITIVE.iter().chain(&ANY) {
        let found = search(&ties, 0).unwrap();
        let distances = [Some(0), Some(5), Some(3), Some(1), Some(2), Some(6), None];
        assert_eq!(found.distances, distances, "{name}");
        let parents = [None, Some(2), Some(0), Some(0), Some(0), Some(1), None];
        assert_eq!(found.routing_table, parents, "{name}");
        assert_eq!(find_route(&found.routing_table, 0, 6), Ok(vec![]), "{name}");
    }
}

#[test]
fn first_come_and_last_come() {
    // 0 leads to 1, 2, 3; each of them to the others and to 4.
    let dense = graph(
        r#"{"0": {"1": 1, "2": 1, "3": 1}, "1": {"2": 1, "3": 1, "4": 1},
            "2": {"3": 1, "4": 1, "1": 1}, "3": {"4": 1, "1": 1, "2": 1}, "4": {"0": 1}}"#,
    );
    let wide = bfs(5, 0, |v| dense.neighbours(v)).unwrap();
    assert_eq!(wide.routing_table, [None, Some(0), Some(0), Some(0), Some(1)]);
    assert_eq!(wide.distances, [0, 1, 1, 1, 2].map(Some));
    // 3 is popped first, then its last neighbour 2, then 1, then 4.
    let deep = dfs(5, 0, |v| dense.neighbours(v)).unwrap();
    assert_eq!(deep.routing_table, [None, Some(2), Some(3), Some(0), Some(1)]);
    assert_eq!(deep.distances, [0, 3, 2, 1, 4].map(Some));
}

#[test]
fn unknown_vertices_are_errors() {
    let pair = graph(r#"{"0": {"1": 1}, "1": {}}"#);
    for (name, search) in UNWEIGHTED.iter().chain(&POSITIVE[..2]).chain(&ANY[..1]) {
        assert_eq!(search(&pair, 2), Err(TraversalError::UnknownVertex(2)), "{name}");
        assert_eq!(search(&graph("{}"), 0), Err(TraversalError::UnknownVertex(0)), "{name}");
    }
    assert_eq!(both_ends(&pair, 0, 2), Err(TraversalError::UnknownVertex(2)));
    assert_eq!(both_ends(&pair, 2, 0), Err(TraversalError::UnknownVertex(2)));
    let beyond = |_| [(5, 1)];
    let error = Err(TraversalError::UnknownSuccessor { from: 0, to: 5 });
    assert_eq!(dijkstra(2, 0, beyond), error);
    assert_eq!(bfs(2, 0, |_| [5]), error);
    assert_eq!(a_star(2, 0, Some(1), beyond, |v| [1, 0][v]), error, "no guess is asked for 5");
    assert_eq!(a_star(2, 0, Some(2), beyond, |_| 0), Err(TraversalError::UnknownVertex(2)));
    assert_eq!(WeightedGraph::new(&[vec![(5, 1)]]).map(|_| ()), error.map(|_| ()));
}

#[test]
fn weights_below_one_are_errors_where_they_say_so() {
    for weight in [0, -3, i64::MIN] {
        let graph = graph(&format!(r#"{{"0": {{"1": {weight}}}, "1": {{}}}}"#));
        for (name, search) in POSITIVE {
            let error = TraversalError::WeightBelowOne { from: 0, to: 1, weight };
            assert_eq!(search(&graph, 0), Err(error), "{name}");
        }
        for (name, search) in ANY {
            assert_eq!(search(&graph, 0).unwrap().distances, [Some(0), Some(weight)], "{name}");
        }
    }
    // An edge back to a reached vertex is refused, too.
    let back = graph(r#"{"0": {"1": 1}, "1": {"0": 0}}"#);
    for (name, search) in POSITIVE {
        let error = TraversalError::WeightBelowOne { from: 1, to: 0, weight: 0 };
        assert_eq!(search(&back, 0), Err(error), "{name}");
    }
}

#[test]
fn distances_beyond_64_bits_are_errors() {
    let far = format!(r#"{{"0": {{"1": {0}}}, "1": {{"2": {0}}}, "2": {{}}}}"#, i64::MAX - 1);
    for (name, search) in POSITIVE.iter().chain(&ANY) {
        assert_eq!(search(&graph(&far), 0), Err(TraversalError::TooFar(2)), "{name}");
    }
    let just = format!(r#"{{"0": {{"1": {}}}}}"#, i64::MAX);
    for (name, search) in POSITIVE.iter().chain(&ANY) {
        let distances = search(&graph(&just), 0).unwrap().distances;
        assert_eq!(distances, [Some(0), Some(i64::MAX)], "{name}");
    }
    // The path over 1 is too long, and the edge to 2 is the shortest path.
    let around =
        format!(r#"{{"0": {{"1": {}, "2": 10}}, "1": {{"2": 5}}, "2": {{}}}}"#, i64::MAX - 1);
    for (name, search) in POSITIVE.iter().chain(&ANY) {
        let distances = search(&graph(&around), 0).unwrap().distances;
        assert_eq!(distances, [Some(0), Some(i64::MAX - 1), Some(10)], "{name}");
    }
    let longest = format!(
        r#"{{"0": {{"1": {}, "2": {}}}, "1": {{"2": 5}}, "2": {{}}}}"#,
        i64::MAX - 1,
        i64::MAX
    );
    for (name, search) in POSITIVE.iter().chain(&ANY) {
        let distances = search(&graph(&longest), 0).unwrap().distances;
        assert_eq!(distances, [Some(0), Some(i64::MAX - 1), Some(i64::MAX)], "{name}");
    }
    // Weights that are reduced by negative ones no longer fit, but the distances do.
    let reduced =
        format!(r#"{{"0": {{"1": {}}}, "1": {{"2": -9}}, "2": {{}}, "3": {{"1": -9}}}}"#, i64::MAX);
    for (name, search) in ANY {
        let distances = search(&graph(&reduced), 0).unwrap().distances;
        let expected = [Some(0), Some(i64::MAX), Some(i64::MAX - 9), None];
        assert_eq!(distances, expected, "{name}");
    }
    let below = format!(r#"{{"0": {{"1": {0}}}, "1": {{"2": {0}}}, "2": {{}}}}"#, i64::MIN);
    for (name, search) in ANY {
        assert_eq!(search(&graph(&below), 0), Err(TraversalError::TooFar(2)), "{name}");
    }
}

#[test]
fn negative_weights_and_cycles() {
    let detour =
        graph(r#"{"0": {"1": 2, "2": 5}, "1": {"3": 2}, "2": {"1": -4, "0": -5}, "3": {}}"#);
    for (name, search) in ANY {
        let found = search(&detour, 0).unwrap();
        assert_eq!(found.distances, [0, 1, 5, 3].map(Some), "{name}");
        assert_eq!(found.routing_table, [None, Some(2), Some(0), Some(1)], "{name}");
    }
    let absorbing =
        graph(r#"{"0": {"4": 1}, "4": {"2": -3}, "2": {"3": 1}, "3": {"4": 1}, "1": {"0": -1}}"#);
    for (name, search) in ANY {
        let error = search(&absorbing, 1).unwrap_err();
        assert_eq!(error, TraversalError::NegativeCycle(vec![2, 3, 4]), "{name}");
        assert_eq!(error.to_string(), "there is a cycle of negative weight: 2 → 3 → 4 → 2");
    }
    let aside = graph(r#"{"0": {"1": 1}, "1": {}, "2": {"2": -1}}"#);
    assert_eq!(ANY[0].1(&aside, 0).unwrap().distances, [Some(0), Some(1), None]);
    assert_eq!(ANY[1].1(&aside, 0), Err(TraversalError::NegativeCycle(vec![2])));
}

#[test]
fn cycles_of_weight_zero_do_not_turn_predecessors_round() {
    // Vertices 1 and 2 have the same distance and edges of weight 0 between them; each prefers the other to 3.
    let twins =
        graph(r#"{"1": {"2": 0}, "2": {"1": 0, "4": 1}, "3": {"1": 7, "2": 7}, "4": {"4": 0}}"#);
    for (name, search) in ANY {
        let found = search(&twins, 2).unwrap();
        assert_eq!(found.distances, [7, 7, 0, 8].map(Some), "{name}");
        assert_eq!(found.routing_table, [Some(2), Some(0), None, Some(1)], "{name}");
    }
}
