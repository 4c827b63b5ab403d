//! A game of PyRat between a learner in Python and players of the house.

use bots::pyrat::{Bot, Situation};
use bots::registry::Entry;
use game::pyrat::{Action, Cell, Colour, Direction, Holes, Maze, Recipe, Start, State};
use language::{said, word};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::fault;
use crate::many::{End, Environment, Seen, Shape};

/// The planes of passages and of cheese, which come before those of the rats.
const STILL: usize = 5;
const CHEESE: usize = 4;

/// The settings that all games of an environment share.
pub(crate) struct RatSettings {
    recipe: Recipe,
    start: Start,
    cheese: usize,
    turns: u32,
    rivals: Vec<&'static Entry<dyn Bot>>,
}

/// A running game.
pub(crate) struct RatGame {
    pub(crate) state: State,
    seed: u64,
    rivals: Vec<Box<dyn Bot>>,
}

impl RatSettings {
    /// Checks the options that Python has given.
    pub(crate) fn read(options: &Bound<'_, PyDict>) -> PyResult<Self> {
        let number = word("a number", "un nombre");
        let text = word("a text", "un texte");
        let turns = option(options, ["turns", "tours"], whole())?;
        let turns = fault::at_least_one(turns, word("turn", "tours"))?;
        let holes: String = option(options, ["holes", "trous"], text)?;
        let holes = match &*holes {
            "big" | "grands" => Holes::Big,
            "uniform" | "uniformes" => Holes::Uniform,
            "side" | "bords" => Holes::Side,
            holes => {
                let known = word("big, uniform, side", "grands, uniformes, bords");
                return Err(unknown(word("holes", "trous"), holes, known));
            }
        };
        let start: String = option(options, ["start", "depart"], text)?;
        let start = match &*start {
            "centre" => Start::Centre,
            "corners" | "coins" => Start::Corners,
            "random" | "hasard" => Start::Random,
            "same" | "meme" => Start::Same,
            start => {
                let known = word("centre, corners, random, same", "centre, coins, hasard, meme");
                return Err(unknown(word("start", "départ"), start, known));
            }
        };
        let pair = word("two whole numbers", "deux nombres entiers");
        let (least, most): (u16, u16) = option(options, ["mud_turns", "tours_boue"], pair)?;
        let recipe = Recipe {
            width: count(options, ["width", "largeur"])?,
            height: count(options, ["height", "hauteur"])?,
            cells: option(options, ["cells", "cellules"], number)?,
            walls: option(options, ["walls", "murs"], number)?,
            mud: option(options, ["mud", "boue"], number)?,
            mud_turns: least..=most,
            holes,
        };
        let cheese = count(options, ["cheese", "fromages"])?.into();
        let names = word("a list of names", "une liste de noms");
        let rivals: Vec<String> = option(options, ["rivals", "rivaux"], names)?;
        let rivals = rivals
            .into_iter()
            .map(|name| bots::pyrat::by_name(&name).map_err(fault::wrong))
            .collect::<PyResult<Vec<_>>>()?;
        if rivals.len() + 1 > Colour::MAX {
            let most = Colour::MAX - 1;
            return Err(fault::wrong(said!(
                "expected at most {most} rivals, got {}",
                "au plus {most} adversaires sont possibles, et non {}",
                rivals.len()
            )));
        }
        Ok(Self { recipe, start, cheese, turns, rivals })
    }

    /// Draws the rats and the cheese onto planes without any.
    fn draw_moving(&self, state: &State, seen: &mut Seen<'_, f32>) {
        let (rats, cells) = (state.rats().len(), state.maze().dims().len());
        for cheese in state.cheese() {
            seen.planes[CHEESE * cells + cheese.index()] = 1;
        }
        for (number, rat) in state.rats().iter().enumerate() {
            seen.planes[(STILL + number) * cells + rat.cell.index()] = 1;
            if let Some(mud) = rat.mud {
                seen.planes[(STILL + rats + number) * cells + mud.target.index()] = byte(mud.left);
            }
        }
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_precision_loss,
            reason = "small numbers"
        )]
        {
            seen.vectors[0] = self.turns.saturating_sub(state.turn()) as f32;
            for (score, rat) in seen.vectors[1..].iter_mut().zip(state.rats()) {
                *score = rat.score.as_f64() as f32;
            }
        }
        let own = &state.rats()[0];
        let open = |direction| state.maze().step(own.cell, direction).is_some();
        let in_mud = own.mud.is_some();
        for (legal, direction) in seen.masks.iter_mut().zip(Direction::ALL) {
            *legal = (in_mud || open(direction)).into();
        }
        seen.masks[Direction::ALL.len()] = 1;
    }
}

impl Environment for RatSettings {
    type Game = RatGame;
    type Number = f32;
    /// Four directions, and to stay.
    const ACTIONS: usize = 5;

