//! A game as the web page wants it: what is seen of every turn, and what happens in it.
//!
//! A film is a JSON object. `game` is `pacman` or `pyrat`; `rows`, `cols`; `seed` (a text, for it may be
//! too large for a number there); `turns` at most; `rules`; `players`, each with `letter` and `name`. Cells
//! are numbers, row-major. In Pacman, `map` is the name of a map that is inside the programs, or null; `walls` is a text of one character a cell, `#` for a wall, and
//! `freeze_range` the cells around a freezing pacman, in each direction, where ghosts are frozen; in PyRat
//! `cells` lists the cells, and `links` the passages, once each, as [cell, cell, turns].
//!
//! `frames` are the states, the start first. A frame has the turn `t`; the players `p` by colour, in Pacman
//! each as [pacman, ghost, points, false moves, glutton, freeze, wall-pass], in PyRat as [cell, points,
//! turns left in the mud or 0, where it leads or null, answers missed]; `g`, what each has given, as
//! [milliseconds, fault] or [milliseconds, fault, cause, excerpt]; and the events `e`. The objects on the
//! board are `o` in whole frames, a text of one letter a cell in Pacman and a list of the cells with cheese
//! in PyRat; in others they are `d`, what has changed, as [cell, letter], the letter a space where nothing
//! lies any more.
//!
//! A fault is 0 for none, 1 for malformed, 2 for missed and 3 for disconnected. The cause of a miss is
//! `["bot"]`, `["network", rtt in ms, segments unacknowledged, retransmits, bytes queued]`, `["host", ms that
//! it stalled]`, or null when it was not recorded. An excerpt is the beginning of the first message that was
//! not as it should be, in quotes and escaped: `["late", text]`, or `["malformed", text, hint]`, where the
//! hint is `capitals`, `two`, `one` (letter) or `letters`, what is expected; or null.
//!
//! Events are lists that begin with what they are: `["took", player, letter, cell]`, `["battle", pacman,
//! ghost, whether the pacman was bitten, cell]`, `["teleport", piece, from, to]`, `["false", piece, cause]`,
//! `["frozen", player]`, `["digest", player]`, `["appear", letter, cell]`, `["ate", players, cell]`. Pieces are
//! letters, upper case for a pacman, lower case for a ghost. An event of Pacman that changes points ends with an
//! object: by how many, by player.

use std::collections::BTreeMap;
use std::io::{self, Write};

use game::pacman::{Colour, Event, FalseMove, Object, Piece, PieceKind, Rules, View};
use game::pyrat;
use serde_json::{Map, Value, json};

use crate::analysis::Analysis;
use crate::game::{Replay, eaten};
use crate::recording::Recording;
use crate::setup::Setup;
use crate::turn::{Given, Turn};

/// Writes the film of a recording, with its analysis as `analysis`, and whether it was recorded to its end as `complete`:
/// one frame at a time, so that the memory it takes does not grow with the turns. Makes many short writes: `out` should be
/// buffered.
///
/// # Errors
///
/// When `out` fails.
pub fn write(recording: &Recording, out: &mut impl Write) -> io::Result<()> {
    let mut game = Replay::start(&recording.setup);
    // The frames follow inside the same object.
    let mut head = head(recording).to_string();
    head.pop();
    out.write_all(head.as_bytes())?;
    out.write_all(b",\"frames\":[")?;
    serde_json::to_writer(&mut *out, &whole(&game, None))?;
    for turn in &recording.turns {
        out.write_all(b",")?;
        serde_json::to_writer(&mut *out, &next(&mut game, &turn))?;
    }
    out.write_all(b"]}")
}

/// All of a film but its frames.
fn head(recording: &Recording) -> Value {
    let mut film = beginning(&recording.setup);
    film["complete"] = recording.is_complete.into();
    film["analysis"] = Analysis::of(recording).to_json();
    film
}

