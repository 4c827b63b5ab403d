//! Events that a spectator is told, against those that happened.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use client::viewer::Happening;
use game::pacman::{
    Chance, Colour, Direction, Event, FalseMoveCounter, Map, Object, Orders, Quick, Rules, Seeded,
    State, View,
};

const MAPS: [&str; 3] = [
    include_str!("../../cartes/plan1.txt"),
    include_str!("../../cartes/objets.txt"),
    include_str!("../../cartes/petit.txt"),
];

/// Orders of a player that mostly walks along corridors and sometimes errs.
fn orders(view: &View, colour: Colour, random: &mut Quick) -> Orders {
    let player = view.player(colour).unwrap();
    let mut draw = |cell| {
        let exits = view.board().exits(cell);
        match random.below(12) {
            0 => None,
            1 => Some(Direction::ALL[random.below(4) as usize]),
            _ => exits.get(random.below(exits.len().max(1) as u32) as usize).copied(),
        }
    };
    Orders { pacman: draw(player.pacman), ghost: draw(player.ghost) }
}

/// Event of the rules as a spectator sees it.
fn seen(event: Event) -> Option<Happening> {
    match event {
        Event::Took { colour, object, .. } => Some(Happening::Took { colour, object }),
        Event::Battle { pacman, ghost, bitten } => {
            Some(Happening::Battle { pacman, ghost, bitten })
        }
        Event::FalseMove { piece, .. } => Some(Happening::FalseMove(piece.colour)),
        Event::Teleported { piece, .. } => Some(Happening::Teleported(piece)),
        Event::Appeared { object, .. } => Some(Happening::Appeared(object)),
        _ => None,
    }
}

/// Plays games and hands over, at every state that a spectator sees, the last one, this one,
/// and what really happened in between but for the powers that ended.
fn played(mut each: impl FnMut(&View, &View, &[Event])) {
    let no_digestion = Rules { digestion: false, ..Rules::ORLEANS_2024 };
    let often = FalseMoveCounter::Made { limit: 2 };
    let teleporting = Rules { false_moves: often, ..Rules::SUJET };
    for (seed, map) in (0..).zip(MAPS) {
        for rules in [Rules::SUJET, Rules::ORLEANS_2024, no_digestion, teleporting] {
            let map: Map = map.parse().unwrap();
            let (mut chance, mut random) = (Seeded::new(seed), Quick::new(seed));
            let mut state = State::start(&map, rules, 200, 5, &mut chance);
            let mut last = state.view().clone();
            while !state.view().is_over() {
                let all: Vec<_> = Colour::first(5)
                    .map(|colour| orders(state.view(), colour, &mut random))
                    .collect();
                let mut events = Vec::new();
                state.play_turn(&all, &mut chance, |event, state| {
                    events.push(event);
                    if matches!(event, Event::Done(_) | Event::TurnEnded) {
                        each(&last, state.view(), &events);
                        last.clone_from(state.view());
                        events.clear();
                    }
                });
            }
        }
    }
}

#[test]
fn events_between_states_are_those_that_happened() {
    let mut counts = [0; 6];
    played(|before, after, events| {
        let ended = |happening: &Happening| matches!(happening, Happening::PowerEnded { .. });
        let mut told = Happening::between(before, after);
        let powers: Vec<_> = told.extract_if(.., |happening| ended(happening)).collect();
        let expected: Vec<_> = events.iter().copied().filter_map(seen).collect();
        assert_eq!(told, expected, "{events:?}");
        for happening in told.iter().chain(&powers) {
            counts[match happening {
                Happening::Took { .. } => 0,
                Happening::Battle { .. } => 1,
                Happening::FalseMove(_) => 2,
                Happening::Teleported(_) => 3,
                Happening::Appeared(_) => 4,
                Happening::PowerEnded { .. } => 5,
                Happening::Points { .. } => unreachable!("nothing is missing"),
            }] += 1;
        }
        for colour in Colour::first(5) {
            let (was, is) = (before.player(colour).unwrap(), after.player(colour).unwrap());
            let over = was.powers.freeze > 0 && is.powers.freeze == 0;
            let power = Object::Freeze;
            assert_eq!(powers.contains(&Happening::PowerEnded { colour, power }), over);
        }
    });
    assert!(counts.iter().all(|&count| count > 100), "each was put to the test: {counts:?}");
}

/// From the states at the end of turns alone, the told events are true, but not all.
#[test]
fn with_states_missing_nothing_is_made_up() {
    let mut start: Option<View> = None;
    let mut happened: Vec<Happening> = Vec::new();
    let (mut told, mut missed) = (0, 0);
    played(|before, after, events| {
        let first = start.get_or_insert_with(|| before.clone());
        happened.extend(events.iter().copied().filter_map(seen));
        if !events.contains(&Event::TurnEnded) {
            return;
        }
        for happening in Happening::between(first, after) {
            match happening {
                Happening::Points { .. } | Happening::PowerEnded { .. } => {}
                _ => {
                    let at = happened.iter().position(|&true_one| true_one == happening);
                    happened.remove(at.unwrap_or_else(|| panic!("{happening:?}")));
                    told += 1;
                }
            }
        }
        happened.retain(|other| !matches!(other, Happening::Battle { .. }));
        missed += happened.len();
        happened.clear();
        start = None;
    });
    assert!(told > 4 * missed, "{told} told, {missed} missed");
}
