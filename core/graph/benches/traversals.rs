//! Benchmarks of the generic Dijkstra against petgraph's, on the same random mazes with mud.
#![allow(clippy::unwrap_used, missing_docs, reason = "a benchmark")]

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use graph::traversal::{Traversal, dijkstra};
use graph::{Dims, WeightedGraph};
use maze::muddy_grid;
use petgraph::graph::{DiGraph, NodeIndex};
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

fn search(graph: &WeightedGraph) -> Traversal {
    dijkstra(graph.len(), 0, |vertex| graph.successors(vertex)).unwrap()
}

fn dijkstras(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("dijkstra");
    for side in [30, 300, 1000] {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let ours = muddy_grid(Dims::new(side, side).unwrap(), 25, 25, &mut rng);
        let edges = ours.edges().map(|(from, to, weight)| (from as u32, to as u32, weight));
        let peer: DiGraph<(), i64> = DiGraph::from_edges(edges);

        let found = search(&ours);
        let expected =
            petgraph::algo::dijkstra(&peer, NodeIndex::new(0), None, |edge| *edge.weight());
        for (vertex, distance) in found.distances.into_iter().enumerate() {
            assert_eq!(distance, expected.get(&NodeIndex::new(vertex)).copied());
        }

        group.sample_size(10).throughput(Throughput::Elements(ours.len() as u64));
        group.bench_function(BenchmarkId::new("graph", side), |b| {
            b.iter(|| search(black_box(&ours)));
        });
        group.bench_function(BenchmarkId::new("petgraph", side), |b| {
            b.iter(|| {
                petgraph::algo::dijkstra(black_box(&peer), NodeIndex::new(0), None, |edge| {
                    *edge.weight()
                })
            });
        });
    }
    group.finish();
}

criterion_group!(benches, dijkstras);
criterion_main!(benches);
