//! A game between bots in one process, without a server.

use game::pacman::{Colour, Event, Map, Orders, Rules, Seeded, State, View};

use crate::{Bot, Situation};

/// A game whose players are all bots.
///
/// ```
/// use bots::{HouseGame, by_name};
/// use game::pacman::Rules;
///
/// let map = "3;4\n#  #\n    \n#  #\n".parse().unwrap();
/// let bots = (0..2).map(|seed| by_name("glouton").unwrap().make(seed)).collect();
/// let mut game = HouseGame::start(&map, Rules::SUJET, 20, 7, bots);
/// while !game.state().view().is_over() {
///     game.play_turn(|_, decide| decide(), |_, _| {});
/// }
/// assert_eq!(game.state().view().elapsed(), 20);
/// ```
pub struct HouseGame {
    state: State,
    /// The state a turn earlier.
    before: Option<View>,
    chance: Seeded,
    rules: Rules,
    bots: Vec<Box<dyn Bot>>,
    orders: Vec<Orders>,
}

impl HouseGame {
    /// Starts a game of this number of turns. The bots are in order of colour.
    #[must_use]
    pub fn start(
        map: &Map,
        rules: Rules,
        turns: u32,
        seed: u64,
        mut bots: Vec<Box<dyn Bot>>,
    ) -> Self {
        let mut chance = Seeded::new(seed);
        let state = State::start(map, rules, turns, bots.len(), &mut chance);
        for (me, bot) in Colour::first(bots.len()).zip(&mut bots) {
            bot.new_game(&Situation::new(state.view(), me, &rules));
        }
        let orders = vec![Orders::default(); bots.len()];
        Self { state, before: None, chance, rules, bots, orders }
    }

    /// The state of the game.
    #[must_use]
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Plays a turn. `ask` is called for each player in order of colour, with a function in which its bot decides,
    /// so that the caller can measure the time; the orders that `ask` returns are played. `sink` takes the events
    /// of the turn, each with the state at that moment.
    pub fn play_turn(
        &mut self,
        mut ask: impl FnMut(Colour, &mut dyn FnMut() -> Orders) -> Orders,
        sink: impl FnMut(Event, &State),
    ) {
        let Self { state, before, chance, rules, bots, orders } = self;
        for ((me, bot), orders) in Colour::first(bots.len()).zip(bots).zip(orders.iter_mut()) {
            let situation =
                Situation { before: before.as_ref(), ..Situation::new(state.view(), me, rules) };
            *orders = ask(me, &mut || bot.play(&situation));
        }
        before.get_or_insert_with(|| state.view().clone()).clone_from(state.view());
        state.play_turn(orders, chance, sink);
    }
}
