//! The searches against brute force on small random graphs.

use graph::WeightedGraph;
use graph::traversal::{Traversal, TraversalError, a_star, find_route};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::searches::{ANY, POSITIVE, UNWEIGHTED, both_ends};

/// Graphs with up to seven vertices, and edges in any order, in one or both directions, including loops.
fn graphs(weights: std::ops::RangeInclusive<i64>) -> impl Strategy<Value = WeightedGraph> {
    (1_usize..=7).prop_flat_map(move |vertices| {
        let edge = (0..vertices, 0..vertices, weights.clone(), any::<bool>());
        vec(edge, 0..=3 * vertices).prop_map(move |edges| {
            let mut successors = vec![Vec::new(); vertices];
            for (from, to, weight, both) in edges {
                successors[from].push((to, weight));
                if both {
                    successors[to].push((from, weight));
                }
            }
            WeightedGraph::new(&successors).unwrap()
        })
    })
}

/// The results of brute force.
struct Truth {
    /// The distances, by trying every path without a cycle.
    distances: Vec<Option<i64>>,
    /// True if a cycle that was found is negative.
    negative_cycle: bool,
}

impl Truth {
    fn of(graph: &WeightedGraph, source: usize) -> Self {
        let mut truth = Self { distances: vec![None; graph.len()], negative_cycle: false };
        truth.walk(graph, &mut vec![(source, 0)]);
        truth
    }

    /// Extends a path from its end; `way` has each vertex with its distance along the path.
    fn walk(&mut self, graph: &WeightedGraph, way: &mut Vec<(usize, i64)>) {
        let (at, distance) = *way.last().unwrap();
        let best = &mut self.distances[at];
        *best = Some(best.map_or(distance, |best| best.min(distance)));
        for (to, weight) in graph.successors(at) {
            if let Some(passed) = way.iter().find(|passed| passed.0 == to) {
                self.negative_cycle |= distance + weight < passed.1;
            } else {
                way.push((to, distance + weight));
                self.walk(graph, way);
                way.pop();
            }
        }
    }

    /// The equally good predecessors of a vertex.
    fn predecessors(&self, graph: &WeightedGraph, vertex: usize) -> Vec<usize> {
        let explains = |&from: &usize| {
            let weight = (from != vertex).then(|| graph.weight(from, vertex)).flatten();
            let way = self.distances[from].and_then(|distance| Some(distance + weight?));
            way.is_some() && way == self.distances[vertex]
        };
        (0..graph.len()).filter(explains).collect()
    }

    /// Checks the distances and the routing table.
    fn judge(&self, name: &str, graph: &WeightedGraph, source: usize, found: &Traversal) {
        assert_eq!(found.distances, self.distances, "{name}");
        let smallest = |vertex: usize| {
            if vertex == source { None } else { self.predecessors(graph, vertex).first().copied() }
        };
        let preferred: Vec<_> = (0..graph.len()).map(smallest).collect();
        for vertex in 0..graph.len() {
            if find_route(&preferred, source, vertex).is_ok() {
                assert_eq!(found.routing_table[vertex], preferred[vertex], "{name}");
            } else {
                // The smallest predecessors form a cycle of weight 0.
                let parent = found.routing_table[vertex].unwrap();
                assert!(self.predecessors(graph, vertex).contains(&parent), "{name}");
            }
            let route = find_route(&found.routing_table, source, vertex).unwrap();
            assert_eq!(route.is_empty(), self.distances[vertex].is_none(), "{name}");
        }
    }
}

/// Breadth-first search that marks vertices when it discovers them.
fn breadth_first(graph: &WeightedGraph, source: usize) -> Vec<Option<usize>> {
    let mut parents = vec![None; graph.len()];
    let mut discovered = vec![source];
    let mut next = 0;
    while let Some(&at) = discovered.get(next) {
        next += 1;
        for to in graph.neighbours(at) {
            if !discovered.contains(&to) {
                discovered.push(to);
                parents[to] = Some(at);
            }
        }
    }
    parents
}

/// Depth-first search by recursion, the last neighbour first.
fn depth_first(
    graph: &WeightedGraph,
    at: usize,
    marked: &mut Vec<bool>,
    parents: &mut Vec<Option<usize>>,
) {
    marked[at] = true;
    let neighbours: Vec<_> = graph.neighbours(at).collect();
    for &to in neighbours.iter().rev() {
        if !marked[to] {
            parents[to] = Some(at);
            depth_first(graph, to, marked, parents);
        }
    }
}

