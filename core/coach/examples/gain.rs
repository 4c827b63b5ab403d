//! Measures how many points `glouton` gains by following the coach's advice, under draws that the coach has not used: `gain [GAMES]`,
//! 100 games when missing. Prints the mean gain of an advice and the mean gain that the coach estimated, with their 95 % intervals, and
//! the time that the coach takes for a game.
#![expect(clippy::print_stdout, reason = "it is what it is for")]
#![allow(
    clippy::unwrap_used,
    clippy::cast_precision_loss,
    reason = "a measurement may fail, and is rounded"
)]

use std::time::Instant;

use bots::{Budget, HouseGame};
use coach::{Advice, Effort, advise, play_on};
use game::pacman::{Colour, Map, Orders, Rules, maps};
use replay::{Answer, Given, Marks, PacmanSetup, Recording, Setup, Turn};

const PLAYERS: usize = 4;
const TURNS: u32 = 200;
/// Draws under which each advice is followed, far from those of the coach.
const DRAWS: std::ops::Range<u64> = 1_000_000..1_000_008;

fn glouton_game(seed: u64) -> Recording {
    let map: Map = maps::text_of("plan1").unwrap().parse().unwrap();
    let made = (0..PLAYERS as u64).map(|seed| bots::by_name("glouton").unwrap().make(seed));
    let mut game = HouseGame::start(&map, Rules::SUJET, TURNS, seed, made.collect());
    let names = Colour::first(PLAYERS).map(|colour| colour.as_str().to_owned()).collect();
    let setup = PacmanSetup { map, rules: Rules::SUJET, seed, turns: TURNS, names };
    let mut recording = Recording::new(Setup::Pacman(setup));
    while !game.state().view().is_over() {
        let ask = |me| Given::nothing(Answer::Orders(game.ask(me, Budget::default())));
        let answers = Colour::first(PLAYERS).map(ask).collect();
        game.play_asked(|_, _| {});
        recording.turns.push(&Turn { answers, marks: Marks::default() });
    }
    recording
}

/// The mean gain of an advice that is followed.
fn followed(recording: &Recording, me: Colour, advice: &Advice) -> f64 {
    let points = |orders: Orders, draws| {
        f64::from(play_on(recording, me, advice.turn, orders, draws).unwrap())
    };
    let gains = DRAWS.map(|draws| points(advice.advised, draws) - points(advice.played, draws));
    gains.sum::<f64>() / DRAWS.count() as f64
}

fn told(name: &str, gains: &[f64]) {
    let count = gains.len() as f64;
    let mean = gains.iter().sum::<f64>() / count;
    let variance = gains.iter().map(|gain| (gain - mean).powi(2)).sum::<f64>() / (count - 1.0);
    let margin = 1.96 * (variance / count).sqrt();
    println!(
        "{name}: {mean:.1} points ({:.1} to {:.1}), {count} advices",
        mean - margin,
        mean + margin
    );
}

fn main() {
    let games = std::env::args().nth(1).map_or(100, |games| games.parse().unwrap());
    let (mut expected, mut gained, mut spent) = (Vec::new(), Vec::new(), 0.0);
    for seed in 0..games {
        let recording = glouton_game(seed);
        let me = Colour::new(seed as usize % PLAYERS).unwrap();
        let began = Instant::now();
        let advices = advise(&recording, me, Effort::default());
        spent += began.elapsed().as_secs_f64();
        expected.extend(advices.iter().map(|advice| advice.gain));
        gained.extend(advices.iter().map(|advice| followed(&recording, me, advice)));
    }
    told("gained", &gained);
    told("told", &expected);
    println!("{:.2} s for a game of {TURNS} turns", spent / games as f64);
}