/// What does not change in a game: all of a film but its frames.
#[must_use]
pub fn beginning(setup: &Setup) -> Value {
    let names = setup.names();
    let players = pyrat::Colour::first(names.len()).zip(names);
    let players: Vec<_> =
        players.map(|(colour, name)| json!({ "letter": colour.as_str(), "name": name })).collect();
    let mut film = json!({
        "seed": setup.seed().to_string(),
        "turns": setup.turns(),
        "players": players,
    });
    let dims = match setup {
        Setup::Pacman(setup) => {
            let board = setup.map.board();
            let letter = |cell| if board.is_wall(cell) { '#' } else { ' ' };
            let rules = Rules::PRESETS.iter().find(|(_, preset)| *preset == setup.rules);
            film["game"] = "pacman".into();
            film["map"] = cli::name_of(&setup.map).into();
            film["rules"] = rules.map(|(name, _)| *name).into();
            film["freeze_range"] = setup.rules.freeze_range.into();
            film["walls"] = board.dims().cells().map(letter).collect::<String>().into();
            board.dims()
        }
        Setup::PyRat(setup) => {
            let maze = setup.start.maze();
            let links = maze.cells().iter().flat_map(|&cell| {
                let once = maze.links(cell).iter().filter(move |(to, _)| *to > cell);
                once.map(move |(to, turns)| json!([cell.index(), to.index(), turns]))
            });
            film["game"] = "pyrat".into();
            film["cells"] = maze.cells().iter().map(|cell| cell.index()).collect();
            film["links"] = links.collect();
            maze.dims()
        }
    };
    film["rows"] = dims.rows().into();
    film["cols"] = dims.cols().into();
    film
}

/// The frame of the current state, whole, after a turn with its events if there was one.
#[must_use]
pub fn whole(game: &Replay, last: Option<(&Turn, Vec<Value>)>) -> Value {
    let mut frame = seen(game);
    frame["o"] = match game {
        Replay::Pacman(game) => {
            let view = game.state().view();
            let letter = |cell| view.objects().get(cell).map_or(' ', Object::letter);
            view.board().dims().cells().map(letter).collect::<String>().into()
        }
        Replay::PyRat(game) => game.state().cheese().iter().map(|cell| cell.index()).collect(),
    };
    if let Some((turn, events)) = last {
        frame["g"] = given(turn);
        frame["e"] = events.into();
    }
    frame
}

/// Plays a turn: its frame, with what has changed.
fn next(game: &mut Replay, turn: &Turn) -> Value {
    let (events, changes) = play_and_compare(game, turn);
    let mut frame = seen(game);
    frame["d"] = changes;
    frame["g"] = given(turn);
    frame["e"] = events.into();
    frame
}

/// Plays a turn: its events.
pub fn play(game: &mut Replay, turn: &Turn) -> Vec<Value> {
    play_and_compare(game, turn).0
}

/// Plays a turn: its events, and what has changed on the board.
fn play_and_compare(game: &mut Replay, turn: &Turn) -> (Vec<Value>, Value) {
    match game {
        Replay::Pacman(game) => {
            let (mut events, mut touched) = (Vec::new(), BTreeMap::new());
            let points = |view: &View| -> Vec<i32> {
                view.players().iter().map(|player| player.points).collect()
            };
            let mut before = points(game.state().view());
            game.play(turn, |event, state| {
                if let Event::Took { cell, .. } | Event::Appeared { cell, .. } = event {
                    touched.insert(cell.index(), cell);
                }
                let now = points(state.view());
                if let Some(mut told) = event_json(event, state.view()) {
                    if let (Some(parts), Some(changes)) =
                        (told.as_array_mut(), changes_json(&before, &now))
                    {
                        parts.push(changes);
                    }
                    events.push(told);
                }
                before = now;
            });
            let objects = game.state().view().objects();
            let letter = |cell| objects.get(cell).map_or(' ', Object::letter);
            let changes = touched.into_iter().map(|(index, cell)| json!([index, letter(cell)]));
            (events, changes.collect())
        }
        Replay::PyRat(game) => {
            let before = game.state().cheese().to_vec();
            game.play(turn);
            let (state, mut events, mut changes) = (game.state(), Vec::new(), Vec::new());
            for cell in eaten(&before, state.cheese()) {
                let rats = state.rats().iter().zip(pyrat::Colour::first(state.rats().len()));
                let there = rats.filter(|(rat, _)| rat.cell == cell);
                let there: Vec<_> = there.map(|(_, colour)| colour.as_str()).collect();
                events.push(json!(["ate", there, cell.index()]));
                changes.push(json!([cell.index(), " "]));
            }
            (events, changes.into())
        }
    }
}

