//! Many games of Pacman at a time, on arrays.

use std::sync::{Mutex, PoisonError};

use game::pacman::{Colour, Orders};
use language::{said, word};
use numpy::ndarray::{Dim, Dimension, IntoDimension};
use numpy::{Element, PyArray, PyArrayMethods, PyReadonlyArray1};
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::fault;
use crate::game::{Game, Settings, of_action};
use crate::lock;
use crate::picture;
use crate::planes::{ACTIONS, Seen};
use crate::view::View;

/// Parts in which each thread takes the games, so that all threads end at nearly the same time.
const PARTS_PER_THREAD: usize = 8;

/// Many games of Pacman on arrays, without any Python for each game and without the interpreter's lock.
///
/// The arrays have a row for each learner of each game, game by game and in order of colour. All arrays are made once and
/// overwritten by each step. ``final_planes``, ``final_vectors`` and ``final_masks`` have what the learner saw at the end of the last
/// finished game in its place.
#[pyclass(module = "pacman_iuto._native")]
pub(crate) struct BatchArena {
    games: Mutex<Vec<Game>>,
    count: usize,
    settings: Settings,
    pool: Option<ThreadPool>,
    threads: usize,
    #[pyo3(get)]
    planes: Py<PyArray<u8, numpy::Ix4>>,
    #[pyo3(get)]
    vectors: Py<PyArray<i32, numpy::Ix2>>,
    #[pyo3(get)]
    masks: Py<PyArray<i8, numpy::Ix2>>,
    #[pyo3(get)]
    final_planes: Py<PyArray<u8, numpy::Ix4>>,
    #[pyo3(get)]
    final_vectors: Py<PyArray<i32, numpy::Ix2>>,
    #[pyo3(get)]
    final_masks: Py<PyArray<i8, numpy::Ix2>>,
    #[pyo3(get)]
    rewards: Py<PyArray<f64, numpy::Ix1>>,
    #[pyo3(get)]
    truncations: Py<PyArray<bool, numpy::Ix1>>,
}

/// Some of the games, and their rows of the arrays.
struct Part<'a> {
    games: &'a mut [Game],
    /// The number of all games.
    count: usize,
    seen: Rows<'a>,
    last: Rows<'a>,
    rewards: &'a mut [f64],
    truncations: &'a mut [bool],
    /// The actions of the learners.
    actions: &'a [i64],
}

/// The rows of some learners, what they see.
struct Rows<'a> {
    planes: &'a mut [u8],
    vectors: &'a mut [i32],
    masks: &'a mut [i8],
}

impl<'a> Rows<'a> {
    /// Cuts off the rows of the first learners.
    fn take(&mut self, learners: usize, settings: &Settings) -> Rows<'a> {
        let ((planes, rows, cols), numbers) = settings.shape();
        Rows {
            planes: cut(&mut self.planes, learners * planes * rows * cols),
            vectors: cut(&mut self.vectors, learners * numbers),
            masks: cut(&mut self.masks, learners * ACTIONS),
        }
    }

    fn seen(&mut self) -> Seen<'_> {
        Seen { planes: self.planes, vectors: self.vectors, masks: self.masks }
    }
}

/// Cuts off the first items of a slice.
fn cut<'a, T>(slice: &mut &'a mut [T], length: usize) -> &'a mut [T] {
    slice.split_off_mut(..length).unwrap_or_default()
}

