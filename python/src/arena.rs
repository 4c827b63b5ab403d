//! One game of Pacman, turn by turn, for environments: learners in Python, and bots of the house.

use std::sync::{Mutex, MutexGuard, PoisonError};

use game::pacman::{Colour, Orders};
use language::said;
use numpy::{IntoPyArray, PyArray1, PyArray3, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::fault;
use crate::game::{Game, Settings, no_action, of_action};
use crate::lock;
use crate::many::Seen;
use crate::picture;
use crate::planes::ACTIONS;
use crate::view::View;

/// One game of Pacman, turn by turn.
///
/// ``seats`` has an entry for each player: the name of a bot of the house, or ``None`` for a learner. Actions
/// are ``4 * pacman + ghost`` with directions from 0 to 3 for N, E, S, O.
#[pyclass(frozen, module = "pacman_iuto._native")]
pub(crate) struct Arena {
    settings: Settings,
    playing: Mutex<Playing>,
}

struct Playing {
    game: Game,
    planes: Vec<u8>,
    vectors: Vec<i32>,
    masks: Vec<i8>,
}

#[pymethods]
impl Arena {
    #[new]
    #[pyo3(signature = (seats, map = None, map_size = (20, 30), turns = 200, rules = "sujet"))]
    fn new(
        seats: Vec<Option<String>>,
        map: Option<&Bound<'_, PyAny>>,
        map_size: (u16, u16),
        turns: i64,
        rules: &str,
    ) -> PyResult<Self> {
        let settings = Settings::read(seats, map, map_size, turns, rules)?;
        let ((planes, rows, cols), numbers) = settings.shape();
        let learners = settings.learners.len();
        let mut playing = Playing {
            game: Game::start(&settings, 0),
            planes: vec![0; learners * planes * rows * cols],
            vectors: vec![0; learners * numbers],
            masks: vec![0; learners * ACTIONS],
        };
        playing.draw(&settings);
        Ok(Self { settings, playing: Mutex::new(playing) })
    }

    /// Begins the game of this seed.
    fn reset(&self, py: Python<'_>, seed: i128) -> PyResult<()> {
        let seed = fault::seed(seed)?;
        py.detach(|| {
            let mut playing = self.locked();
            playing.game = Game::start(&self.settings, seed);
            playing.draw(&self.settings);
        });
        Ok(())
    }

    /// The sizes of an observation: planes, rows and columns, and the length of the vector.
    #[getter]
    fn shape(&self) -> ((usize, usize, usize), usize) {
        self.settings.shape()
    }

    /// Plays a turn with an action for each learner by letter, without the interpreter's lock; a missing action is a malformed
    /// order. Returns the points that each player won, and true if this was the last turn.
    fn step(&self, py: Python<'_>, actions: &Bound<'_, PyDict>) -> PyResult<(Vec<i32>, bool)> {
        let letters: Vec<_> = Colour::first(self.settings.seats.len()).collect();
        let mut orders = vec![Orders::default(); self.settings.learners.len()];
        for (orders, &seat) in orders.iter_mut().zip(&self.settings.learners) {
            if let Some(action) = actions.get_item(letters[seat].as_str())? {
                let action = action.extract()?;
                *orders = of_action(action).ok_or_else(|| no_action(action))?;
            }
        }
        Ok(py.detach(|| self.locked().step(&orders, &self.settings)))
    }

    /// The observation of a learner: ``planes``, a new ``uint8`` array of shape (planes, rows, columns), and ``vector``, a new ``int32``
    /// array.
    fn observation<'py>(&self, py: Python<'py>, seat: usize) -> PyResult<Bound<'py, PyDict>> {
        let learner = self.learner(seat)?;
        let playing = lock(py, &self.playing);
        let ((planes, rows, cols), numbers) = self.shape();
        let size = planes * rows * cols;
        let seen = PyDict::new(py);
        let bytes = PyArray1::from_slice(py, &playing.planes[learner * size..][..size]);
        let bytes: Bound<'_, PyArray3<u8>> = bytes.reshape([planes, rows, cols])?;
        seen.set_item(pyo3::intern!(py, "planes"), bytes)?;
        let vector = PyArray1::from_slice(py, &playing.vectors[learner * numbers..][..numbers]);
        seen.set_item(pyo3::intern!(py, "vector"), vector)?;
        Ok(seen)
    }

    /// The action mask of a learner: a new ``int8`` array of shape (16,), 1 for actions without a false move, else 0.
    fn mask<'py>(&self, py: Python<'py>, seat: usize) -> PyResult<Bound<'py, PyArray1<i8>>> {
        let learner = self.learner(seat)?;
        let playing = lock(py, &self.playing);
        Ok(playing.masks[learner * ACTIONS..][..ACTIONS].to_vec().into_pyarray(py))
    }

    /// The observations of all learners, as ``{"A": {"observation": what it sees, "action_mask": mask}, ...}``.
    fn observations<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let all = PyDict::new(py);
        for (seat, me) in Colour::first(self.settings.seats.len()).enumerate() {
            if self.settings.seats[seat].is_none() {
                let seen = PyDict::new(py);
                seen.set_item(pyo3::intern!(py, "observation"), self.observation(py, seat)?)?;
                seen.set_item(pyo3::intern!(py, "action_mask"), self.mask(py, seat)?)?;
                all.set_item(me.as_str(), seen)?;
            }
        }
        Ok(all)
    }

    /// Plays a turn as :meth:`step` does, and returns the results of a ``ParallelEnv``: observations, rewards,
    /// terminations, truncations, infos.
    fn parallel_step<'py>(
        &self,
        py: Python<'py>,
        actions: &Bound<'py, PyDict>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let (gained, is_over) = self.step(py, actions)?;
        let observations = self.observations(py)?;
        let [rewards, terminations, truncations, infos] = [(); 4].map(|()| PyDict::new(py));
        for me in observations.keys() {
            let letter: char = me.extract()?;
            let index = Colour::from_letter(letter).map_or(0, Colour::index);
            rewards.set_item(&me, f64::from(gained[index]))?;
            terminations.set_item(&me, false)?;
            truncations.set_item(&me, is_over)?;
            infos.set_item(&me, PyDict::new(py))?;
        }
        (observations, rewards, terminations, truncations, infos).into_pyobject(py)
    }

    /// The view of a player, as a bot receives it.
    fn view(&self, py: Python<'_>, player: usize) -> PyResult<View> {
        let me = Colour::first(self.settings.seats.len()).nth(player);
        let me = me.ok_or_else(|| nobody(player))?;
        let playing = lock(py, &self.playing);
        let names = self.settings.names().into();
        Ok(View::new(playing.game.state.view().clone(), names, Some(me)))
    }

    /// The picture of the state: a new ``uint8`` array of shape (height, width, 3), in pixels.
    fn picture<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<u8>>> {
        let playing = lock(py, &self.playing);
        picture::of_game(py, &playing.game)
    }
}

