//! The functions that `arene.js` calls. Structured values are told as JSON; errors are exceptions with the words of the programs.

use bots::{Evaluation, registry};
use game::notation::of_direction;
use game::pacman::{Cell, Direction, RulesPreset, maps};
use graph::{Dims, Distances, Grid};
use language::{Language, Phrase};
use rating::Share;
use serde::Serialize;
use serde_json::{Value, json};
use wasm_bindgen::prelude::*;

use crate::{Game, PacmanTerms, Players, PyRatTerms};

/// Sets the language of errors: `en` or `fr`.
#[wasm_bindgen(js_name = setLanguage)]
pub fn set_language(code: &str) {
    Language::from_code(code).unwrap_or(Language::English).switch();
}

/// Maps, rules and bots that exist, as JSON.
#[wasm_bindgen]
pub fn catalogue() -> String {
    let entries = |all: &[(&str, Phrase)]| -> Value {
        let entry = |(name, summary): &(&str, Phrase)| {
            json!({
                "name": name,
                "en": summary.say(Language::English),
                "fr": summary.say(Language::French),
            })
        };
        all.iter().map(entry).collect()
    };
    let bots: Vec<_> = registry::ALL.iter().map(|bot| (bot.name, bot.summary)).collect();
    let rats: Vec<_> = bots::pyrat::ALL.iter().map(|bot| (bot.name, bot.summary)).collect();
    let maps = maps::names().map(|name| json!({ "name": name, "text": maps::text_of(name) }));
    json_of(&json!({
        "maps": maps.collect::<Value>(),
        "rules": RulesPreset::ALL.map(RulesPreset::name),
        "bots": entries(&bots),
        "rats": entries(&rats),
    }))
}

/// The usual terms of a game of Pacman.
#[wasm_bindgen(js_name = pacmanTerms)]
pub fn pacman_terms() -> PacmanTerms {
    PacmanTerms::default()
}

/// The usual terms of a game of PyRat.
#[wasm_bindgen(js_name = pyratTerms)]
pub fn pyrat_terms() -> PyRatTerms {
    PyRatTerms::default()
}

/// Starts a game of Pacman with these terms. The name of a player's bot is empty if its messages are given.
#[wasm_bindgen]
pub fn pacman(
    terms: PacmanTerms,
    players: Vec<String>,
    names: Option<Vec<String>>,
) -> Result<Handle, JsError> {
    let terms = PacmanTerms { players: bots_of(players), names, ..terms };
    Ok(Handle(Game::start(terms.setup()?, &terms.players)?))
}

/// Starts a game of PyRat with these terms.
#[wasm_bindgen]
pub fn pyrat(
    terms: PyRatTerms,
    players: Vec<String>,
    names: Option<Vec<String>>,
) -> Result<Handle, JsError> {
    let terms = PyRatTerms { players: bots_of(players), names, ..terms };
    Ok(Handle(Game::start(terms.setup()?, &terms.players)?))
}

fn bots_of(players: Vec<String>) -> Players {
    players.into_iter().map(|bot| Some(bot).filter(|bot| !bot.is_empty())).collect()
}

/// Opens a recording.
#[wasm_bindgen]
pub fn open(bytes: &[u8]) -> Result<Handle, JsError> {
    Ok(Handle(Game::open(bytes)?))
}

/// The share of first places in games, with its 95 % confidence interval, as JSON: `[share, low, high]`.
#[wasm_bindgen]
pub fn share(firsts: f64, games: u32) -> String {
    let share = Share::of(firsts, games).map(|Share { value, low, high }| [value, low, high]);
    json_of(&share)
}

/// The cells of a torus that can be reached from one of them, nearest first, each followed by its distance in steps. The first
/// `wall_pass` steps pass walls. `board` has a letter for each cell, row by row, `#` for a wall. Nothing if there is no such cell.
#[wasm_bindgen]
pub fn distances(board: &str, rows: u16, start: usize, wall_pass: u32) -> Vec<u32> {
    let board = board.as_bytes();
    let cols = u16::try_from(board.len().checked_div(rows.into()).unwrap_or(0)).unwrap_or(0);
    let dims = Dims::new(rows, cols).filter(|dims| dims.cells().len() == board.len());
    let Some((dims, start)) = dims.and_then(|dims| Some((dims, dims.nth(start)?))) else {
        return Vec::new();
    };
    let grid = Grid::new(dims, |cell| board[cell.index()] == b'#');
    let mut distances = Distances::new();
    distances.fill_through(&grid, start, wall_pass);
    distances.reached().iter().flat_map(|&cell| [cell.index() as u32, distances.to(cell)]).collect()
}

