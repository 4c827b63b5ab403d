//! A game in this process, between bots in Python and bots of the house.

use std::sync::Arc;
use std::time::Instant;

use bots::{Bot, Situation};
use game::pacman::{Colour, Orders, Seeded, State, StateText};
use language::word;
use protocol::Name;
use pyo3::prelude::*;
use pyo3::types::PyString;
use replay::{Answer, Excerpt, Flaw, Given, Marks, PacmanSetup, Recorder, Setup, Thought, Turn};

use crate::fault;
use crate::maps::Maps;
use crate::recording::Recording;
use crate::view::View;

/// A player of the game.
enum Seat<'py> {
    House(Box<dyn Bot>),
    /// A function that takes a view and returns a text.
    Python(Bound<'py, PyAny>),
}

/// Plays a game, and returns its recording.
///
/// ``seats`` has a pair for each player: its name, and either the name of a bot of the house or a function that
/// takes a ``View`` and returns orders as ``"NE"``. Players are always asked in order of colour.
#[pyfunction]
#[pyo3(signature = (seats, turns = 200, seed = 0, map = None, rules = "sujet", map_size = (20, 30)))]
pub(crate) fn play_local(
    py: Python<'_>,
    seats: Vec<(String, Bound<'_, PyAny>)>,
    turns: i64,
    seed: i128,
    map: Option<&Bound<'_, PyAny>>,
    rules: &str,
    map_size: (u16, u16),
) -> PyResult<Recording> {
    let turns = fault::at_least_one(turns, word("turn", "tours"))?;
    let seed = fault::seed(seed)?;
    let (map, rules) = (Maps::read(map, map_size)?.of_game(seed), fault::rules(rules)?);
    let players = seats.len();
    fault::check_players(players, &map)?;
    let (mut names, mut minds) = (Vec::<String>::new(), Vec::new());
    for ((name, player), number) in seats.into_iter().zip(0..) {
        let name = Name::new(&name).distinct(|other| names.iter().any(|name| name == other));
        names.push(name.as_str().to_owned());
        minds.push(match player.cast::<PyString>() {
            Ok(bot) => {
                let entry = bots::by_name(&bot.to_cow()?).map_err(fault::wrong)?;
                Seat::House(entry.make(seed.wrapping_add(number)))
            }
            Err(_) => Seat::Python(player),
        });
    }

    let mut chance = Seeded::new(seed);
    let mut state = State::start(&map, rules, turns, players, &mut chance);
    for (me, mind) in Colour::first(players).zip(&mut minds) {
        if let Seat::House(bot) = mind {
            bot.new_game(&Situation { names: &names, ..Situation::new(state.view(), me, &rules) });
        }
    }
    let shown: Arc<[String]> = names.clone().into();
    let mut text = StateText::new(names.clone());
    let setup = PacmanSetup { map, rules, seed, turns, names };
    let (mut recorder, mut bytes) = Recorder::start(Setup::Pacman(setup));
    let mut before = None;
    while !state.view().is_over() {
        py.check_signals()?;
        let mut answers = Vec::with_capacity(players);
        for (me, mind) in Colour::first(players).zip(&mut minds) {
            let asked = Instant::now();
            let (orders, message) = match mind {
                Seat::House(bot) => {
                    let (before, names, view) = (before.as_ref(), &shown, state.view());
                    let play = || {
                        let now = Situation::new(view, me, &rules);
                        bot.play(&Situation { before, names, ..now })
                    };
                    (py.detach(play), None)
                }
                Seat::Python(play) => {
                    let view = View::new(state.view().clone(), Arc::clone(&shown), Some(me));
                    let answer = play.call1((view,))?;
                    let answer = answer.cast::<PyString>()?.to_cow()?.into_owned();
                    (Orders::decode(answer.as_bytes()), Some(answer))
                }
            };
            let mut given = Given::in_time(Answer::Orders(orders), asked.elapsed());
            if let Some(message) = message {
                if given.fault().is_some() {
                    given.excerpt = Some(Excerpt::of_answer(Flaw::Malformed, message.as_bytes()));
                }
                if let Some(thought) = Thought::of(message.as_bytes()) {
                    recorder.think([(me, thought)]);
                }
            }
            answers.push(given);
        }
        let orders: Vec<_> = answers.iter().map(Given::orders).collect();
        before.get_or_insert_with(|| state.view().clone()).clone_from(state.view());
        state.play_turn(&orders, &mut chance, |_, _| {});
        let turn = Turn { answers, marks: Marks::of_pacman(&state) };
        bytes.extend(recorder.turn(turn, replay::hash(text.write(state.view()))));
    }
    bytes.extend(recorder.end(replay::hash(text.write(state.view()))));
    Recording::from_bytes(bytes)
}
