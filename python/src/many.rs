//! Many games at a time on arrays, on several threads and without the interpreter's lock.

use std::sync::{Mutex, PoisonError};

use language::{said, word};
use numpy::ndarray::{Dim, Dimension, IntoDimension};
use numpy::{Element, PyArray, PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::fault;
use crate::lock;

/// Parts in which each thread takes the games, so that all threads end at nearly the same time.
const PARTS_PER_THREAD: usize = 8;

/// An environment in which learners play games.
pub(crate) trait Environment: Send + Sync {
    /// A running game.
    type Game: Send;
    /// The type of the numbers in the vectors of observations.
    type Number: Element + Copy + Send;
    /// Number of actions; they are numbered from 0.
    const ACTIONS: usize;

    /// The sizes of an observation: planes, rows and columns, and the length of the vector.
    fn shape(&self) -> Shape;
    /// The number of learners in a game.
    fn learners(&self) -> usize;
    /// Starts the game of a seed.
    fn start(&self, seed: u64) -> PyResult<Self::Game>;
    /// The seed of a game.
    fn seed(game: &Self::Game) -> u64;
    /// Draws the whole observations of a game's learners.
    fn draw(&self, game: &mut Self::Game, seen: &mut Seen<'_, Self::Number>);
    /// Plays a turn with an action of each learner, draws what has changed, and writes the reward of each learner.
    fn play(
        &self,
        game: &mut Self::Game,
        actions: &[i64],
        seen: &mut Seen<'_, Self::Number>,
        rewards: &mut [f64],
    ) -> End;
}

/// Planes, rows and columns, and the length of the vector.
pub(crate) type Shape = ((usize, usize, usize), usize);

/// The end of a game, if it has ended: by its rules, or by the limit of turns.
#[derive(Clone, Copy)]
pub(crate) struct End {
    pub(crate) terminated: bool,
    pub(crate) truncated: bool,
}

/// The observations of learners: for each one after the other, its planes, its vector and its mask.
pub(crate) struct Seen<'a, N> {
    pub(crate) planes: &'a mut [u8],
    pub(crate) vectors: &'a mut [N],
    pub(crate) masks: &'a mut [i8],
}

impl<N> Seen<'_, N> {
    /// Cuts off the observations of the first learners.
    fn take<E: Environment<Number = N>>(&mut self, learners: usize, environment: &E) -> Self {
        let ((planes, rows, cols), numbers) = environment.shape();
        Self {
            planes: self
                .planes
                .split_off_mut(..learners * planes * rows * cols)
                .unwrap_or_default(),
            vectors: self.vectors.split_off_mut(..learners * numbers).unwrap_or_default(),
            masks: self.masks.split_off_mut(..learners * E::ACTIONS).unwrap_or_default(),
        }
    }

    /// The same, to be cut.
    fn whole(&mut self) -> Seen<'_, N> {
        Seen { planes: self.planes, vectors: self.vectors, masks: self.masks }
    }
}

/// The arrays of observations: a row for each learner of each game, game by game.
struct Shown<N> {
    planes: Py<PyArray<u8, numpy::Ix4>>,
    vectors: Py<PyArray<N, numpy::Ix2>>,
    masks: Py<PyArray<i8, numpy::Ix2>>,
}

impl<N: Element> Shown<N> {
    fn new(py: Python<'_>, learners: usize, shape: Shape, actions: usize) -> PyResult<Self> {
        let ((planes, rows, cols), numbers) = shape;
        Ok(Self {
            planes: zeros(py, [learners, planes, rows, cols])?,
            vectors: zeros(py, [learners, numbers])?,
            masks: zeros(py, [learners, actions])?,
        })
    }
}