/// A game.
#[wasm_bindgen]
pub struct Handle(Game);

#[wasm_bindgen]
impl Handle {
    /// Plays a turn with the messages of the players of these letters.
    pub fn step(&mut self, letters: Vec<String>, messages: Vec<String>) -> Result<(), JsError> {
        let messages =
            letters.iter().map(String::as_str).zip(messages.iter().map(String::as_bytes));
        let messages: Vec<_> = messages.collect();
        Ok(self.0.step(&messages)?)
    }

    /// Lets house bots think about this turn before its messages are known.
    pub fn think(&mut self) {
        self.0.think();
    }

    /// The message that a house bot would send for a player in this turn.
    pub fn advise(&mut self, letter: &str, bot: &str) -> Result<String, JsError> {
        Ok(self.0.advise(letter, bot)?)
    }

    /// The evaluation of that message by the house bot, as JSON: `{"pacman": [[order, points]], "ghost": [[order, points]], "line": [cell]}`;
    /// `null` if it does not value moves in points.
    pub fn evaluation(&mut self, letter: &str, bot: &str) -> Result<String, JsError> {
        let Some(evaluation) = self.0.evaluation(letter, bot)? else {
            return Ok("null".to_owned());
        };
        let moves = |moves: &[(Option<Direction>, f32)]| -> Value {
            let told = |(order, points): &(Option<Direction>, f32)| {
                json!([char::from(order.map_or(b'X', of_direction)), points])
            };
            moves.iter().map(told).collect()
        };
        let Evaluation { pacman, ghost, line } = evaluation;
        let line: Value = line.into_iter().map(Cell::index).collect();
        Ok(json_of(&json!({ "pacman": moves(&pacman), "ghost": moves(&ghost), "line": line })))
    }

    /// The game after a number of turns, with these players from there on.
    pub fn branch(&self, turn: u32, players: Option<Vec<String>>) -> Result<Self, JsError> {
        Ok(Self(self.0.branch(turn, players.map(bots_of).as_ref())?))
    }

    /// True if the game is over.
    #[wasm_bindgen(getter)]
    pub fn over(&mut self) -> bool {
        self.0.is_over()
    }

    /// The number of turns played.
    #[wasm_bindgen(getter)]
    pub fn turn(&self) -> u32 {
        self.0.turn()
    }

    /// The text of the state.
    #[wasm_bindgen(getter)]
    pub fn state(&mut self) -> String {
        String::from_utf8_lossy(self.0.state()).into_owned()
    }

    /// The text of the maze of PyRat.
    #[wasm_bindgen(getter)]
    pub fn maze(&self) -> Option<String> {
        self.0.maze()
    }

    /// The texts of the states before the present one, as JSON.
    #[wasm_bindgen(getter)]
    pub fn past(&self) -> String {
        json_of(&self.0.past())
    }

    /// The answers of a player by turn, as JSON: letters, or `null` for a missed turn.
    pub fn orders(&self, letter: &str) -> Result<String, JsError> {
        Ok(json_of(&self.0.orders(letter)?))
    }

    /// The advice of the coach to a player, as JSON: `[[turn, played, advised, gain, margin]]`, the best first.
    pub fn coach(&self, letter: &str) -> Result<String, JsError> {
        Ok(json_of(&self.0.coach(letter)?))
    }

    /// The faults in the orders of a player, as JSON of [`Check`](crate::Check).
    pub fn check(&self, letter: &str) -> Result<String, JsError> {
        Ok(json_of(&self.0.check(letter)?))
    }

    /// The ranking, as JSON.
    #[wasm_bindgen(getter)]
    pub fn ranking(&self) -> String {
        json_of(&self.0.ranking())
    }

    /// The frame of the last turn, as JSON.
    #[wasm_bindgen(getter)]
    pub fn frame(&self) -> String {
        json_of(&self.0.frame())
    }

    /// The beginning of the film, as JSON.
    #[wasm_bindgen(getter)]
    pub fn beginning(&self) -> String {
        json_of(&self.0.beginning())
    }

    /// The whole film so far, as JSON.
    pub fn film(&mut self) -> String {
        self.0.film()
    }

    /// The bytes of the recording, with a compressed block of thoughts, which may be empty, and the number of those dropped.
    pub fn recording(&mut self, dropped: u32, block: Vec<u8>) -> Vec<u8> {
        self.0.recording(dropped, block)
    }

    /// The first difference between the recording and the game as it is played again; `undefined` if there is none.
    pub fn verify(&self) -> Option<String> {
        self.0.verify().err().map(|difference| difference.to_string())
    }
}

fn json_of(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("the keys are texts")
}
