//! One game of PyRat, turn by turn, for environments: a learner in Python, and players of the house.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::sync::Mutex;

use bots::pyrat::{Bot, Situation};
use bots::registry::Entry;
use game::pyrat::{Action, Colour, Direction, Holes, Recipe, Start, State};
use language::{said, word};
use numpy::{PyArray1, PyArray3, PyArrayMethods};
use pyo3::prelude::*;

use crate::fault;
use crate::lock;

/// Planes of an observation.
const PLANES: usize = 8;

/// One game of PyRat, turn by turn: the first rat is a learner's, ``rivals`` of the house have the others.
///
/// The same seed gives the same maze, start and cheese as PyRat 6 does.
#[pyclass(frozen, module = "pacman_iuto._native")]
pub(crate) struct RatArena {
    recipe: Recipe,
    start: Start,
    cheese: usize,
    turns: u32,
    rivals: Vec<&'static Entry<dyn Bot>>,
    playing: Mutex<Playing>,
}

struct Playing {
    state: State,
    rivals: Vec<Box<dyn Bot>>,
}

#[pymethods]
impl RatArena {
    #[new]
    #[pyo3(signature = (
        *, rivals = Vec::new(), width = 15, height = 13, cells = 80.0, walls = 60.0, mud = 20.0,
        mud_turns = (4, 9), holes = "big", cheese = 1, start = "centre", turns = 1000
    ))]
    #[expect(clippy::too_many_arguments, reason = "named in Python")]
    fn new(
        rivals: Vec<String>,
        width: u16,
        height: u16,
        cells: f64,
        walls: f64,
        mud: f64,
        mud_turns: (u16, u16),
        holes: &str,
        cheese: usize,
        start: &str,
        turns: i64,
    ) -> PyResult<Self> {
        let turns = fault::at_least_one(turns, word("turn", "tours"))?;
        let holes = match holes {
            "big" | "grands" => Holes::Big,
            "uniform" | "uniformes" => Holes::Uniform,
            "side" | "bords" => Holes::Side,
            _ => {
                return Err(unknown(
                    word("holes", "trous"),
                    holes,
                    word("big, uniform, side", "grands, uniformes, bords"),
                ));
            }
        };
        let start = match start {
            "centre" => Start::Centre,
            "corners" | "coins" => Start::Corners,
            "random" | "hasard" => Start::Random,
            "same" | "meme" => Start::Same,
            _ => {
                return Err(unknown(
                    word("start", "départ"),
                    start,
                    word("centre, corners, random, same", "centre, coins, hasard, meme"),
                ));
            }
        };
        let mud_turns: RangeInclusive<u16> = mud_turns.0..=mud_turns.1;
        let recipe = Recipe { width, height, cells, walls, mud, mud_turns, holes };
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
        let playing = play(&recipe, &start, cheese, turns, &rivals, 0)?;
        let playing = Mutex::new(playing);
        Ok(Self { recipe, start, cheese, turns, rivals, playing })
    }

    /// Begins the game of this seed.
    fn reset(&self, py: Python<'_>, seed: i128) -> PyResult<()> {
        let seed = fault::seed(seed)?;
        let playing = play(&self.recipe, &self.start, self.cheese, self.turns, &self.rivals, seed)?;
        *lock(py, &self.playing) = playing;
        Ok(())
    }

    /// The shape of an observation: planes, rows, columns.
    #[getter]
    fn shape(&self) -> (usize, u16, u16) {
        (PLANES, self.recipe.height, self.recipe.width)
    }

    /// Plays a turn; the action is 0 to 3 for N, E, S, O, and 4 to stay. Returns the cheese that the learner got, true
    /// if the game is decided, and true if it ran out of turns undecided.
    fn step(&self, py: Python<'_>, action: i64) -> PyResult<(f64, bool, bool)> {
        let mut playing = lock(py, &self.playing);
        let Playing { state, rivals } = &mut *playing;
        let own = match usize::try_from(action) {
            Ok(4) => Action::Nothing,
            Ok(index) if index < 4 => Action::Go(Direction::ALL[index]),
            _ => {
                return Err(fault::wrong(said!(
                    "expected an action from 0 to 4, got {action}",
                    "une action de 0 à 4 est attendue, et non {action}"
                )));
            }
        };
        let before = state.rats()[0].score;
        let mut answers = vec![own];
        for (rival, me) in rivals.iter_mut().zip(Colour::first(Colour::MAX).skip(1)) {
            let is_asked = state.rats()[me.index()].mud.is_none();
            let step = is_asked.then(|| rival.play(&Situation { state, me })).flatten();
            answers.push(step.map_or(Action::Nothing, Action::Go));
        }
        if !state.is_over() {
            state.play_turn(&answers);
        }
        let gained = state.rats()[0].score.saturating_sub(before).as_f64();
        let is_late = state.most_turns().is_some_and(|most| state.turn() >= most);
        Ok((gained, state.is_decided(), is_late && !state.is_decided()))
    }

    /// The learner's observation: a new ``uint8`` array of shape (8, rows, columns). Planes 0 to 3 hold the turns that a
    /// step N, E, S, O takes, 0 for a wall, at most 255; 4 is 1 at the learner's rat; 5 counts the rats of rivals; 6 is
    /// 1 at cheese; 7 holds the turns that rats have left in the mud.
    fn observation<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<u8>>> {
        let playing = lock(py, &self.playing);
        let state = &playing.state;
        let cells = state.maze().dims().len();
        let byte = |turns: u16| u8::try_from(turns).unwrap_or(u8::MAX);
        let mut planes = vec![0; PLANES * cells];
        for &cell in state.maze().cells() {
            for direction in Direction::ALL {
                planes[direction.index() * cells + cell.index()] =
                    byte(state.maze().weight(cell, direction));
            }
        }
        for (index, rat) in state.rats().iter().enumerate() {
            let plane = if index == 0 { 4 } else { 5 };
            planes[plane * cells + rat.cell.index()] += 1;
            let mud = &mut planes[7 * cells + rat.cell.index()];
            *mud = (*mud).max(rat.mud.map_or(0, |mud| byte(mud.left)));
        }
        for cheese in state.cheese() {
            planes[6 * cells + cheese.index()] = 1;
        }
        let (planes_count, rows, cols) = self.shape();
        PyArray1::from_vec(py, planes).reshape([planes_count, rows.into(), cols.into()])
    }

    /// The maze as PyRat has it: ``{cell: {neighbour: turns}}`` with cells numbered row by row.
    fn maze(&self, py: Python<'_>) -> BTreeMap<usize, BTreeMap<usize, u16>> {
        let playing = lock(py, &self.playing);
        let maze = playing.state.maze();
        let links = |&cell: &game::pyrat::Cell| {
            let links = maze.links(cell).iter().map(|&(to, turns)| (to.index(), turns));
            (cell.index(), links.collect())
        };
        maze.cells().iter().map(links).collect()
    }

    /// The cells of the rats, the learner's first, and the cells of the remaining cheese, in PyRat's order.
    fn places(&self, py: Python<'_>) -> (Vec<usize>, Vec<usize>) {
        let playing = lock(py, &self.playing);
        let rats = playing.state.rats().iter().map(|rat| rat.cell.index()).collect();
        (rats, playing.state.cheese().iter().map(|cell| cell.index()).collect())
    }

    /// Cheese eaten by each rat, the learner's first.
    fn scores(&self, py: Python<'_>) -> Vec<f64> {
        let playing = lock(py, &self.playing);
        playing.state.rats().iter().map(|rat| rat.score.as_f64()).collect()
    }
}

/// Starts a game.
fn play(
    recipe: &Recipe,
    start: &Start,
    cheese: usize,
    turns: u32,
    rivals: &[&'static Entry<dyn Bot>],
    seed: u64,
) -> PyResult<Playing> {
    let maze = recipe.make(seed).map_err(fault::wrong)?;
    let state = State::start(&maze, rivals.len() + 1, start, cheese, seed, Some(turns))
        .map_err(fault::wrong)?;
    let mut rivals: Vec<_> =
        (1..).zip(rivals).map(|(number, entry)| entry.make(seed.wrapping_add(number))).collect();
    for (rival, me) in rivals.iter_mut().zip(Colour::first(Colour::MAX).skip(1)) {
        rival.new_game(&Situation { state: &state, me });
    }
    Ok(Playing { state, rivals })
}

fn unknown(what: &str, found: &str, expected: &str) -> PyErr {
    fault::wrong(said!(
        "unknown {what} {found:?}, expected one of: {expected}",
        "{what} : {found:?} est inconnu, il faut l'un de : {expected}"
    ))
}
