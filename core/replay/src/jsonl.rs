//! A recording as lines of JSON, for scripts in other languages.
//!
//! The first line is the start of the game: `game` (`pacman` or `pyrat`), `seed`, `turns` (at most),
//! `players` (names, by colour), then `map` and `rules` or `maze`, and `state`. Each further line is a turn:
//! `turn` (from 1), `answers` by colour, each with `answer` (the letters of the answer; `null` for a miss
//! and for a malformed action of PyRat), `fault` (`malformed`, `missed`, `disconnected` or `null`) and
//! `time_s`, the `events` in chronological order, and the `state` after the turn. Maps, mazes and states are
//! the texts of the protocol.
//!
//! `rules` is the name of a preset or an object: `false_moves` with `made` (the count at which a piece is
//! teleported) or `left` (the value to which the counter is refilled), `blocked_ghost`, `freeze_range`,
//! `digestion`.
//!
//! Some answers have more. `cause` is the recorded cause of a miss: an object whose `cause` is
//! `bot`, `network` (with `rtt_s`, the segments `unacknowledged`, the `retransmits` and the bytes `queued`) or
//! `host` (with `stalled_s`). `excerpt` is the first malformed or late message of the turn: its `flaw`
//! (`malformed` or `late`) and its first 32 bytes as `text`.

use game::pacman::{
    Dims, Event, FalseMove, FalseMoveCounter, Piece, PieceKind, Rules, RulesPreset,
};
use game::pyrat;
use referee::{Cause, Transport};
use serde_json::{Value, json};

use crate::game::{Replay, eaten};
use crate::recording::Recording;
use crate::setup::Setup;
use crate::turn::{Answer, Flaw, Given, Turn};

/// Returns the lines of a recording, without their newlines.
pub fn lines(recording: &Recording) -> impl Iterator<Item = Value> + '_ {
    let mut game = Replay::start(&recording.setup);
    let first = beginning(&recording.setup, &mut game);
    let turns = recording.turns.iter().map(move |turn| line(&mut game, &turn));
    std::iter::once(first).chain(turns)
}

fn beginning(setup: &Setup, game: &mut Replay) -> Value {
    let mut line = json!({
        "seed": setup.seed(),
        "turns": setup.turns(),
        "players": setup.names(),
        "state": text(game),
    });
    match setup {
        Setup::Pacman(setup) => {
            line["game"] = "pacman".into();
            line["map"] = setup.map.to_string().into();
            line["rules"] = rules_json(setup.rules);
        }
        Setup::PyRat(setup) => {
            let mut maze = Vec::new();
            setup.start.maze().encode(&mut maze);
            line["game"] = "pyrat".into();
            line["maze"] = String::from_utf8_lossy(&maze).into();
        }
    }
    line
}

fn rules_json(rules: Rules) -> Value {
    if let Some(name) = RulesPreset::of(rules).map(RulesPreset::name) {
        return name.into();
    }
    let Rules { false_moves, blocked_ghost, freeze_range, digestion } = rules;
    let false_moves = match false_moves {
        FalseMoveCounter::Made { limit } => json!({ "made": limit }),
        FalseMoveCounter::Left { refill } => json!({ "left": refill }),
    };
    json!({
        "false_moves": false_moves,
        "blocked_ghost": blocked_ghost,
        "freeze_range": freeze_range,
        "digestion": digestion,
    })
}

fn line(game: &mut Replay, turn: &Turn) -> Value {
    let events: Vec<Value> = match game {
        Replay::Pacman(game) => {
            let mut events = Vec::new();
            game.play(turn, |event, state| {
                events.extend(event_json(event, state.view().board().dims()));
            });
            events
        }
        Replay::PyRat(game) => {
            let before = game.state().cheese().to_vec();
            game.play(turn);
            cheese_events(&before, game.state())
        }
    };
    let answers: Vec<Value> = turn.answers.iter().map(answer).collect();
    json!({ "turn": game.turn(), "answers": answers, "events": events, "state": text(game) })
}

fn text(game: &mut Replay) -> Value {
    String::from_utf8_lossy(game.text()).into()
}

fn answer(given: &Given) -> Value {
    let letters = |letters: &[u8]| Value::from(String::from_utf8_lossy(letters));
    let sent = match given.answer {
        Answer::Orders(orders) => letters(&orders.encode()),
        Answer::Action(pyrat::Action::Missed | pyrat::Action::Malformed)
        | Answer::Missed
        | Answer::Disconnected => Value::Null,
        Answer::Action(action) => letters(&[action.encode()]),
    };
    let fault = [None, Some("malformed"), Some("missed"), Some("disconnected")];
    let fault = fault[usize::from(given.fault())];
    let mut line = json!({ "answer": sent, "fault": fault, "time_s": given.taken.as_secs_f64() });
    if let Some(cause) = given.cause {
        line["cause"] = cause_json(cause);
    }
    if let Some(excerpt) = given.excerpt {
        let flaw = match excerpt.flaw {
            Flaw::Malformed => "malformed",
            Flaw::Late => "late",
        };
        line["excerpt"] = json!({ "flaw": flaw, "text": letters(excerpt.bytes()) });
    }
    line
}

fn cause_json(cause: Cause) -> Value {
    let mut json = json!({ "cause": cause.word() });
    match cause {
        Cause::Bot => {}
        Cause::Network(Transport { rtt, unacknowledged, retransmits, queued }) => {
            json["rtt_s"] = rtt.as_secs_f64().into();
            json["unacknowledged"] = unacknowledged.into();
            json["retransmits"] = retransmits.into();
            json["queued"] = queued.into();
        }
        Cause::Host(stalled) => json["stalled_s"] = stalled.as_secs_f64().into(),
    }
    json
}

/// Returns an event as JSON, with cells as [row, column]; `None` for events that only mark the steps of a turn.
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

/// The letter of a piece: upper case for a pacman, lower case for a ghost.
fn piece(Piece { colour, kind }: Piece) -> String {
    match kind {
        PieceKind::Pacman => colour.as_str().to_owned(),
        PieceKind::Ghost => colour.as_str().to_lowercase(),
    }
}

/// Returns an event for each piece of cheese eaten in a turn, with the players on its cell.
fn cheese_events(before: &[pyrat::Cell], after: &pyrat::State) -> Vec<Value> {
    let event = |cheese: pyrat::Cell| {
        let there = after.rats().iter().zip(pyrat::Colour::first(after.rats().len()));
        let players: Vec<_> = there
            .filter(|(rat, _)| rat.cell == cheese)
            .map(|(_, colour)| colour.as_str())
            .collect();
        json!({ "event": "ate", "players": players, "cell": cheese.index() })
    };
    eaten(before, after.cheese()).map(event).collect()
}