/// A heuristic: `percent` of the true distance to the target, rounded down.
fn guesses(graph: &WeightedGraph, target: usize, percent: i64) -> Vec<i64> {
    let left = Truth::of(&graph.reversed(), target).distances;
    // Vertices without a path to the target only lead to such vertices, so any large number is valid.
    left.into_iter().map(|left| left.unwrap_or(1000) * percent / 100).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn positive_weights(graph in graphs(1..=3), source in 0_usize..7) {
        let source = source % graph.len();
        let truth = Truth::of(&graph, source);
        for (name, search) in POSITIVE.iter().chain(&ANY) {
            truth.judge(name, &graph, source, &search(&graph, source).unwrap());
        }
    }

    #[test]
    fn searches_for_one_target(
        graph in graphs(1..=4), source in 0_usize..7, target in 0_usize..7, percent in 0_i64..=100,
    ) {
        let (source, target) = (source % graph.len(), target % graph.len());
        let whole = POSITIVE[0].1(&graph, source).unwrap();
        let expected = find_route(&whole.routing_table, source, target);
        let guesses = guesses(&graph, target, percent);
        let guided =
            a_star(graph.len(), source, Some(target), |v| graph.successors(v), |v| guesses[v]);
        for found in [guided.unwrap(), both_ends(&graph, source, target).unwrap()] {
            prop_assert_eq!(found.distances[target], whole.distances[target]);
            prop_assert_eq!(find_route(&found.routing_table, source, target), expected.clone());
            // The other reached vertices are right as well.
            for vertex in (0..graph.len()).filter(|&v| found.distances[v].is_some()) {
                prop_assert_eq!(found.distances[vertex], whole.distances[vertex]);
                prop_assert_eq!(found.routing_table[vertex], whole.routing_table[vertex]);
            }
        }
    }

    #[test]
    fn any_weights(graph in graphs(-1..=3), source in 0_usize..7) {
        let source = source % graph.len();
        let truth = Truth::of(&graph, source);
        let elsewhere = (0..graph.len()).any(|source| Truth::of(&graph, source).negative_cycle);
        for ((name, search), cyclic) in ANY.iter().zip([truth.negative_cycle, elsewhere]) {
            match search(&graph, source) {
                Ok(found) => {
                    prop_assert!(!cyclic, "{}", name);
                    truth.judge(name, &graph, source, &found);
                }
                Err(TraversalError::NegativeCycle(cycle)) => {
                    let onwards = cycle.iter().cycle().skip(1);
                    let steps = cycle.iter().zip(onwards);
                    let weight: i64 =
                        steps.map(|(&from, &to)| graph.weight(from, to).unwrap()).sum();
                    prop_assert!(weight < 0, "{}: {:?} weighs {}", name, cycle, weight);
                    prop_assert!(*name == "johnson" || truth.distances[cycle[0]].is_some());
                    prop_assert_eq!(cycle.iter().min(), cycle.first());
                    let mut once = cycle.clone();
                    once.sort_unstable();
                    once.dedup();
                    prop_assert_eq!(once.len(), cycle.len());
                }
                Err(error) => prop_assert!(false, "{}: {}", name, error),
            }
        }
    }

    #[test]
    fn no_weights(graph in graphs(1..=1), source in 0_usize..7) {
        let source = source % graph.len();
        let truth = Truth::of(&graph, source);
        let [wide, deep] = UNWEIGHTED.map(|(_, search)| search(&graph, source).unwrap());
        prop_assert_eq!(wide.distances, truth.distances);
        prop_assert_eq!(wide.routing_table, breadth_first(&graph, source));
        let mut parents = vec![None; graph.len()];
        depth_first(&graph, source, &mut vec![false; graph.len()], &mut parents);
        prop_assert_eq!(&deep.routing_table, &parents);
        for (vertex, &depth) in deep.distances.iter().enumerate() {
            let route = find_route(&parents, source, vertex).unwrap();
            let edges = i64::try_from(route.len()).unwrap() - 1;
            prop_assert_eq!(depth.unwrap_or(-1), edges);
        }
    }
}
