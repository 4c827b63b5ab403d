//! A game of Pacman between learners in Python and bots of the house.

use bots::{Bot, Situation};
use game::pacman::{Colour, Direction, Orders, Rules, Seeded, State, View};
use language::{said, word};
use pyo3::prelude::*;

use crate::fault;
use crate::many::{Seen, Shape};
use crate::maps::Maps;
use crate::planes::{self, ACTIONS, Shown};

/// The settings that all games of an environment share.
pub(crate) struct Settings {
    pub(crate) maps: Maps,
    rules: Rules,
    turns: u32,
    /// The bot of each seat; `None` for a learner.
    pub(crate) seats: Vec<Option<&'static bots::Entry>>,
    /// The seats of the learners.
    pub(crate) learners: Vec<usize>,
}

impl Settings {
    /// Checks the settings that Python has given; `seats` has the name of a bot of the house for each player, or `None` for a learner.
    pub(crate) fn read(
        seats: Vec<Option<String>>,
        map: Option<&Bound<'_, PyAny>>,
        map_size: (u16, u16),
        turns: i64,
        rules: &str,
    ) -> PyResult<Self> {
        let turns = fault::at_least_one(turns, word("turn", "tours"))?;
        let (maps, rules) = (Maps::read(map, map_size)?, fault::rules(rules)?);
        fault::check_players(seats.len(), &maps.of_game(0))?;
        let seats = seats
            .into_iter()
            .map(|seat| seat.as_deref().map(bots::by_name).transpose().map_err(fault::wrong))
            .collect::<PyResult<Vec<_>>>()?;
        let learners = (0..seats.len()).filter(|&seat| seats[seat].is_none()).collect();
        Ok(Self { maps, rules, turns, seats, learners })
    }

    /// The sizes of an observation: planes, rows and columns, and the length of the vector.
    pub(crate) fn shape(&self) -> Shape {
        let (players, dims) = (self.seats.len(), self.maps.dims());
        let planes = (planes::planes(players), dims.rows().into(), dims.cols().into());
        (planes, planes::numbers(players))
    }

    /// The names of the players: the letter of a learner, the name and the letter of a bot.
    pub(crate) fn names(&self) -> Vec<String> {
        let names = self.seats.iter().zip(Colour::first(self.seats.len()));
        let names = names.map(|(seat, me)| match seat {
            None => me.as_str().to_owned(),
            Some(bot) => format!("{} {}", bot.name, me.as_str()),
        });
        names.collect()
    }
}

/// A running game.
pub(crate) struct Game {
    pub(crate) state: State,
    pub(crate) seed: u64,
    /// The state before the last turn; `None` before the first turn.
    before: Option<View>,
    chance: Seeded,
    house: Vec<(Colour, Box<dyn Bot>)>,
    /// The orders of the last turn.
    orders: [Orders; Colour::MAX],
    shown: Shown,
}

impl Game {
    /// Starts the game of a seed; [`draw`](Self::draw) has to follow.
    pub(crate) fn start(settings: &Settings, seed: u64) -> Self {
        let mut chance = Seeded::new(seed);
        let Settings { maps, rules, turns, seats, .. } = settings;
        let state = State::start(&maps.of_game(seed), *rules, *turns, seats.len(), &mut chance);
        let mut house = Vec::new();
        for (number, (me, seat)) in (0..).zip(Colour::first(seats.len()).zip(seats)) {
            if let Some(entry) = seat {
                let mut bot = entry.make(seed.wrapping_add(number));
                bot.new_game(&Situation::new(state.view(), me, rules));
                house.push((me, bot));
            }
        }
        let (orders, shown) = ([Orders::default(); Colour::MAX], Shown::default());
        Self { state, seed, before: None, chance, house, orders, shown }
    }

    /// Draws all that the learners see.
    pub(crate) fn draw(&mut self, seen: &mut Seen<'_, i32>, settings: &Settings) {
        self.shown.draw(seen, &settings.learners, &self.state);
    }

    /// Asks the bots of the house for their orders, and plays a turn; `orders` has those of the learners in order of colour.
    /// Then draws what has changed for the learners.
    pub(crate) fn play(
        &mut self,
        learners: &[Orders],
        seen: &mut Seen<'_, i32>,
        settings: &Settings,
    ) {
        let Self { state, before, chance, house, orders, shown, .. } = self;
        for (&seat, learner) in settings.learners.iter().zip(learners) {
            orders[seat] = *learner;
        }
        for (me, bot) in house.iter_mut() {
            let now = Situation::new(state.view(), *me, &settings.rules);
            orders[me.index()] = bot.play(&Situation { before: before.as_ref(), ..now });
        }
        if !house.is_empty() {
            before.get_or_insert_with(|| state.view().clone()).clone_from(state.view());
        }
        let orders = &orders[..settings.seats.len()];
        state.play_turn(orders, chance, |event, _| shown.note(event));
        shown.update(seen, &settings.learners, state);
    }

    /// The directions in which the pacmans look: those of their last orders, or else east.
    pub(crate) fn headings(&self) -> [Direction; Colour::MAX] {
        self.orders.map(|orders| orders.pacman.unwrap_or(Direction::East))
    }
}

/// Decodes an action into orders; `None` if there is no such action.
pub(crate) fn of_action(action: i64) -> Option<Orders> {
    let index = usize::try_from(action).ok().filter(|&index| index < ACTIONS)?;
    let direction = |index: usize| Direction::ALL.get(index).copied();
    Some(Orders { pacman: direction(index / 4), ghost: direction(index % 4) })
}

/// The exception for an action that does not exist.
pub(crate) fn no_action(action: i64) -> PyErr {
    fault::wrong(said!(
        "expected an action from 0 to 15, got {action}",
        "une action de 0 à 15 est attendue, et non {action}"
    ))
}
