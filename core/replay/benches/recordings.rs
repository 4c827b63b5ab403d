//! Benchmarks of reading and verifying recordings and of writing films.
#![allow(missing_docs, reason = "the macros make a function")]

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use game::pacman::{Direction, Map, Orders, Rules};
use replay::{
    Answer, Given, Marks, PacmanSetup, Recorder, Recording, Replay, Setup, Turn, film, hash, verify,
};
use serde_json::Value;

/// The bytes of a game of four players who walk at random.
fn recorded(turns: u32) -> Vec<u8> {
    let map: Map = include_str!("../../../cartes/plan1.txt").parse().expect("a map");
    let names = ["A", "B", "C", "D"].map(String::from).to_vec();
    let setup = Setup::Pacman(PacmanSetup { map, rules: Rules::SUJET, seed: 1, turns, names });
    let mut game = Replay::start(&setup);
    let (mut recorder, mut bytes) = Recorder::start(setup);
    let mut drawn = 1_u32;
    while !game.is_over() {
        let mut answer = || {
            drawn = drawn.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let direction = |bits: u32| Some(Direction::ALL[(bits % 4) as usize]);
            let orders = Orders { pacman: direction(drawn >> 20), ghost: direction(drawn >> 24) };
            Given::in_time(Answer::Orders(orders), std::time::Duration::from_millis(2))
        };
        let answers = (0..4).map(|_| answer()).collect();
        let mut turn = Turn { answers, marks: Marks::default() };
        game.play(&turn);
        turn.marks = game.marks();
        bytes.extend(recorder.turn(turn, hash(game.text())));
    }
    bytes.extend(recorder.end(hash(game.text())));
    bytes
}

fn recordings(bench: &mut Criterion) {
    let bytes = recorded(200);
    let recording = Recording::read(&bytes).expect("a recording");
    assert_eq!(verify(&recording), Ok(()));
    bench.bench_function("200 turns, read", |b| b.iter(|| Recording::read(black_box(&bytes))));
    bench.bench_function("200 turns, verify", |b| b.iter(|| verify(black_box(&recording))));
    let long = Recording::read(&recorded(10_000)).expect("a recording");
    let written = || {
        let mut bytes = Vec::new();
        film::write(black_box(&long), &mut bytes).expect("writing into memory does not fail");
        bytes
    };
    let film: Value = serde_json::from_slice(&written()).expect("a film");
    assert_eq!(film["frames"].as_array().map(Vec::len), Some(10_001));
    let mut group = bench.benchmark_group("long");
    group.sample_size(10);
    group.bench_function("10 000 turns, film", |b| b.iter(written));
    group.finish();
}

criterion_group!(benches, recordings);
criterion_main!(benches);
