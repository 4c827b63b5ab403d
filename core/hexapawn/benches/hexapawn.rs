//! Durations of the solver for initial positions, each time with an empty table.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use hexapawn::{Configuration, HexapawnSolution, HexapawnSolver, Size};

fn solve(size: Size) -> HexapawnSolution {
    let start = Configuration::start(black_box(size));
    HexapawnSolver::new(size).value(&start, |_| Ok::<(), ()>(())).expect("nothing stops it")
}

fn initial_positions(c: &mut Criterion) {
    let mut group = c.benchmark_group("hexapawn");
    group.sample_size(10);
    for (lines, columns, value) in [(5, 4, -16), (5, 5, 19), (6, 5, 29), (6, 6, -30)] {
        let size = Size::new(lines, columns).expect("at most 64 cells");
        assert_eq!(solve(size).value.get(), value);
        group.bench_function(format!("{lines}x{columns}"), |b| b.iter(|| solve(size)));
    }
    group.finish();
}

criterion_group!(benches, initial_positions);
criterion_main!(benches);