impl<'a> Part<'a> {
    /// Cuts off the first games.
    fn take(&mut self, games: usize, settings: &Settings) -> Part<'a> {
        let learners = games * settings.learners.len();
        Part {
            games: cut(&mut self.games, games),
            count: self.count,
            seen: self.seen.take(learners, settings),
            last: self.last.take(learners, settings),
            rewards: cut(&mut self.rewards, learners),
            truncations: cut(&mut self.truncations, learners),
            actions: self.actions.split_off(..learners).unwrap_or_default(),
        }
    }

    /// Cuts the games into parts of `size` games.
    fn parts(mut self, size: usize, settings: &Settings) -> Vec<Part<'a>> {
        let mut parts = Vec::new();
        while !self.games.is_empty() {
            parts.push(self.take(size.min(self.games.len()), settings));
        }
        parts
    }

    /// Starts the game of each seed.
    fn reset(&mut self, seeds: &[u64], settings: &Settings) {
        self.rewards.fill(0.0);
        self.truncations.fill(false);
        let mut rows = self.seen.whole();
        for (game, &seed) in self.games.iter_mut().zip(seeds) {
            *game = Game::start(settings, seed);
            game.draw(&mut rows.take(settings.learners.len(), settings).seen(), settings);
        }
    }

    /// Plays a turn of each game. If a game ends, what the learners see is kept, and the next game takes its place.
    fn step(&mut self, settings: &Settings) {
        let learners = settings.learners.len();
        let (mut rows, mut last) = (self.seen.whole(), self.last.whole());
        let results = self.rewards.chunks_exact_mut(learners);
        let results = results.zip(self.truncations.chunks_exact_mut(learners));
        let actions = self.actions.chunks_exact(learners);
        for ((game, actions), (rewards, truncations)) in
            self.games.iter_mut().zip(actions).zip(results)
        {
            let mut rows = rows.take(learners, settings);
            let last = last.take(learners, settings);
            let mut orders = [Orders::default(); Colour::MAX];
            for (orders, &action) in orders.iter_mut().zip(actions) {
                *orders = of_action(action).unwrap_or_default();
            }
            let points =
                |game: &Game, seat: usize| f64::from(game.state.view().players()[seat].points);
            for (reward, &seat) in rewards.iter_mut().zip(&settings.learners) {
                *reward = -points(game, seat);
            }
            game.play(&orders[..learners], &mut rows.seen(), settings);
            for (reward, &seat) in rewards.iter_mut().zip(&settings.learners) {
                *reward += points(game, seat);
            }
            let is_over = game.state.view().is_over();
            truncations.fill(is_over);
            if is_over {
                last.planes.copy_from_slice(rows.planes);
                last.vectors.copy_from_slice(rows.vectors);
                last.masks.copy_from_slice(rows.masks);
                *game = Game::start(settings, game.seed.wrapping_add(self.count as u64));
                game.draw(&mut rows.seen(), settings);
            }
        }
    }
}

impl Rows<'_> {
    /// The same rows, to be cut.
    fn whole(&mut self) -> Rows<'_> {
        Rows { planes: self.planes, vectors: self.vectors, masks: self.masks }
    }
}

