//! Durations of the puddles: the seed's puzzle by each algorithm, and the proof for 4 × 4.
#![allow(missing_docs, reason = "a benchmark")]

use std::hint::black_box;
use std::ops::ControlFlow;
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use graph::Pos;
use puddles::{Board, Puzzle, PuzzleAlgorithm, PuzzleAnswer, SearchReport, solve};

fn puzzle(side: usize, value: u32) -> Puzzle {
    let board = Board::new(side, side).expect("the side is allowed");
    Puzzle::new(board, value, Pos { row: 0, col: 0 }).expect("the value is allowed")
}

fn run(puzzle: &Puzzle, algorithm: PuzzleAlgorithm) -> SearchReport<()> {
    solve(puzzle, algorithm, |_| ControlFlow::Continue(()))
}

fn jumps(report: &SearchReport<()>) -> usize {
    match &report.answer {
        Ok(PuzzleAnswer::Jumps(jumps)) => jumps.len(),
        other => panic!("there is a solution: {other:?}"),
    }
}

fn puddles(criterion: &mut Criterion) {
    let three = puzzle(3, 5);
    for (name, algorithm, most) in [
        ("3×3, 5: seed", PuzzleAlgorithm::Seed, 2152),
        ("3×3, 5: breadth first", PuzzleAlgorithm::BreadthFirst, 609),
        ("3×3, 5: A*", PuzzleAlgorithm::AStar, 35),
    ] {
        let report = run(&three, algorithm);
        assert_eq!(jumps(&report), 10);
        assert!(report.counts.expanded <= most, "{:?}", report.counts);
        criterion
            .bench_function(name, |bencher| bencher.iter(|| run(black_box(&three), algorithm)));
    }
    let four = puzzle(4, 8);
    assert_eq!(jumps(&run(&four, PuzzleAlgorithm::AStar)), 26);
    let mut group = criterion.benchmark_group("slow");
    group.sample_size(10).measurement_time(Duration::from_secs(10));
    group.bench_function("4×4, 8: A*", |bencher| {
        bencher.iter(|| run(black_box(&four), PuzzleAlgorithm::AStar));
    });
}

criterion_group!(benches, puddles);
criterion_main!(benches);
