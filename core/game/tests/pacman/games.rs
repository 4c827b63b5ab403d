//! Arbitrary games.

use game::pacman::{Direction, Event, Map, Orders, Rules, Seeded, State};
use proptest::prelude::*;

use crate::{cartes, scenario::BOTH};

/// The parameters that determine a game.
#[derive(Clone, Debug)]
pub(crate) struct Game {
    map: &'static str,
    pub(crate) rules: Rules,
    pub(crate) seed: u64,
    pub(crate) players: usize,
    /// Orders of the players in order of colour, turn by turn; the last turn may be incomplete.
    orders: Vec<Orders>,
}

/// Games of some turns: on maps of the project, and in a room where pieces meet all the time.
pub(crate) fn games() -> impl Strategy<Value = Game> {
    const MAPS: [&str; 5] = [ROOM, "petit.txt", "objets.txt", "plan1.txt", "large.txt"];
    let map = prop_oneof![4 => Just(ROOM), 1 => prop::sample::select(&MAPS[1..])];
    let orders = prop::collection::vec(orders(), 0..=200);
    (map, prop::sample::select(&BOTH[..]), any::<u64>(), 1_usize..=9, orders)
        .prop_map(|(map, rules, seed, players, orders)| Game { map, rules, seed, players, orders })
}

/// A map with a bit of everything.
const ROOM: &str = "\
6;7
 .#.$. 
.. .~.!
#.@# .#
 .&. ..
#$.#.~.
 . .@. 
";

/// Orders, nine of ten with a direction.
fn orders() -> impl Strategy<Value = Orders> {
    let direction = || prop::option::weighted(0.9, prop::sample::select(&Direction::ALL[..]));
    (direction(), direction()).prop_map(|(pacman, ghost)| Orders { pacman, ghost })
}

impl Game {
    pub(crate) fn map(&self) -> Map {
        match self.map {
            ROOM => ROOM.parse().expect("a correct map"),
            name => cartes::load(name),
        }
    }

    /// The initial state, and the draws.
    pub(crate) fn start(&self) -> (State, Seeded) {
        let mut chance = Seeded::new(self.seed);
        // The last turn has no orders.
        let turns = self.turns().count() as u32 + 1;
        let state = State::start(&self.map(), self.rules, turns, self.players, &mut chance);
        (state, chance)
    }

    /// Plays the whole game.
    pub(crate) fn play(&self, mut sink: impl FnMut(Event, &State)) -> State {
        let (mut state, mut chance) = self.start();
        for orders in self.turns() {
            state.play_turn(orders, &mut chance, &mut sink);
        }
        state.play_turn(&[], &mut chance, &mut sink);
        assert!(state.view().is_over());
        state
    }

    /// The orders of each turn.
    pub(crate) fn turns(&self) -> impl Iterator<Item = &[Orders]> {
        self.orders.chunks(self.players)
    }
}