impl BatchArena {
    /// Hands the games in parts to `work`, on all threads and without the interpreter's lock. `actions` are those of a step, or of
    /// no learner at all.
    fn with_parts(
        &mut self,
        py: Python<'_>,
        actions: &[i64],
        size: usize,
        work: impl Fn(&mut Part<'_>, &Settings) + Send + Sync,
    ) -> PyResult<()> {
        let mut planes = self.planes.bind(py).try_readwrite()?;
        let mut vectors = self.vectors.bind(py).try_readwrite()?;
        let mut masks = self.masks.bind(py).try_readwrite()?;
        let mut final_planes = self.final_planes.bind(py).try_readwrite()?;
        let mut final_vectors = self.final_vectors.bind(py).try_readwrite()?;
        let mut final_masks = self.final_masks.bind(py).try_readwrite()?;
        let mut rewards = self.rewards.bind(py).try_readwrite()?;
        let mut truncations = self.truncations.bind(py).try_readwrite()?;
        let all = Part {
            count: self.count,
            games: self.games.get_mut().unwrap_or_else(PoisonError::into_inner),
            seen: Rows {
                planes: planes.as_slice_mut()?,
                vectors: vectors.as_slice_mut()?,
                masks: masks.as_slice_mut()?,
            },
            last: Rows {
                planes: final_planes.as_slice_mut()?,
                vectors: final_vectors.as_slice_mut()?,
                masks: final_masks.as_slice_mut()?,
            },
            rewards: rewards.as_slice_mut()?,
            truncations: truncations.as_slice_mut()?,
            actions,
        };
        let (settings, pool, threads) = (&self.settings, self.pool.as_ref(), self.threads);
        py.detach(move || {
            let parts = Mutex::new(all.parts(size, settings).into_iter());
            let work_on = || {
                loop {
                    let part = parts.lock().unwrap_or_else(PoisonError::into_inner).next();
                    let Some(mut part) = part else { break };
                    work(&mut part, settings);
                }
            };
            match pool {
                None => work_on(),
                Some(pool) => pool.in_place_scope(|scope| {
                    for _ in 1..threads {
                        scope.spawn(|_| work_on());
                    }
                    work_on();
                }),
            }
        });
        Ok(())
    }

    /// The number of games that a thread takes at a time.
    fn size_of_parts(&self) -> usize {
        match self.threads {
            1 => self.count,
            threads => self.count.div_ceil(threads * PARTS_PER_THREAD),
        }
    }
}

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
        let count = fault::at_least_one(games, word("game", "parties"))? as usize;
        let threads = fault::at_least_one(threads, word("thread", "fils"))? as usize;
        let settings = Settings::read(seats, map, map_size, turns, rules)?;
        let pool = (threads > 1)
            .then(|| {
                ThreadPoolBuilder::new().num_threads(threads - 1).build().map_err(fault::wrong)
            })
            .transpose()?;
        let ((planes, rows, cols), numbers) = settings.shape();
        let learners = count * settings.learners.len();
        Ok(Self {
            games: Mutex::new((0..count as u64).map(|seed| Game::start(&settings, seed)).collect()),
            count,
            settings,
            pool,
            threads,
            planes: zeros(py, [learners, planes, rows, cols])?,
            vectors: zeros(py, [learners, numbers])?,
            masks: zeros(py, [learners, ACTIONS])?,
            final_planes: zeros(py, [learners, planes, rows, cols])?,
            final_vectors: zeros(py, [learners, numbers])?,
            final_masks: zeros(py, [learners, ACTIONS])?,
            rewards: zeros(py, [learners])?,
            truncations: zeros(py, [learners])?,
        })
    }

    /// Restarts all games, with a seed for each.
    fn reset(&mut self, py: Python<'_>, seeds: Vec<i128>) -> PyResult<()> {
        let seeds = seeds.into_iter().map(fault::seed).collect::<PyResult<Vec<_>>>()?;
        let games = self.count;
        if seeds.len() != games {
            return Err(fault::wrong(said!(
                "expected a seed for each of {games} games, got {}",
                "une graine pour chacune des {games} parties est attendue, et non {}",
                seeds.len()
            )));
        }
        self.with_parts(py, &[], games, |part, settings| part.reset(&seeds, settings))
    }

    /// Plays a turn of every game with an action for each learner. If a game ends, the next one starts in its place, with a seed
    /// larger by the number of games. Returns true if a game has ended.
    fn step(&mut self, py: Python<'_>, actions: PyReadonlyArray1<'_, i64>) -> PyResult<bool> {
        let actions = actions.as_slice()?;
        let learners = self.count * self.settings.learners.len();
        if actions.len() != learners {
            let found = actions.len();
            return Err(fault::wrong(said!(
                "expected {learners} actions, got {found}",
                "{learners} actions sont attendues, et non {found}"
            )));
        }
        if let Some(place) = actions.iter().position(|&action| of_action(action).is_none()) {
            let action = actions[place];
            return Err(fault::wrong(said!(
                "environment {place}: expected an action from 0 to 15, got {action}",
                "environnement {place} : une action de 0 à 15 est attendue, et non {action}"
            )));
        }
        self.with_parts(py, actions, self.size_of_parts(), |part, settings| part.step(settings))?;
        let truncations = self.truncations.bind(py).try_readonly()?;
        Ok(truncations.as_slice()?.contains(&true))
    }

    /// The sizes of what a learner sees: planes, rows and columns, and the length of the vector.
    #[getter]
    fn shape(&self) -> ((usize, usize, usize), usize) {
        self.settings.shape()
    }

    /// The seed of each running game.
    #[getter]
    fn seeds(&self, py: Python<'_>) -> Vec<u64> {
        lock(py, &self.games).iter().map(|game| game.seed).collect()
    }

    /// The view of the first learner of a game.
    fn view(&self, py: Python<'_>, game: usize) -> PyResult<View> {
        let games = lock(py, &self.games);
        let found = games.get(game).ok_or_else(|| no_game(game))?;
        let me = Colour::first(self.settings.seats.len()).nth(self.settings.learners[0]);
        Ok(View::new(found.state.view().clone(), self.settings.names().into(), me))
    }

    /// The picture of a game: a new ``uint8`` array of shape (height, width, 3), in pixels.
    fn picture<'py>(
        &self,
        py: Python<'py>,
        game: usize,
    ) -> PyResult<Bound<'py, numpy::PyArray3<u8>>> {
        let games = lock(py, &self.games);
        picture::of_game(py, games.get(game).ok_or_else(|| no_game(game))?)
    }
}

fn no_game(number: usize) -> PyErr {
    fault::wrong(said!("there is no game {number}", "il n'y a pas de partie {number}"))
}

/// An array of zeros; an error if memory is short.
fn zeros<T: Element, const N: usize>(
    py: Python<'_>,
    shape: [usize; N],
) -> PyResult<Py<PyArray<T, Dim<[usize; N]>>>>
where
    Dim<[usize; N]>: Dimension,
    [usize; N]: IntoDimension<Dim = Dim<[usize; N]>>,
{
    let zeros = py.import("numpy")?.call_method1("zeros", (shape.to_vec(), T::get_dtype(py)))?;
    Ok(zeros.cast_into::<PyArray<T, _>>()?.unbind())
}
