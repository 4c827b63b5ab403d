//! A recording as lines of JSON, for scripts in other languages.
//!
//! The first line is the start of the game: `game` (`pacman` or `pyrat`), `seed`, `turns` (at most),
//! `players` (names, by colour), then `map` and `rules` or `maze`, and `state`. Each further line is a turn:
//! `turn` (from 1), `answers` by colour, each with `answer` (the letters of the answer; `null` for a miss
//! and for a malformed action of PyRat), `fault` (`malformed`, `missed`, `disconnected` or `null`; a rat in
//! the mud is not asked, and misses nothing) and `time_s`, the `events` in chronological order, and the `state` after the turn. Maps, mazes and states are
//! the texts of the protocol.
//!
//! `rules` is the name of a preset or an object: `false_moves` with `made` (the count at which a piece is
//! teleported) or `left` (the value to which the counter is refilled), `blocked_ghost`, `freeze_range`,
//! `digestion`.
//!
//! Some answers have more. `cause` is the recorded cause of a miss: an object whose `cause` is
//! `bot`, `network` (with `rtt_s`, the segments `unacknowledged`, the `retransmits` and the bytes `queued`) or
//! `host` (with `stalled_s`). `excerpt` is the first malformed or late message of the turn: its `flaw`
//! (`malformed` or `late`) and its first 32 bytes as `text`. `thought` is what the player added to its answer.

use game::pacman::{FalseMoveCounter, Rules, RulesPreset};
use serde_json::{Value, json};

use crate::export::Export;
use crate::game::{Replay, eaten};
use crate::recording::Recording;
use crate::setup::Setup;
use crate::thoughts::Thought;
use crate::turn::{AnswerFault, Given, Turn};

/// Returns the lines of a recording, without their newlines.
pub fn lines(recording: &Recording) -> impl Iterator<Item = Value> + '_ {
    let mut game = Replay::start(&recording.setup);
    let first = beginning(&recording.setup, &mut game);
    let mut thoughts = recording.thoughts.iter().peekable();
    let turns = recording.turns.iter().map(move |turn| {
        let mut line = line(&mut game, &turn);
        while let Some(Thought { player, text, .. }) =
            thoughts.next_if(|thought| thought.turn == game.turn())
        {
            if let Some(answer) = line["answers"].get_mut(player.index()) {
                answer["thought"] = text.into();
            }
        }
        line
    });
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
    let turn = &*game.judge(turn);
    let events: Vec<Value> = match game {
        Replay::Pacman(game) => {
            let mut events = Vec::new();
            game.play(turn, |event, state| {
                events.extend(Export::Lines.event(event, state.view()));
            });
            events
        }
        Replay::PyRat(game) => {
            let before = game.state().cheese().to_vec();
            game.play(turn);
            let state = game.state();
            let eaten = eaten(&before, state.cheese());
            eaten.map(|cheese| Export::Lines.cheese_eaten(cheese, state)).collect()
        }
    };
    let answers: Vec<Value> = turn.answers.iter().map(answer).collect();
    json!({ "turn": game.turn(), "answers": answers, "events": events, "state": text(game) })
}

fn text(game: &mut Replay) -> Value {
    String::from_utf8_lossy(game.text()).into()
}

fn answer(given: &Given) -> Value {
    let mut line = json!({
        "answer": given.letters(),
        "fault": given.fault().map(AnswerFault::word),
        "time_s": given.taken.as_secs_f64(),
    });
    if let Some(cause) = given.cause {
        line["cause"] = Export::Lines.cause(cause);
    }
    if let Some(excerpt) = Export::Lines.excerpt(given) {
        line["excerpt"] = excerpt;
    }
    line
}