/// Many games of an environment. All arrays are made once and overwritten by each step.
pub(crate) struct Many<E: Environment> {
    environment: E,
    games: Mutex<Vec<E::Game>>,
    count: usize,
    threads: usize,
    has_autoreset: bool,
    pool: Option<ThreadPool>,
    now: Shown<E::Number>,
    /// The learners' observations at the end of the last finished game in their place.
    last: Shown<E::Number>,
    rewards: Py<PyArray<f64, numpy::Ix1>>,
    terminations: Py<PyArray<bool, numpy::Ix1>>,
    truncations: Py<PyArray<bool, numpy::Ix1>>,
}

/// Some of the games, and their rows of the arrays.
struct Part<'a, E: Environment> {
    games: &'a mut [E::Game],
    /// The difference of the seeds of one game and the next in its place; `None` without autoreset.
    stride: Option<u64>,
    now: Seen<'a, E::Number>,
    last: Seen<'a, E::Number>,
    rewards: &'a mut [f64],
    terminations: &'a mut [bool],
    truncations: &'a mut [bool],
    /// The actions of the learners.
    actions: &'a [i64],
    /// The seeds of games that start.
    seeds: &'a [u64],
}

impl<E: Environment> Part<'_, E> {
    /// Cuts off the first games.
    fn take(&mut self, games: usize, environment: &E) -> Self {
        let learners = games * environment.learners();
        Self {
            games: self.games.split_off_mut(..games).unwrap_or_default(),
            stride: self.stride,
            now: self.now.take(learners, environment),
            last: self.last.take(learners, environment),
            rewards: self.rewards.split_off_mut(..learners).unwrap_or_default(),
            terminations: self.terminations.split_off_mut(..learners).unwrap_or_default(),
            truncations: self.truncations.split_off_mut(..learners).unwrap_or_default(),
            actions: self.actions.split_off(..learners).unwrap_or_default(),
            seeds: self.seeds.split_off(..games).unwrap_or_default(),
        }
    }

    /// Cuts the games into parts of `size` games.
    fn parts(mut self, size: usize, environment: &E) -> Vec<Self> {
        let mut parts = Vec::new();
        while !self.games.is_empty() {
            parts.push(self.take(size.min(self.games.len()), environment));
        }
        parts
    }
}

/// Starts the game of each seed.
fn reset<E: Environment>(part: &mut Part<'_, E>, environment: &E) -> PyResult<()> {
    part.rewards.fill(0.0);
    part.terminations.fill(false);
    part.truncations.fill(false);
    let mut now = part.now.whole();
    for (game, &seed) in part.games.iter_mut().zip(part.seeds) {
        *game = environment.start(seed)?;
        environment.draw(game, &mut now.take(environment.learners(), environment));
    }
    Ok(())
}

/// Plays a turn of each game. With autoreset, if a game ends, its last observations are kept, and the next game
/// takes its place.
fn step<E: Environment>(part: &mut Part<'_, E>, environment: &E) -> PyResult<()> {
    let learners = environment.learners();
    let (mut now, mut last) = (part.now.whole(), part.last.whole());
    let ends = part.terminations.chunks_exact_mut(learners);
    let ends = ends.zip(part.truncations.chunks_exact_mut(learners));
    let results = part.rewards.chunks_exact_mut(learners).zip(ends);
    let games = part.games.iter_mut().zip(part.actions.chunks_exact(learners));
    for ((game, actions), (rewards, (terminations, truncations))) in games.zip(results) {
        let mut now = now.take(learners, environment);
        let last = last.take(learners, environment);
        let end = environment.play(game, actions, &mut now, rewards);
        terminations.fill(end.terminated);
        truncations.fill(end.truncated);
        if let Some(stride) = part.stride.filter(|_| end.terminated || end.truncated) {
            last.planes.copy_from_slice(now.planes);
            last.vectors.copy_from_slice(now.vectors);
            last.masks.copy_from_slice(now.masks);
            *game = environment.start(E::seed(game).wrapping_add(stride))?;
            environment.draw(game, &mut now);
        }
    }
    Ok(())
}

