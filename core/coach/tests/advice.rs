//! Advice on games whose best orders are known.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use bots::{Budget, HouseGame};
use coach::{Effort, advise, branch};
use game::pacman::{Colour, Direction, Map, Orders, Rules};
use replay::{Answer, Given, Marks, PacmanSetup, Recording, Setup, Turn, verify};

fn first() -> Colour {
    Colour::first(1).next().unwrap()
}

/// A game of bots of the house, in which the first player gives other orders in some turns.
fn game(map: &str, turns: u32, names: &[&str], others: &[(u32, Orders)]) -> Recording {
    let map: Map = map.parse().unwrap();
    let (rules, seed) = (Rules::SUJET, 3);
    let made = names.iter().map(|name| bots::by_name(name).unwrap().make(1)).collect();
    let mut game = HouseGame::start(&map, rules, turns, seed, made);
    let names = names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    let players = names.len();
    let setup = Setup::Pacman(PacmanSetup { map, rules, seed, turns, names });
    let (mut replayed, mut recording) = (replay::Replay::start(&setup), Recording::new(setup));
    for turn in 1..=turns {
        let ask = |me| Given::nothing(Answer::Orders(game.ask(me, Budget::default())));
        let mut answers: Vec<_> = Colour::first(players).map(ask).collect();
        game.play_asked(|_, _| {});
        if let Some((_, orders)) = others.iter().find(|(other, _)| *other == turn) {
            answers[0] = Given::nothing(Answer::Orders(*orders));
        }
        let mut turn = Turn { answers, marks: Marks::default() };
        replayed.play(&turn);
        turn.marks = replayed.marks();
        recording.turns.push(&turn);
    }
    recording
}

/// Every step takes a vitamin of 3 points, and an order without a direction costs a point.
#[test]
fn the_gain_of_the_last_turn_is_exact() {
    let nowhere = Orders { pacman: None, ghost: Some(Direction::North) };
    let recording = game("3;5\n.....\n.....\n.....\n", 1, &["glouton"], &[(1, nowhere)]);
    let [advice] = advise(&recording, first(), Effort::default())[..] else {
        panic!("one turn, one advice")
    };
    assert_eq!((advice.turn, advice.played), (1, nowhere));
    assert!(advice.advised.pacman.is_some() && advice.advised.ghost == nowhere.ghost);
    assert!((advice.gain - 4.0).abs() < 1e-9 && advice.margin.abs() < 1e-9, "{advice:?}");
}

#[test]
fn advice_is_the_same_again_and_can_be_looked_at() {
    let plan = game::pacman::maps::text_of("petit").unwrap();
    let recording = game(plan, 30, &["prudent", "glouton", "glouton"], &[]);
    let effort = Effort { second: 4, close: 4, last: 4, ..Effort::default() };
    let advices = advise(&recording, first(), effort);
    assert_eq!(advices, advise(&recording, first(), effort));
    assert!(!advices.is_empty() && advices.len() <= 5);
    assert!(advices.is_sorted_by(|a, b| a.gain >= b.gain && b.gain > 0.0));
    for advice in &advices {
        let other = Recording::read(&branch(&recording, first(), advice)).unwrap();
        assert_eq!((verify(&other), other.turn(), other.is_complete), (Ok(()), 30, true));
        let before = advice.turn as usize - 1;
        assert!(other.turns.range(0..before).eq(recording.turns.range(0..before)));
        let advised = other.turns.get(before).unwrap();
        assert_eq!(advised.answers[0].orders(), advice.advised);
        assert_eq!(advised.answers[1..], recording.turns.get(before).unwrap().answers[1..]);
    }
}
