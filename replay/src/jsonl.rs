//! A recording as lines of JSON, for scripts in other languages.
//!
//! The first line tells how the game begins: `game` (`pacman` or `pyrat`), `seed`, `turns` (at most),
//! `players` (names, by colour), then `map` and `rules` or `maze`, and `state`. Each further line is a turn:
//! `turn` (from 1), `answers` by colour, each with `answer` (the letters that were sent, `null` when
//! nothing came), `fault` (`malformed`, `missed`, `disconnected` or `null`) and `time_s`, the `events`
//! in the order in which they happened, and the `state` after it. Maps, mazes and states are the texts of
//! the protocol.

use game::pacman::{Dims, Event, FalseMove, Piece, PieceKind, Rules};
use game::pyrat;
use serde_json::{Value, json};

use crate::game::Game;
use crate::recording::Recording;
use crate::setup::Setup;
use crate::turn::{Answer, Given, Turn};

/// The lines of a recording, without their newlines.
pub fn lines(recording: &Recording) -> impl Iterator<Item = Value> + '_ {
    let mut game = Game::start(&recording.setup);
    let first = beginning(&recording.setup, &mut game);
    let turns = recording.turns.iter().map(move |turn| line(&mut game, turn));
    std::iter::once(first).chain(turns)
}

fn beginning(setup: &Setup, game: &mut Game) -> Value {
    let mut line = json!({
        "seed": setup.seed(),
        "turns": setup.turns(),
        "players": setup.names(),
        "state": text(game),
    });
    match setup {
        Setup::Pacman(setup) => {
            let named = Rules::PRESETS.iter().find(|(_, preset)| *preset == setup.rules);
            line["game"] = "pacman".into();
            line["map"] = setup.map.to_string().into();
            line["rules"] = named.map(|(name, _)| *name).into();
        }
        Setup::PyRat(setup) => {
            let mut maze = Vec::new();
            setup.start.maze().write_text(&mut maze);
            line["game"] = "pyrat".into();
            line["maze"] = String::from_utf8_lossy(&maze).into();
        }
    }
    line
}

fn line(game: &mut Game, turn: &Turn) -> Value {
    let events: Vec<Value> = match game {
        Game::Pacman(game) => {
            let mut events = Vec::new();
            game.play(turn, |event, state| {
                events.extend(event_json(event, state.view().board().dims()));
            });
            events
        }
        Game::PyRat(game) => {
            let before = game.state().clone();
            game.play(turn);
            cheese_events(&before, game.state())
        }
    };
    let answers: Vec<Value> = turn.answers.iter().map(answer).collect();
    json!({ "turn": game.turn(), "answers": answers, "events": events, "state": text(game) })
}

fn text(game: &mut Game) -> Value {
    String::from_utf8_lossy(game.text()).into()
}

fn answer(given: &Given) -> Value {
    let letters = |letters: &[u8]| Value::from(String::from_utf8_lossy(letters));
    let (sent, fault) = match given.answer {
        Answer::Orders(orders) => {
            (letters(&orders.to_text()), given.is_fault().then_some("malformed"))
        }
        Answer::Action(pyrat::Answer::Missed) | Answer::Missed => (Value::Null, Some("missed")),
        Answer::Action(pyrat::Answer::Malformed) => (Value::Null, Some("malformed")),
        Answer::Action(action) => (letters(&[action.to_text()]), None),
        Answer::Disconnected => (Value::Null, Some("disconnected")),
    };
    json!({ "answer": sent, "fault": fault, "time_s": given.taken.as_secs_f64() })
}

/// What happened, with cells as [row, column]; `None` for what only marks the steps of a turn.
#[must_use]
pub fn event_json(event: Event, dims: Dims) -> Option<Value> {
    let cell = |cell| {
        let pos = dims.pos(cell);
        json!([pos.row, pos.col])
    };
    Some(match event {
        Event::FalseMove { piece: of, cause } => {
            let cause = match cause {
                FalseMove::Malformed => "malformed",
                FalseMove::Blocked => "blocked",
            };
            json!({ "event": "false_move", "piece": piece(of), "cause": cause })
        }
        Event::Moved { piece: of, from, to } => {
            json!({ "event": "moved", "piece": piece(of), "from": cell(from), "to": cell(to) })
        }
        Event::Took { colour, object, cell: at } => json!({
            "event": "took", "player": colour.as_str(), "object": object.letter(), "cell": cell(at),
        }),
        Event::Teleported { piece: of, from, to } => json!({
            "event": "teleported", "piece": piece(of), "from": cell(from), "to": cell(to),
        }),
        Event::Battle { pacman, ghost, bitten } => json!({
            "event": "battle", "pacman": pacman.as_str(), "ghost": ghost.as_str(), "bitten": bitten,
        }),
        Event::Frozen(colour) => json!({ "event": "frozen", "player": colour.as_str() }),
        Event::Digesting(colour) => json!({ "event": "digesting", "player": colour.as_str() }),
        Event::Appeared { object, cell: at } => {
            json!({ "event": "appeared", "object": object.letter(), "cell": cell(at) })
        }
        Event::Done(_) | Event::TurnEnded => return None,
    })
}

/// Upper case for a pacman, lower case for a ghost.
fn piece(Piece { colour, kind }: Piece) -> String {
    match kind {
        PieceKind::Pacman => colour.as_str().to_owned(),
        PieceKind::Ghost => colour.as_str().to_lowercase(),
    }
}

/// Who ate what in a turn.
fn cheese_events(before: &pyrat::State, after: &pyrat::State) -> Vec<Value> {
    let eaten = before.cheese().iter().filter(|cheese| !after.cheese().contains(cheese));
    let event = |cheese: &pyrat::Cell| {
        let there = after.rats().iter().zip(pyrat::Colour::first(after.rats().len()));
        let players: Vec<_> = there.filter(|(rat, _)| rat.cell == *cheese).collect();
        let players: Vec<_> = players.iter().map(|(_, colour)| colour.as_str()).collect();
        json!({ "event": "ate", "players": players, "cell": cheese.index() })
    };
    eaten.map(event).collect()
}