impl<E: Environment> Many<E> {
    /// Starts games; with autoreset, the next game takes the place of one that has ended, else it stays as it is.
    pub(crate) fn new(
        py: Python<'_>,
        games: i64,
        environment: E,
        threads: i64,
        has_autoreset: bool,
    ) -> PyResult<Self> {
        let count = fault::at_least_one(games, word("game", "parties"))? as usize;
        let threads = fault::at_least_one(threads, word("thread", "fils"))? as usize;
        let pool = || ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = (threads > 1).then(pool).transpose().map_err(fault::wrong)?;
        let (learners, shape) = (count * environment.learners(), environment.shape());
        let first = (0..count as u64).map(|seed| environment.start(seed));
        Ok(Self {
            games: Mutex::new(first.collect::<PyResult<_>>()?),
            count,
            threads,
            has_autoreset,
            pool,
            now: Shown::new(py, learners, shape, E::ACTIONS)?,
            last: Shown::new(py, learners, shape, E::ACTIONS)?,
            rewards: zeros(py, [learners])?,
            terminations: zeros(py, [learners])?,
            truncations: zeros(py, [learners])?,
            environment,
        })
    }

    pub(crate) fn environment(&self) -> &E {
        &self.environment
    }

    /// The arrays by name.
    pub(crate) fn arrays<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let arrays = PyDict::new(py);
        for (shown, [planes, vectors, masks]) in [
            (&self.now, ["planes", "vector", "action_mask"]),
            (&self.last, ["final_planes", "final_vector", "final_action_mask"]),
        ] {
            arrays.set_item(planes, &shown.planes)?;
            arrays.set_item(vectors, &shown.vectors)?;
            arrays.set_item(masks, &shown.masks)?;
        }
        arrays.set_item("rewards", &self.rewards)?;
        arrays.set_item("terminations", &self.terminations)?;
        arrays.set_item("truncations", &self.truncations)?;
        Ok(arrays)
    }

    /// The seed of each running game.
    pub(crate) fn seeds(&self, py: Python<'_>) -> Vec<u64> {
        lock(py, &self.games).iter().map(E::seed).collect()
    }

    /// Restarts all games, with a seed for each.
    pub(crate) fn reset(&mut self, py: Python<'_>, seeds: Vec<i128>) -> PyResult<()> {
        let seeds = seeds.into_iter().map(fault::seed).collect::<PyResult<Vec<_>>>()?;
        let games = self.count;
        if seeds.len() != games {
            return Err(fault::wrong(said!(
                "expected a seed for each of {games} games, got {}",
                "une graine pour chacune des {games} parties est attendue, et non {}",
                seeds.len()
            )));
        }
        self.with_parts(py, &[], &seeds, reset)
    }

    /// Plays a turn of every game with an action for each learner. With autoreset, if a game ends, the next one starts in its place,
    /// with a seed larger by the number of games. Returns true if a game has ended.
    pub(crate) fn step(
        &mut self,
        py: Python<'_>,
        actions: &Bound<'_, PyArray1<i64>>,
    ) -> PyResult<bool> {
        let actions = actions.try_readonly()?;
        let actions = actions.as_slice()?;
        let (learners, found) = (self.count * self.environment.learners(), actions.len());
        if found != learners {
            return Err(fault::wrong(said!(
                "expected {learners} actions, got {found}",
                "{learners} actions sont attendues, et non {found}"
            )));
        }
        let most = i64::try_from(E::ACTIONS).unwrap_or(i64::MAX) - 1;
        if let Some(place) = actions.iter().position(|action| !(0..=most).contains(action)) {
            let action = actions[place];
            return Err(fault::wrong(said!(
                "environment {place}: expected an action from 0 to {most}, got {action}",
                "environnement {place} : une action de 0 à {most} est attendue, et non {action}"
            )));
        }
        self.with_parts(py, actions, &[], step)?;
        let [terminations, truncations] = [&self.terminations, &self.truncations];
        let has = |ends: &Py<PyArray<bool, numpy::Ix1>>| {
            Ok::<_, PyErr>(ends.bind(py).try_readonly()?.as_slice()?.contains(&true))
        };
        Ok(has(terminations)? || has(truncations)?)
    }

    /// Hands a game to `look`.
    pub(crate) fn game<T>(
        &self,
        py: Python<'_>,
        number: usize,
        look: impl FnOnce(&E::Game) -> PyResult<T>,
    ) -> PyResult<T> {
        let games = lock(py, &self.games);
        let game = games.get(number).ok_or_else(|| {
            fault::wrong(said!("there is no game {number}", "il n'y a pas de partie {number}"))
        });
        look(game?)
    }

    /// Hands the games in parts to `work`, on all threads and without the interpreter's lock. `actions` has an action for each learner,
    /// or none at all, and `seeds` a seed for each game, or none.
    fn with_parts(
        &mut self,
        py: Python<'_>,
        actions: &[i64],
        seeds: &[u64],
        work: impl Fn(&mut Part<'_, E>, &E) -> PyResult<()> + Send + Sync,
    ) -> PyResult<()> {
        let Shown { planes, vectors, masks } = &self.now;
        let mut planes = planes.bind(py).try_readwrite()?;
        let mut vectors = vectors.bind(py).try_readwrite()?;
        let mut masks = masks.bind(py).try_readwrite()?;
        let now = Seen {
            planes: planes.as_slice_mut()?,
            vectors: vectors.as_slice_mut()?,
            masks: masks.as_slice_mut()?,
        };
        let Shown { planes, vectors, masks } = &self.last;
        let mut planes = planes.bind(py).try_readwrite()?;
        let mut vectors = vectors.bind(py).try_readwrite()?;
        let mut masks = masks.bind(py).try_readwrite()?;
        let last = Seen {
            planes: planes.as_slice_mut()?,
            vectors: vectors.as_slice_mut()?,
            masks: masks.as_slice_mut()?,
        };
        let mut rewards = self.rewards.bind(py).try_readwrite()?;
        let mut terminations = self.terminations.bind(py).try_readwrite()?;
        let mut truncations = self.truncations.bind(py).try_readwrite()?;
        let (rewards, terminations, truncations) =
            (rewards.as_slice_mut()?, terminations.as_slice_mut()?, truncations.as_slice_mut()?);
        let games = self.games.get_mut().unwrap_or_else(PoisonError::into_inner);
        let (count, threads, pool) = (self.count, self.threads, self.pool.as_ref());
        let stride = self.has_autoreset.then_some(count as u64);
        let environment = &self.environment;
        let all =
            Part { games, stride, now, last, rewards, terminations, truncations, actions, seeds };
        py.detach(move || {
            let size =
                if threads == 1 { count } else { count.div_ceil(threads * PARTS_PER_THREAD) };
            let parts = all.parts(size, environment).into_iter();
            let parts: Vec<_> = parts.map(|part| Mutex::new(Some(part))).collect();
            let first_fault = Mutex::new(Ok(()));
            // Each thread begins with its own parts, which are the same in every step, so that they stay in the cache of its core;
            // then it takes parts that others have not begun.
            let work_on = || {
                let thread = rayon::current_thread_index().unwrap_or(0);
                let first = (thread * PARTS_PER_THREAD).min(parts.len());
                for part in parts[first..].iter().chain(&parts[..first]) {
                    let part = part.lock().unwrap_or_else(PoisonError::into_inner).take();
                    let Some(mut part) = part else { continue };
                    if let Err(fault) = work(&mut part, environment) {
                        *first_fault.lock().unwrap_or_else(PoisonError::into_inner) = Err(fault);
                        break;
                    }
                }
            };
            match pool {
                None => work_on(),
                // Within the pool, a thread that finds nothing left to do takes back the tasks that no other thread has begun: a step
                // does not wait for a thread that the system has not let run yet.
                Some(pool) => pool.install(|| {
                    rayon::scope(|scope| {
                        for _ in 1..threads {
                            scope.spawn(|_| work_on());
                        }
                        work_on();
                    });
                }),
            }
            first_fault.into_inner().unwrap_or_else(PoisonError::into_inner)
        })
    }
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
