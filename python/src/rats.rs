//! Games of PyRat, as Python has them: a learner, and players of the house.

use std::collections::BTreeMap;

use game::pyrat::Cell;
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::many::{Environment, Many, Shape};
use crate::rat_game::RatSettings;

/// Games of PyRat on arrays: in each, the first rat is a learner's, and ``rivals`` of the house have the others.
///
/// The same seed gives the same maze, start and cheese as PyRat 6 does.
#[pyclass(module = "pacman_iuto._native")]
pub(crate) struct RatArena(Many<RatSettings>);

#[pymethods]
impl RatArena {
    #[new]
    #[pyo3(signature = (games, options, threads = 1, has_autoreset = true))]
    fn new(
        py: Python<'_>,
        games: i64,
        options: &Bound<'_, PyDict>,
        threads: i64,
        has_autoreset: bool,
    ) -> PyResult<Self> {
        Ok(Self(Many::new(py, games, RatSettings::read(options)?, threads, has_autoreset)?))
    }

    /// Restarts all games, with a seed for each.
    fn reset(&mut self, py: Python<'_>, seeds: Vec<i128>) -> PyResult<()> {
        self.0.reset(py, seeds)
    }

    /// Plays a turn of every game; actions are 0 to 3 for N, E, S, O, and 4 to stay. With autoreset, if a game ends, the next one starts in its
    /// place, with a seed larger by the number of games. Returns true if a game has ended.
    fn step(&mut self, py: Python<'_>, actions: &Bound<'_, PyArray1<i64>>) -> PyResult<bool> {
        self.0.step(py, actions)
    }

    /// The arrays by name, which each step overwrites, with a row for each game: the observation, the last observation of the
    /// last finished game in its place, and the results of the last step.
    fn arrays<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.0.arrays(py)
    }

    /// The sizes of an observation: planes, rows and columns, and the length of the vector.
    #[getter]
    fn shape(&self) -> Shape {
        self.0.environment().shape()
    }

    /// The seed of each running game.
    #[getter]
    fn seeds(&self, py: Python<'_>) -> Vec<u64> {
        self.0.seeds(py)
    }

    /// The maze of a game as PyRat has it: ``{cell: {neighbour: turns}}`` with cells numbered row by row.
    fn maze(&self, py: Python<'_>, game: usize) -> PyResult<BTreeMap<usize, BTreeMap<usize, u16>>> {
        self.0.game(py, game, |game| {
            let maze = game.state.maze();
            let links = |&cell: &Cell| {
                let links = maze.links(cell).iter().map(|&(to, turns)| (to.index(), turns));
                (cell.index(), links.collect())
            };
            Ok(maze.cells().iter().map(links).collect())
        })
    }

    /// The cells of the rats of a game, the learner's first, and the cells of the remaining cheese, in PyRat's order.
    fn places(&self, py: Python<'_>, game: usize) -> PyResult<(Vec<usize>, Vec<usize>)> {
        self.0.game(py, game, |game| {
            let rats = game.state.rats().iter().map(|rat| rat.cell.index()).collect();
            Ok((rats, game.state.cheese().iter().map(|cell| cell.index()).collect()))
        })
    }

    /// Cheese eaten by each rat of a game, the learner's first.
    fn scores(&self, py: Python<'_>, game: usize) -> PyResult<Vec<f64>> {
        self.0.game(py, game, |game| {
            Ok(game.state.rats().iter().map(|rat| rat.score.as_f64()).collect())
        })
    }
}