    fn shape(&self) -> Shape {
        let rats = self.rivals.len() + 1;
        let planes = (STILL + 2 * rats, self.recipe.height.into(), self.recipe.width.into());
        (planes, 1 + rats)
    }

    fn learners(&self) -> usize {
        1
    }

    fn start(&self, seed: u64) -> PyResult<RatGame> {
        let maze = self.recipe.make(seed).map_err(fault::wrong)?;
        let rats = self.rivals.len() + 1;
        let state = State::start(&maze, rats, &self.start, self.cheese, seed, Some(self.turns))
            .map_err(fault::wrong)?;
        let numbered = (1..).zip(&self.rivals);
        let mut rivals: Vec<_> =
            numbered.map(|(number, entry)| entry.make(seed.wrapping_add(number))).collect();
        for (rival, me) in rivals.iter_mut().zip(Colour::first(Colour::MAX).skip(1)) {
            rival.new_game(&Situation { state: &state, me });
        }
        Ok(RatGame { state, seed, rivals })
    }

    fn seed(game: &RatGame) -> u64 {
        game.seed
    }

    fn draw(&self, game: &mut RatGame, seen: &mut Seen<'_, f32>) {
        seen.planes.fill(0);
        draw_passages(game.state.maze(), seen.planes);
        self.draw_moving(&game.state, seen);
    }

    fn play(
        &self,
        game: &mut RatGame,
        actions: &[i64],
        seen: &mut Seen<'_, f32>,
        rewards: &mut [f64],
    ) -> End {
        let RatGame { state, rivals, .. } = game;
        let before = state.rats()[0].score;
        let own = usize::try_from(actions[0]).ok().and_then(|own| Direction::ALL.get(own));
        let mut answers = vec![own.map_or(Action::Nothing, |&direction| Action::Go(direction))];
        for (rival, me) in rivals.iter_mut().zip(Colour::first(Colour::MAX).skip(1)) {
            let is_asked = state.rats()[me.index()].mud.is_none();
            let step = is_asked.then(|| rival.play(&Situation { state, me })).flatten();
            answers.push(step.map_or(Action::Nothing, Action::Go));
        }
        erase_moving(state, seen.planes);
        if !state.is_over() {
            state.play_turn(&answers);
        }
        self.draw_moving(state, seen);
        rewards[0] = state.rats()[0].score.saturating_sub(before).as_f64();
        let terminated = state.is_decided();
        End { terminated, truncated: !terminated && state.turn() >= self.turns }
    }
}

/// Draws the turns that a step in each direction takes.
fn draw_passages(maze: &Maze, planes: &mut [u8]) {
    let cells = maze.dims().len();
    for &cell in maze.cells() {
        for direction in Direction::ALL {
            planes[direction.index() * cells + cell.index()] = byte(maze.weight(cell, direction));
        }
    }
}

/// Erases the rats and the cheese.
fn erase_moving(state: &State, planes: &mut [u8]) {
    let (rats, cells) = (state.rats().len(), state.maze().dims().len());
    let mut erase = |plane: usize, cell: Cell| planes[plane * cells + cell.index()] = 0;
    for &cheese in state.cheese() {
        erase(CHEESE, cheese);
    }
    for (number, rat) in state.rats().iter().enumerate() {
        erase(STILL + number, rat.cell);
        if let Some(mud) = rat.mud {
            erase(STILL + rats + number, mud.target);
        }
    }
}

/// A number of turns, at most 255.
fn byte(turns: u16) -> u8 {
    u8::try_from(turns).unwrap_or(u8::MAX)
}

fn unknown(what: &str, found: &str, expected: &str) -> PyErr {
    fault::wrong(said!(
        "unknown {what} {found:?}, expected one of: {expected}",
        "{what} : {found:?} est inconnu, il faut l'un de : {expected}"
    ))
}

/// An option, by its names in both languages. The error, if it is of another type, tells the `kind` that was expected.
fn option<'py, T: FromPyObjectOwned<'py>>(
    options: &Bound<'py, PyDict>,
    [english, french]: [&str; 2],
    kind: &str,
) -> PyResult<T> {
    let value = options.as_any().get_item(english)?;
    let name = word(english, french);
    value.extract().map_err(|_| {
        let got = value.repr().map_or_else(|_| String::new(), |repr| repr.to_string());
        PyTypeError::new_err(said!(
            "{name}: expected {kind}, got {got}",
            "{name} : {kind} est attendu, et non {got}"
        ))
    })
}

/// An option that counts something.
fn count(options: &Bound<'_, PyDict>, [english, french]: [&str; 2]) -> PyResult<u16> {
    let number: i64 = option(options, [english, french], whole())?;
    let name = word(english, french);
    u16::try_from(number).map_err(|_| {
        let most = u16::MAX;
        fault::wrong(said!(
            "{name}: expected 0 to {most}, got {number}",
            "{name} : 0 à {most} est attendu, et non {number}"
        ))
    })
}

fn whole() -> &'static str {
    word("a whole number", "un nombre entier")
}
