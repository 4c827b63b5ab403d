//! Speed of generating mazes and of playing turns.
#![allow(missing_docs, reason = "the macros make a function")]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use game::pyrat::{Action, Direction, Recipe, Start, State};

fn mazes(bench: &mut Criterion) {
    for (width, height) in [(15, 13), (31, 29)] {
        let recipe = Recipe { width, height, mud: 30.0, ..Recipe::default() };
        let mut seed = 0;
        assert!(recipe.make(seed).is_ok_and(|maze| maze.is_connected()));
        bench.bench_function(&format!("maze {width}x{height}, mud 30 %"), |bench| {
            bench.iter(|| {
                seed += 1;
                recipe.make(black_box(seed))
            });
        });
    }
}

fn turns(bench: &mut Criterion) {
    const TURNS: u32 = 10_000;
    let maze = Recipe::default().make(1).expect("the default recipe makes a maze");
    let start = State::start(&maze, 2, &Start::Corners, 21, 1, None).expect("they fit");
    let play = || {
        let mut state = start.clone();
        let mut drawn = 1_u32;
        for _ in 0..TURNS {
            drawn = drawn.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let direction = |bits: u32| Action::Go(Direction::ALL[(bits & 3) as usize]);
            state.play_turn(&[direction(drawn >> 20), direction(drawn >> 24)]);
        }
        state
    };
    assert_eq!(play().turn(), TURNS);
    let mut group = bench.benchmark_group("turns");
    group.throughput(Throughput::Elements(TURNS.into()));
    group.bench_function("two rats", |bench| bench.iter(play));
    group.finish();
}

criterion_group!(benches, mazes, turns);
criterion_main!(benches);
