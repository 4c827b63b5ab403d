//! The terms of a game, as a page gives them.

use game::colour::Colour;
use game::pacman::{Map, RulesPreset, maps};
use game::pyrat::{Recipe, Start, State};
use replay::{PacmanSetup, PyRatSetup, Setup};

use crate::Error;

/// The players of a game, by colour: the name of a house bot, or `None` for a player whose orders are given.
pub type Players = Vec<Option<String>>;

/// The terms of a game of Pacman.
#[derive(Clone, Debug)]
#[cfg_attr(target_family = "wasm", wasm_bindgen::prelude::wasm_bindgen(getter_with_clone))]
pub struct PacmanTerms {
    /// The name of a built-in map, or the text of a map.
    pub map: String,
    /// The name of the rules.
    pub rules: String,
    /// The seed of the random draws, in decimal digits.
    pub seed: String,
    /// The number of turns.
    pub turns: u32,
    /// The players.
    #[cfg_attr(target_family = "wasm", wasm_bindgen(skip))]
    pub players: Players,
    /// The names of the players; those of their bots if there are none.
    #[cfg_attr(target_family = "wasm", wasm_bindgen(skip))]
    pub names: Option<Vec<String>>,
}

impl Default for PacmanTerms {
    fn default() -> Self {
        Self {
            map: "plan1".to_owned(),
            rules: RulesPreset::default().name().to_owned(),
            seed: "0".to_owned(),
            turns: 200,
            players: vec![None],
            names: None,
        }
    }
}

impl PacmanTerms {
    /// The start of the game.
    ///
    /// # Errors
    ///
    /// With the first term of which no game can be made.
    pub fn setup(&self) -> Result<Setup, Error> {
        // A map has several lines, and a name has one.
        let text = if self.map.trim_end().contains('\n') {
            &self.map
        } else {
            maps::text_of(&self.map).ok_or_else(|| Error::NoMap(self.map.clone()))?
        };
        let setup = Setup::Pacman(PacmanSetup {
            map: Map::parse(text.as_bytes())?,
            rules: self.rules.parse::<RulesPreset>()?.rules(),
            seed: seed(&self.seed)?,
            turns: self.turns,
            names: names(&self.players, self.names.as_ref())?,
        });
        setup.check()?;
        Ok(setup)
    }
}

/// The terms of a game of PyRat; the maze is that of PyRat 6 with the same parameters and seed.
#[derive(Clone, Debug)]
#[cfg_attr(target_family = "wasm", wasm_bindgen::prelude::wasm_bindgen(getter_with_clone))]
pub struct PyRatTerms {
    /// Columns of the maze.
    pub width: u16,
    /// Rows of the maze.
    pub height: u16,
    /// Share of the places that are cells, in percent.
    pub cells: f64,
    /// Share of the passages outside a spanning tree that walls close, in percent.
    pub walls: f64,
    /// Share of the passages that are muddy, in percent.
    pub mud: f64,
    /// The fewest turns that a muddy passage takes.
    pub mud_least: u16,
    /// The most turns that a muddy passage takes.
    pub mud_most: u16,
    /// Pieces of cheese.
    pub cheese: usize,
    /// True if the rats start in the corners, false if they start in the middle.
    pub corners: bool,
    /// The seed of the maze and the cheese, in decimal digits.
    pub seed: String,
    /// Most turns of the game.
    pub turns: u32,
    /// The players.
    #[cfg_attr(target_family = "wasm", wasm_bindgen(skip))]
    pub players: Players,
    /// The names of the players; those of their bots if there are none.
    #[cfg_attr(target_family = "wasm", wasm_bindgen(skip))]
    pub names: Option<Vec<String>>,
}

impl Default for PyRatTerms {
    fn default() -> Self {
        let Recipe { width, height, cells, walls, mud, mud_turns, .. } = Recipe::default();
        Self {
            width,
            height,
            cells,
            walls,
            mud,
            mud_least: *mud_turns.start(),
            mud_most: *mud_turns.end(),
            cheese: 1,
            corners: false,
            seed: "0".to_owned(),
            turns: 1000,
            players: vec![None],
            names: None,
        }
    }
}

impl PyRatTerms {
    /// The start of the game.
    ///
    /// # Errors
    ///
    /// With the first term of which no game can be made.
    pub fn setup(&self) -> Result<Setup, Error> {
        let recipe = Recipe {
            width: self.width,
            height: self.height,
            cells: self.cells,
            walls: self.walls,
            mud: self.mud,
            mud_turns: self.mud_least..=self.mud_most,
            ..Recipe::default()
        };
        let seed = seed(&self.seed)?;
        let start = if self.corners { Start::Corners } else { Start::Centre };
        let (maze, rats) = (recipe.make(seed)?, self.players.len());
        let start = State::start(&maze, rats, &start, self.cheese, seed, Some(self.turns))?;
        let names = names(&self.players, self.names.as_ref())?;
        let setup = Setup::PyRat(PyRatSetup { start, seed, names });
        setup.check()?;
        Ok(setup)
    }
}

fn seed(digits: &str) -> Result<u64, Error> {
    digits.parse().map_err(|_| Error::Seed(digits.to_owned()))
}

/// The names of the players, which differ: a house bot has its letter behind its name, somebody else has the letter only.
fn names(players: &Players, given: Option<&Vec<String>>) -> Result<Vec<String>, Error> {
    match given {
        Some(given) if given.len() == players.len() => Ok(given.clone()),
        Some(given) => {
            Err(Error::Players { what: "names", found: given.len(), players: players.len() })
        }
        None => Ok(Colour::first(players.len().min(Colour::MAX))
            .zip(players)
            .map(|(colour, player)| match player {
                Some(bot) => format!("{bot} {}", colour.as_str()),
                None => colour.as_str().to_owned(),
            })
            .collect()),
    }
}
