//! The film of a game, for the web page: the visible state after every turn, and the events of the turn.
//!
//! A film is JSON with this schema, against which the page's modules and films for their tests are checked:
//!
//! ```ts
#![doc = include_str!("../../../web/page/replay/frames.d.ts")]
//! ```

use std::collections::BTreeMap;
use std::io::{self, Write};

use game::pacman::{Colour, Event, Object, RulesPreset, maps};
use game::pyrat;
use serde_json::{Map, Value, json};

use crate::analysis::Analysis;
use crate::episodes::Story;
use crate::export::Export;
use crate::game::{Replay, eaten};
use crate::recording::Recording;
use crate::setup::Setup;
use crate::thoughts::Thought;
use crate::turn::{Given, Turn};

/// Writes the film of a recording, with its `analysis` and with `complete`, which is true if the game was recorded to
/// its end. Frames are written one at a time, so that memory does not grow with the turns. `out` should be buffered,
/// as it gets many short writes.
///
/// # Errors
///
/// When `out` fails.
pub fn write(recording: &Recording, out: &mut impl Write) -> io::Result<()> {
    let mut film = Film::start(&recording.setup);
    // The frames follow inside the same object.
    let mut head = head(recording).to_string();
    head.pop();
    out.write_all(head.as_bytes())?;
    out.write_all(b",\"frames\":[")?;
    serde_json::to_writer(&mut *out, &film.whole(None))?;
    let mut thoughts = recording.thoughts.iter().peekable();
    for turn in recording.turns.iter() {
        out.write_all(b",")?;
        let mut frame = film.next(&turn);
        let of_turn = std::iter::from_fn(|| thoughts.next_if(|it| it.turn == film.turn()))
            .filter(|thought| thought.player.index() < turn.answers.len());
        add_thoughts(&mut frame, of_turn.map(|Thought { player, text, .. }| (player, text)));
        serde_json::to_writer(&mut *out, &frame)?;
    }
    out.write_all(b"]}")
}

/// Adds the thoughts of a turn to its frame.
pub fn add_thoughts(frame: &mut Value, thoughts: impl IntoIterator<Item = (Colour, String)>) {
    let thoughts = thoughts.into_iter();
    let told: Vec<_> = thoughts.map(|(player, text)| json!([player.as_str(), text])).collect();
    if !told.is_empty() {
        frame["w"] = told.into();
    }
}

/// Returns the film of a recording without its frames.
fn head(recording: &Recording) -> Value {
    let mut film = beginning(&recording.setup);
    film["complete"] = recording.is_complete.into();
    film["analysis"] = Analysis::of(recording).to_json();
    if recording.thoughts.dropped() > 0 {
        film["dropped"] = recording.thoughts.dropped().into();
    }
    film
}

/// Returns the static part of a film: all but its frames, `analysis` and `complete`.
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
            let rules = RulesPreset::of(setup.rules);
            film["game"] = "pacman".into();
            film["map"] = maps::name_of(&setup.map).into();
            film["rules"] = rules.map(RulesPreset::name).into();
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

/// A game that is played again, frame by frame.
#[derive(Clone, Debug)]
pub struct Film {
    game: Replay,
    story: Story,
}

impl Film {
    /// Starts a game.
    #[must_use]
    pub fn start(setup: &Setup) -> Self {
        let game = Replay::start(setup);
        Self { story: Story::start(&game), game }
    }

    /// The game after the turns played.
    pub fn game(&mut self) -> &mut Replay {
        &mut self.game
    }

    /// The number of turns played.
    pub fn turn(&self) -> u32 {
        self.game.turn()
    }

    /// Returns the whole frame of the current state; `last` is the frame of the last turn, `None` at the start.
    pub fn whole(&self, last: Option<Value>) -> Value {
        let mut frame = last.unwrap_or_else(|| seen(&self.game));
        frame["o"] = match &self.game {
            Replay::Pacman(game) => {
                let view = game.state().view();
                let letter = |cell| view.objects().get(cell).map_or(' ', Object::letter);
                view.board().dims().cells().map(letter).collect::<String>().into()
            }
            Replay::PyRat(game) => game.state().cheese().iter().map(|cell| cell.index()).collect(),
        };
        if let Some(parts) = frame.as_object_mut() {
            parts.remove("d");
        }
        frame
    }

    /// Plays a turn, and returns its frame with the changes of objects. It can be shown after the frame of the turn
    /// before.
    pub fn next(&mut self, turn: &Turn) -> Value {
        let turn = &*self.game.judge(turn);
        let (events, changes) = play_and_compare(&mut self.game, turn, &mut self.story);
        let mut frame = seen(&self.game);
        frame["d"] = changes;
        frame["g"] = given(turn);
        frame["e"] = events.into();
        let letters: Vec<_> = pyrat::Colour::first(turn.answers.len()).collect();
        let episodes = self.story.changes_json(|player| letters[player].as_str());
        if !episodes.is_empty() {
            frame["s"] = episodes.into();
        }
        frame
    }
}

/// Plays a turn, and returns its events and the changes of objects.
fn play_and_compare(game: &mut Replay, turn: &Turn, story: &mut Story) -> (Vec<Value>, Value) {
    match game {
        Replay::Pacman(game) => {
            let (mut events, mut touched) = (Vec::new(), BTreeMap::new());
            story.play_pacman(game, turn, |event, state, changes| {
                if let Event::Took { cell, .. } | Event::Appeared { cell, .. } = event {
                    touched.insert(cell.index(), cell);
                }
                if let Some(mut told) = Export::Film.event(event, state.view()) {
                    if let (Some(parts), Some(changes)) =
                        (told.as_array_mut(), changes_json(changes))
                    {
                        parts.push(changes);
                    }
                    events.push(told);
                }
            });
            let objects = game.state().view().objects();
            let letter = |cell| objects.get(cell).map_or(' ', Object::letter);
            let changes = touched.into_iter().map(|(index, cell)| json!([index, letter(cell)]));
            (events, changes.collect())
        }
        Replay::PyRat(game) => {
            let before = game.state().cheese().to_vec();
            story.play_pyrat(game, turn);
            let (state, mut events, mut changes) = (game.state(), Vec::new(), Vec::new());
            for cell in eaten(&before, state.cheese()) {
                events.push(Export::Film.cheese_eaten(cell, state));
                changes.push(json!([cell.index(), " "]));
            }
            (events, changes.into())
        }
    }
}

/// Returns a frame with the turn and the players.
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
        let remark = given.film_remark();
        let is_flawless = remark[1..].iter().all(Value::is_null);
        let remark = remark.into_iter().take(if is_flawless { 1 } else { 3 });
        std::iter::once(milliseconds.into()).chain(remark).collect::<Value>()
    };
    turn.answers.iter().map(one).collect()
}

/// Returns the changes of points by player; `None` if there are none.
fn changes_json(changes: &[i64]) -> Option<Value> {
    let changes = Colour::first(changes.len()).zip(changes).filter(|(_, change)| **change != 0);
    let changes: Map<_, _> = changes
        .map(|(colour, change)| (colour.as_str().to_owned(), Value::from(*change)))
        .collect();
    (!changes.is_empty()).then(|| changes.into())
}