impl Arena {
    /// Locks the game, for a caller without the interpreter's lock.
    fn locked(&self) -> MutexGuard<'_, Playing> {
        self.playing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The index of the learner in a seat.
    fn learner(&self, seat: usize) -> PyResult<usize> {
        let found = self.settings.learners.iter().position(|&learner| learner == seat);
        found.ok_or_else(|| nobody(seat))
    }
}

fn nobody(player: usize) -> PyErr {
    fault::wrong(said!("there is no player {player}", "il n'y a pas de joueur {player}"))
}

impl Playing {
    /// The game, and what its learners see.
    fn split(&mut self) -> (&mut Game, Seen<'_, i32>) {
        let Self { game, planes, vectors, masks } = self;
        (game, Seen { planes, vectors, masks })
    }

    fn draw(&mut self, settings: &Settings) {
        let (game, mut seen) = self.split();
        game.draw(&mut seen, settings);
    }

    fn step(&mut self, orders: &[Orders], settings: &Settings) -> (Vec<i32>, bool) {
        let (game, mut seen) = self.split();
        let points = |game: &Game| -> Vec<i32> {
            game.state.view().players().iter().map(|player| player.points).collect()
        };
        let before = points(game);
        game.play(orders, &mut seen, settings);
        let gained = points(game).iter().zip(before).map(|(now, then)| now - then).collect();
        (gained, game.state.view().is_over())
    }
}