/// The turn and the players.
fn seen(game: &Replay) -> Value {
    let players: Vec<Value> = match game {
        Replay::Pacman(game) => {
            let player = |player: &game::pacman::Player| {
                let (pacman, ghost, powers) = (player.pacman, player.ghost, player.powers);
                json!([
                    pacman.index(),
                    ghost.index(),
                    player.points,
                    player.false_moves,
                    powers.glutton,
                    powers.freeze,
                    powers.wall_pass,
                ])
            };
            game.state().view().players().iter().map(player).collect()
        }
        Replay::PyRat(game) => {
            let rat = |rat: &pyrat::Rat| {
                let (left, target) =
                    rat.mud.map_or((0, None), |mud| (mud.left, Some(mud.target.index())));
                json!([rat.cell.index(), rat.score.as_f64(), left, target, rat.counts.missed])
            };
            game.state().rats().iter().map(rat).collect()
        }
    };
    json!({ "t": game.turn(), "p": players })
}

fn given(turn: &Turn) -> Value {
    let one = |given: &Given| {
        let milliseconds = (given.taken.as_secs_f64() * 1e5).round() / 100.0;
        match given.remark_json() {
            [Value::Null, Value::Null] => json!([milliseconds, given.fault()]),
            [cause, excerpt] => json!([milliseconds, given.fault(), cause, excerpt]),
        }
    };
    turn.answers.iter().map(one).collect()
}

/// By how much points have changed, by player, if they have.
fn changes_json(before: &[i32], now: &[i32]) -> Option<Value> {
    let players = Colour::first(now.len()).zip(before.iter().zip(now));
    let changes =
        players.filter(|(_, (before, now))| before != now).map(|(colour, (before, now))| {
            (colour.as_str().to_owned(), Value::from(i64::from(*now) - i64::from(*before)))
        });
    let changes: Map<_, _> = changes.collect();
    (!changes.is_empty()).then(|| changes.into())
}

fn event_json(event: Event, view: &View) -> Option<Value> {
    let letter = |Piece { colour, kind }: Piece| match kind {
        PieceKind::Pacman => colour.as_str().to_owned(),
        PieceKind::Ghost => colour.as_str().to_lowercase(),
    };
    Some(match event {
        Event::FalseMove { piece, cause } => {
            let cause = match cause {
                FalseMove::Malformed => "malformed",
                FalseMove::Blocked => "blocked",
            };
            json!(["false", letter(piece), cause])
        }
        Event::Took { colour, object, cell } => {
            json!(["took", colour.as_str(), object.letter(), cell.index()])
        }
        Event::Teleported { piece, from, to } => {
            json!(["teleport", letter(piece), from.index(), to.index()])
        }
        Event::Battle { pacman, ghost, bitten } => {
            let cell = view.player(pacman).map(|player| player.pacman.index());
            json!(["battle", pacman.as_str(), ghost.as_str().to_lowercase(), bitten, cell])
        }
        Event::Frozen(colour) => json!(["frozen", colour.as_str()]),
        Event::Digesting(colour) => json!(["digest", colour.as_str()]),
        Event::Appeared { object, cell } => json!(["appear", object.letter(), cell.index()]),
        Event::Moved { .. } | Event::Done(_) | Event::TurnEnded => return None,
    })
}
