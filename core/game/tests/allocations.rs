//! The work of every turn allocates nothing.

use std::hint::black_box;

use allocation_counter::measure;
use game::pacman::{
    Colour, Direction, Event, Map, Orders, Quick, Rules, RulesPreset, Seeded, State, StateReader,
    StateText,
};

const TURNS: u32 = 200;

/// A game of the maximum number of players under these rules, and its draws.
fn start(rules: Rules) -> (State, Seeded) {
    let map = include_bytes!("../../../cartes/plan1.txt");
    let map = Map::parse(map).expect("a correct map");
    let mut chance = Seeded::new(4);
    let state = State::start(&map, rules, TURNS, Colour::MAX, &mut chance);
    (state, chance)
}

/// Arbitrary orders of every kind.
fn orders(turn: usize) -> [Orders; Colour::MAX] {
    std::array::from_fn(|player| {
        let direction = |at: usize| Direction::ALL.get(at % 5).copied();
        Orders { pacman: direction(turn / 3 + player), ghost: direction(turn / 5 + player * 3) }
    })
}

fn names() -> Vec<String> {
    (0..Colour::MAX).map(|player| format!("Équipe {player}")).collect()
}

/// The texts of a whole game, intermediate states included.
fn texts(rules: Rules) -> Vec<Vec<u8>> {
    let (mut state, mut chance) = start(rules);
    let mut writer = StateText::new(names());
    let mut texts = Vec::new();
    for turn in 0..TURNS as usize {
        let orders = orders(turn);
        state.play_turn(&orders, &mut chance, |_, state| {
            texts.push(writer.write(state.view()).to_vec());
        });
    }
    texts
}

#[test]
fn allocations_are_counted() {
    let info = measure(|| drop(black_box(Box::new(1))));
    assert_eq!(info.count_total, 1);
}

#[test]
fn a_turn_allocates_nothing() {
    for (name, rules) in RulesPreset::ALL.map(|preset| (preset.name(), preset.rules())) {
        let (mut state, mut chance) = start(rules);
        let (mut battles, mut teleports, mut appeared) = (0, 0, 0);
        let info = measure(|| {
            for turn in 0..TURNS as usize {
                state.play_turn(&orders(turn), &mut chance, |event, _| match event {
                    Event::Battle { .. } => battles += 1,
                    Event::Teleported { .. } => teleports += 1,
                    Event::Appeared { .. } => appeared += 1,
                    _ => {}
                });
            }
        });
        assert_eq!(info.count_total, 0, "under {name}");
        assert!(state.view().is_over());
        assert!(battles > 0 && teleports > 0 && appeared > 0, "all of a turn has been measured");
    }
}

#[test]
fn looking_ahead_allocates_nothing() {
    let (mut state, mut chance) = start(Rules::SUJET);
    let mut ahead = state.clone();
    for turn in 0..TURNS as usize {
        state.play_turn(&orders(turn), &mut chance, |_, _| {});
        let info = measure(|| {
            ahead.clone_from(&state);
            ahead.play_turn(&orders(turn + 1), &mut Quick::new(7), |_, _| {});
        });
        assert_eq!(info.count_total, 0, "after turn {turn}");
    }
}

#[test]
fn writing_allocates_nothing_after_the_first_text() {
    let (mut state, mut chance) = start(Rules::ORLEANS_2024);
    let mut text = StateText::new(names());
    text.write(state.view());
    let info = measure(|| {
        for turn in 0..TURNS as usize {
            state.play_turn(&orders(turn), &mut chance, |_, state| {
                black_box(text.write(state.view()));
            });
        }
    });
    assert_eq!(info.count_total, 0);
}

#[test]
fn reading_allocates_nothing_after_the_first_text() {
    let texts = texts(Rules::SUJET);
    let mut reader = StateReader::new();
    reader.read(&texts[0]).unwrap();
    let info = measure(|| {
        for text in &texts {
            black_box(reader.read(text)).unwrap();
        }
    });
    assert_eq!(info.count_total, 0);
}
