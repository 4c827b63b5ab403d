//! A game between bots in one process, without a server.

use game::pacman::{Colour, Event, Map, Orders, Rules, Seeded, State, View};

use crate::{Bot, Budget, Situation};

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
///     game.play_turn(|_, _| {});
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
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Plays a turn with the orders of all bots. `sink` takes the events of the turn, each with the state at that moment.
    pub fn play_turn(&mut self, sink: impl FnMut(Event, &State)) {
        for me in Colour::first(self.bots.len()) {
            self.ask(me, Budget::default());
        }
        self.play_asked(sink);
    }

    /// Asks a player's bot for its orders in this turn, so that the caller can measure the time.
    ///
    /// # Panics
    ///
    /// If there is no player of this colour.
    pub fn ask(&mut self, me: Colour, budget: Budget<'_>) -> Orders {
        let Self { state, before, rules, bots, orders, .. } = self;
        let before = before.as_ref();
        let situation = Situation { before, budget, ..Situation::new(state.view(), me, rules) };
        orders[me.index()] = bots[me.index()].play(&situation);
        orders[me.index()]
    }

    /// Plays a turn with the orders for which the bots have been [asked](Self::ask); the others' are those of their last turn.
    pub fn play_asked(&mut self, sink: impl FnMut(Event, &State)) {
        let Self { state, before, chance, orders, .. } = self;
        before.get_or_insert_with(|| state.view().clone()).clone_from(state.view());
        state.play_turn(orders, chance, sink);
    }
}
