//! Games to look at, the same ones every time: the pieces walk along corridors at random.

use game::pacman::{
    Cell, Chance, Colour, Direction, Event, Map, Orders, Quick, Reading, Rules, Seeded, State,
};

/// All states that a spectator sees of a game of four teams.
pub(crate) fn game(map: &str, turns: u32) -> Vec<Reading> {
    let names = ["Les Pacmaniaques", "Grace Hopper", "Lovelace", "Turing & Cie"];
    let names = names.map(str::to_owned).to_vec();
    let map: Map = map.parse().unwrap();
    let (mut chance, mut random) = (Seeded::new(7), Quick::new(7));
    let mut state = State::start(&map, Rules::SUJET, turns, names.len(), &mut chance);
    let mut states = vec![Reading { view: state.view().clone(), names: names.clone() }];
    let mut headings = [[None; 2]; 4];
    for _ in 0..turns {
        let orders = [0, 1, 2, 3].map(|player| {
            let seen = state.view().player(Colour::new(player).unwrap()).unwrap();
            let [pacman, ghost] = &mut headings[player];
            let mut walk = |cell, heading: &mut Option<Direction>| {
                *heading = step(&state, cell, *heading, &mut random);
                *heading
            };
            Orders { pacman: walk(seen.pacman, pacman), ghost: walk(seen.ghost, ghost) }
        });
        state.play_turn(&orders, &mut chance, |event, state| {
            if matches!(event, Event::Done(_) | Event::TurnEnded) {
                states.push(Reading { view: state.view().clone(), names: names.clone() });
            }
        });
    }
    states
}

/// Along corridors, straight back only where there is no other way, and now and then into a wall.
fn step(
    state: &State,
    from: Cell,
    heading: Option<Direction>,
    random: &mut Quick,
) -> Option<Direction> {
    if random.below(40) == 0 {
        return Some(Direction::ALL[random.below(4) as usize]);
    }
    let exits = state.view().board().exits(from);
    let back = heading.map(Direction::opposite);
    let onward: Vec<_> = exits.iter().copied().filter(|&exit| Some(exit) != back).collect();
    let choice = if onward.is_empty() { exits } else { &onward };
    choice.get(random.below(choice.len().max(1) as u32) as usize).copied()
}
