//! Games to look at, the same ones every time. In Pacman the pieces walk along corridors at random,
//! in PyRat the rats go for the nearest cheese.

use game::pacman::{
    Cell, Chance, Colour, Direction, Event, Map, Orders, Quick, Reading, Rules, Seeded, State,
};
use game::pyrat::{self, Action, Recipe, Start};
use graph::Distances;

const NAMES: [&str; 4] = ["Les Pacmaniaques", "Grace Hopper", "Lovelace", "Turing & Cie"];

/// All states that a spectator sees of a game of four teams.
pub(crate) fn game(map: &str, turns: u32) -> Vec<Reading> {
    let names = NAMES.map(str::to_owned).to_vec();
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

/// All states that a spectator sees of a game of four rats in a maze with mud; now and then one of
/// them misses its turn.
pub(crate) fn rats(width: u16, height: u16, start: &Start, cheese: usize) -> Vec<pyrat::Reading> {
    let recipe = Recipe { width, height, mud: 30.0, mud_turns: 4..=12, ..Recipe::default() };
    let maze = recipe.make(1).unwrap();
    let names = NAMES.map(str::to_owned);
    let mut state = pyrat::State::start(&maze, 4, start, cheese, 1, Some(1000)).unwrap();
    let mut random = Quick::new(1);
    let mut states = Vec::new();
    loop {
        let mut text = Vec::new();
        state.encode(&names, &mut text);
        states.push(pyrat::State::decode(&maze, &text).unwrap());
        if state.is_over() {
            return states;
        }
        let answers: Vec<_> = state.rats().iter().map(|rat| go(&state, rat, &mut random)).collect();
        state.play_turn(&answers);
    }
}

fn go(state: &pyrat::State, rat: &pyrat::Rat, random: &mut Quick) -> Action {
    if random.below(20) == 0 {
        return Action::Missed;
    }
    let mut distances = Distances::new();
    let from_here = distances.fill(state.maze(), rat.cell);
    let nearest = state.cheese().iter().copied().min_by_key(|&cheese| from_here.to(cheese));
    let step = nearest.and_then(|cheese| from_here.first_step(state.maze(), cheese));
    step.map_or(Action::Nothing, Action::Go)
}
