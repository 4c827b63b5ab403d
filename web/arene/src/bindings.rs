//! The functions that `arene.js` calls. Structured values pass as JSON; errors are exceptions with the words of the programs.

use bots::{Evaluation, registry};
use game::notation::of_direction;
use game::pacman::{Cell, Direction, RulesPreset, maps};
use language::{Language, Phrase};
use rating::Share;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use wasm_bindgen::prelude::*;

use crate::{Error, Game, PacmanTerms, Players, PyRatTerms};

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
    json!({
        "maps": maps.collect::<Value>(),
        "rules": RulesPreset::ALL.map(RulesPreset::name),
        "bots": entries(&bots),
        "rats": entries(&rats),
    })
    .to_string()
}

/// Starts a game of Pacman with these terms, a JSON of [`PacmanTerms`].
#[wasm_bindgen]
pub fn pacman(terms: &str) -> Result<Handle, JsError> {
    let terms: PacmanTerms = read(terms)?;
    Ok(Handle(Game::start(terms.setup()?, &terms.players)?))
}

/// Starts a game of PyRat with these terms, a JSON of [`PyRatTerms`].
#[wasm_bindgen]
pub fn pyrat(terms: &str) -> Result<Handle, JsError> {
    let terms: PyRatTerms = read(terms)?;
    Ok(Handle(Game::start(terms.setup()?, &terms.players)?))
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
    json!(share).to_string()
}

/// A game.
#[wasm_bindgen]
pub struct Handle(Game);

#[wasm_bindgen]
impl Handle {
    /// Plays a turn with the messages of a JSON object by letter.
    pub fn step(&mut self, messages: &str) -> Result<(), JsError> {
        let messages: std::collections::BTreeMap<String, String> = read(messages)?;
        let messages: Vec<_> =
            messages.iter().map(|(letter, text)| (letter.as_str(), text.as_bytes())).collect();
        Ok(self.0.step(&messages)?)
    }

    /// The message that a house bot would send for a player in this turn.
    pub fn advise(&mut self, letter: &str, bot: &str) -> Result<String, JsError> {
        Ok(self.0.advise(letter, bot)?)
    }

    /// What a house bot expects of that message, as JSON: `{"pacman": [[order, points]], "ghost": [[order, points]], "line": [cell]}`;
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
        Ok(json!({ "pacman": moves(&pacman), "ghost": moves(&ghost), "line": line }).to_string())
    }

    /// The game after a number of turns, with the players of a JSON list from there on; `null` for the same players.
    pub fn branch(&self, turn: u32, players: &str) -> Result<Self, JsError> {
        Ok(Self(self.0.branch(turn, read::<Option<Players>>(players)?.as_ref())?))
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

    /// The texts of the states before the present one, as JSON.
    #[wasm_bindgen(getter)]
    pub fn past(&self) -> String {
        json!(self.0.past()).to_string()
    }

    /// The faults in the orders of a player, as JSON of [`Check`](crate::Check).
    pub fn check(&self, letter: &str) -> Result<String, JsError> {
        Ok(json!(self.0.check(letter)?).to_string())
    }

    /// The names of the players, as JSON.
    #[wasm_bindgen(getter)]
    pub fn names(&self) -> String {
        json!(self.0.names()).to_string()
    }

    /// The ranking, as JSON.
    #[wasm_bindgen(getter)]
    pub fn ranking(&self) -> String {
        self.0.ranking().to_string()
    }

    /// The frame of the last turn, as JSON.
    #[wasm_bindgen(getter)]
    pub fn frame(&self) -> String {
        self.0.frame().to_string()
    }

    /// The beginning of the film, as JSON.
    #[wasm_bindgen(getter)]
    pub fn beginning(&self) -> String {
        self.0.beginning().to_string()
    }

    /// The whole film so far, as JSON.
    pub fn film(&mut self) -> String {
        self.0.film()
    }

    /// The bytes of the recording.
    pub fn recording(&mut self) -> Vec<u8> {
        self.0.recording()
    }

    /// The first difference between the recording and the game as it is played again; `undefined` if there is none.
    pub fn verify(&self) -> Option<String> {
        self.0.verify().err().map(|difference| difference.to_string())
    }
}

/// Reads JSON.
fn read<T: DeserializeOwned>(text: &str) -> Result<T, Error> {
    Ok(serde_json::from_str(text)?)
}
