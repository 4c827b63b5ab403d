//! Many games of Pacman at a time, as Python has them.

use game::pacman::{Colour, Orders};
use language::word;
use numpy::{PyArray1, PyArray3};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::fault;
use crate::game::{Game, Settings, of_action};
use crate::many::{End, Environment, Many, Seen, Shape};
use crate::picture;
use crate::planes::ACTIONS;
use crate::view::View;

impl Environment for Settings {
    type Game = Game;
    type Number = i32;
    const ACTIONS: usize = ACTIONS;

    fn shape(&self) -> Shape {
        self.shape()
    }

    fn learners(&self) -> usize {
        self.learners.len()
    }

    fn start(&self, seed: u64) -> PyResult<Game> {
        Ok(Game::start(self, seed))
    }

    fn seed(game: &Game) -> u64 {
        game.seed
    }

    fn draw(&self, game: &mut Game, seen: &mut Seen<'_, i32>) {
        game.draw(seen, self);
    }

    fn play(
        &self,
        game: &mut Game,
        actions: &[i64],
        seen: &mut Seen<'_, i32>,
        rewards: &mut [f64],
    ) -> End {
        let mut orders = [Orders::default(); Colour::MAX];
        for (orders, &action) in orders.iter_mut().zip(actions) {
            *orders = of_action(action).unwrap_or_default();
        }
        let points = |game: &Game, seat: usize| f64::from(game.state.view().players()[seat].points);
        for (reward, &seat) in rewards.iter_mut().zip(&self.learners) {
            *reward = -points(game, seat);
        }
        game.play(&orders[..self.learners.len()], seen, self);
        for (reward, &seat) in rewards.iter_mut().zip(&self.learners) {
            *reward += points(game, seat);
        }
        End { terminated: false, truncated: game.state.view().is_over() }
    }
}

/// Many games of Pacman on arrays, without any Python for each game and without the interpreter's lock.
#[pyclass(module = "pacman_iuto._native")]
pub(crate) struct BatchArena(Many<Settings>);

#[pymethods]
impl BatchArena {
    #[new]
    #[pyo3(signature = (games, seats, map = None, map_size = (20, 30), turns = 200, rules = "sujet", threads = 1))]
    #[expect(clippy::too_many_arguments, reason = "named in Python")]
    fn new(
        py: Python<'_>,
        games: i64,
        seats: Vec<Option<String>>,
        map: Option<&Bound<'_, PyAny>>,
        map_size: (u16, u16),
        turns: i64,
        rules: &str,
        threads: i64,
    ) -> PyResult<Self> {
        let settings = Settings::read(seats, map, map_size, turns, rules)?;
        if settings.learners.is_empty() {
            let expected =
                word("expected at least one learner", "au moins un apprenant est attendu");
            return Err(fault::wrong(expected));
        }
        Ok(Self(Many::new(py, games, settings, threads, true)?))
    }

    /// Restarts all games, with a seed for each.
    fn reset(&mut self, py: Python<'_>, seeds: Vec<i128>) -> PyResult<()> {
        self.0.reset(py, seeds)
    }

    /// Plays a turn of every game with an action for each learner. If a game ends, the next one starts in its place, with a seed
    /// larger by the number of games. Returns true if a game has ended.
    fn step(&mut self, py: Python<'_>, actions: &Bound<'_, PyArray1<i64>>) -> PyResult<bool> {
        self.0.step(py, actions)
    }

    /// The arrays by name, which each step overwrites. They have a row for each learner of each game, game by game and in order of
    /// colour: its observation, its last observation of the last finished game in its place, and the results of the last step.
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

    /// The view of the first learner of a game.
    fn view(&self, py: Python<'_>, game: usize) -> PyResult<View> {
        let settings = self.0.environment();
        let me = Colour::first(settings.seats.len()).nth(settings.learners[0]);
        let names = settings.names().into();
        self.0.game(py, game, |game| Ok(View::new(game.state.view().clone(), names, me)))
    }

    /// The picture of a game: a new ``uint8`` array of shape (height, width, 3), in pixels.
    fn picture<'py>(&self, py: Python<'py>, game: usize) -> PyResult<Bound<'py, PyArray3<u8>>> {
        self.0.game(py, game, |game| picture::of_game(py, game))
    }
}
