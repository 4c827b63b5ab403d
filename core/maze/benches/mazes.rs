//! Benchmarks of the generators on mazes of 1000×1000 cells; `elem/s` are cells per second.
#![allow(missing_docs, reason = "written by a macro")]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use graph::Dims;
use maze::Generator;
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

fn generators(criterion: &mut Criterion) {
    let dims = Dims::new(1000, 1000).expect("more than 0");
    let mut group = criterion.benchmark_group("generators_1000x1000");
    group.throughput(Throughput::Elements(dims.len() as u64)).sample_size(20);
    for generator in Generator::ALL {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let maze = generator.generate(dims, &mut rng);
        assert_eq!(maze.passage_count(), dims.len() - 1);
        assert!(maze.is_perfect());
        group.bench_function(generator.name(), |bencher| {
            bencher.iter(|| black_box(generator.generate(dims, &mut rng)));
        });
    }
}

criterion_group!(benches, generators);
criterion_main!(benches);
