//! Whole games of PyRat: a maze is made, and Dijkstra's player walks to the cheese.
#![allow(missing_docs, reason = "the macros make a function")]

use std::hint::black_box;

use bots::pyrat::by_name;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use game::pyrat::{Recipe, Start, State};
use lab::progress::ProgressDisplay;
use lab::pyrat::play::play;

fn games(bench: &mut Criterion) {
    /// Number of games of a measurement, with seeds from 0 on; `SIZES` holds width, height and total turns.
    const GAMES: u64 = 100;
    const SIZES: [(u16, u16, u32); 2] = [(15, 13, 2145), (31, 29, 3487)];
    let mut group = bench.benchmark_group("whole games, mud 30 %");
    let dijkstra = by_name("dijkstra").expect("there is such a player");
    let progress = ProgressDisplay::open_ended("playing");
    for (width, height, turns) in SIZES {
        let recipe = Recipe { width, height, mud: 30.0, ..Recipe::default() };
        let play = |seed| -> u32 {
            let maze = recipe.make(seed).expect("the recipe makes a maze");
            let start = State::start(&maze, 1, &Start::Centre, 1, seed, None);
            let start = start.expect("the cheese fits");
            let mut players = [dijkstra.make(seed)];
            play(start, &mut players, &progress).expect("nobody interrupts").turn()
        };
        assert_eq!((0..GAMES).map(play).sum::<u32>(), turns);
        group.throughput(Throughput::Elements(GAMES));
        group.bench_function(format!("{width}x{height}"), |bench| {
            bench.iter(|| (0..GAMES).map(|seed| play(black_box(seed))).sum::<u32>());
        });
    }
    group.finish();
}

criterion_group!(benches, games);
criterion_main!(benches);
