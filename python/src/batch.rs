//! Many games at a time, on arrays.

use game::pacman::{Direction, Map, Orders, Rules, Seeded, State};
use language::{said, word};
use numpy::{
    Element, PyArray, PyArrayMethods, PyReadonlyArray3, PyUntypedArray, PyUntypedArrayMethods,
};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::fault;
use crate::planes::{PLANES, Shown};

/// Numbers of each player in `BatchEnv.players`.
const FIELDS: usize = 9;

/// Many games of Pacman on arrays, without any Python for each game and without the interpreter's lock.
///
/// ``games``: the number of games; ``carte``: a map of ``pacman_iuto.MAPS``, a file, or the text of a map (plan1 if
/// missing); ``seed``: the i-th game starts with ``seed + i``, and each next game in its place adds ``games`` to
/// that; ``players`` (4), ``turns`` (200) of a game; ``regles``: ``"sujet"`` or ``"orleans2024"``;
/// ``observations``: true if :meth:`step` writes the observations of the players.
///
/// Observations are one ``uint8`` array of shape (games, players, 14, rows, columns). The planes of a player, with
/// the value of a cell: 0, 1 for a wall; 1 and 2, 1 where its own pacman, its own ghost stands; 3 and 4, 1 where
/// pacmans, ghosts of others stand; 5 to 7, turns left of glutton, freeze, wall-pass of a pacman that stands
/// there, at most 255; 8 to 13, 1 where a vitamin, glutton, freeze, wall-pass, cherry, teleporter lies.
///
/// All arrays are made once and overwritten by each step: copy values that you need longer, and do not write to them.
///
/// >>> import numpy
/// >>> batch = BatchEnv(2, seed=1)
/// >>> observations, rewards, truncations = batch.step(numpy.zeros((2, 4, 2), numpy.uint8))
/// >>> observations.shape, rewards.shape, truncations.shape
/// ((2, 4, 14, 20, 30), (2, 4), (2,))
#[pyclass(module = "pacman_iuto", name = "BatchEnv")]
pub(crate) struct BatchEnv {
    games: Vec<Game>,
    settings: Settings,
    seed: u64,
    /// The observations of the players: ``uint8`` of shape (games, players, 14, rows, columns); ``None`` if the
    /// environment has none.
    #[pyo3(get)]
    observations: Option<Py<PyArray<u8, numpy::Ix5>>>,
    /// The observations at the end of the last finished game in each place, of the shape of ``observations``; 0 before the
    /// first end, and ``None`` if the environment has no observations.
    #[pyo3(get)]
    final_observations: Option<Py<PyArray<u8, numpy::Ix5>>>,
    rewards: Py<PyArray<f32, numpy::Ix2>>,
    truncations: Py<PyArray<bool, numpy::Ix1>>,
    /// Points of the players: ``int32`` of shape (games, players).
    #[pyo3(get)]
    points: Py<PyArray<i32, numpy::Ix2>>,
    /// Points at the end of the last finished game in each place: ``int32`` of shape (games, players); 0 before the
    /// first end.
    #[pyo3(get)]
    final_points: Py<PyArray<i32, numpy::Ix2>>,
    /// Turns played in each game: ``int32`` of shape (games,).
    #[pyo3(get)]
    turn: Py<PyArray<i32, numpy::Ix1>>,
}

struct Game {
    state: State,
    chance: Seeded,
    seed: u64,
    shown: Shown,
}

/// The arrays that a step of all games writes.
struct Buffers<'a> {
    observations: Option<Planes<'a>>,
    rewards: &'a mut [f32],
    truncations: &'a mut [bool],
    points: &'a mut [i32],
    final_points: &'a mut [i32],
    turn: &'a mut [i32],
}

/// The observations of all games, and those at the end of the last finished game in each place.
struct Planes<'a> {
    current: &'a mut [u8],
    last: &'a mut [u8],
}

impl BatchEnv {
    /// Hands the arrays to `work`, without the interpreter's lock.
    fn with_buffers<T: Send>(
        &mut self,
        py: Python<'_>,
        work: impl FnOnce(&mut Vec<Game>, &Settings, Buffers<'_>) -> T + Send,
    ) -> PyResult<T> {
        let writable = |array: &Py<PyArray<u8, numpy::Ix5>>| array.bind(py).try_readwrite();
        let mut current = self.observations.as_ref().map(writable).transpose()?;
        let mut last = self.final_observations.as_ref().map(writable).transpose()?;
        let mut rewards = self.rewards.bind(py).try_readwrite()?;
        let mut truncations = self.truncations.bind(py).try_readwrite()?;
        let mut points = self.points.bind(py).try_readwrite()?;
        let mut final_points = self.final_points.bind(py).try_readwrite()?;
        let mut turn = self.turn.bind(py).try_readwrite()?;
        let buffers = Buffers {
            observations: match current.as_mut().zip(last.as_mut()) {
                Some((current, last)) => {
                    Some(Planes { current: current.as_slice_mut()?, last: last.as_slice_mut()? })
                }
                None => None,
            },
            rewards: rewards.as_slice_mut()?,
            truncations: truncations.as_slice_mut()?,
            points: points.as_slice_mut()?,
            final_points: final_points.as_slice_mut()?,
            turn: turn.as_slice_mut()?,
        };
        let (games, settings) = (&mut self.games, &self.settings);
        Ok(py.detach(move || work(games, settings, buffers)))
    }
}

/// The settings that all games share.
struct Settings {
    map: Map,
    rules: Rules,
    turns: u32,
    players: usize,
}

impl Settings {
    fn start(&self, seed: u64) -> Game {
        let mut chance = Seeded::new(seed);
        let state = State::start(&self.map, self.rules, self.turns, self.players, &mut chance);
        Game { state, chance, seed, shown: Shown::default() }
    }

    /// Bytes of the planes of a game.
    fn planes(&self) -> usize {
        self.players * PLANES * self.map.board().dims().len()
    }
}

impl Buffers<'_> {
    /// Writes the start of a game.
    fn begin(&mut self, index: usize, game: &mut Game, settings: &Settings) {
        if let Some(observations) = &mut self.observations {
            let size = settings.planes();
            game.shown.draw(&mut observations.current[index * size..][..size], &game.state);
        }
        self.points[index * settings.players..][..settings.players].fill(0);
        self.turn[index] = 0;
    }

    /// Plays a turn of a game; if the game ends, the next one takes its place.
    fn step(
        &mut self,
        index: usize,
        games: usize,
        game: &mut Game,
        actions: &[u8],
        settings: &Settings,
    ) {
        let mut orders = [Orders::default(); game::pacman::Colour::MAX];
        for (orders, pair) in orders.iter_mut().zip(actions.chunks_exact(2)) {
            let direction = |letter: u8| Direction::ALL.get(usize::from(letter)).copied();
            *orders = Orders { pacman: direction(pair[0]), ghost: direction(pair[1]) };
        }
        let Game { state, chance, shown, .. } = game;
        let orders = &orders[..settings.players];
        match &mut self.observations {
            None => state.play_turn(orders, chance, |_, _| {}),
            Some(observations) => {
                state.play_turn(orders, chance, |event, _| shown.note(event));
                let size = settings.planes();
                shown.update(&mut observations.current[index * size..][..size], state.view());
            }
        }
        let range = index * settings.players..(index + 1) * settings.players;
        let (points, rewards) = (&mut self.points[range.clone()], &mut self.rewards[range.clone()]);
        for ((player, points), reward) in
            state.view().players().iter().zip(points.iter_mut()).zip(rewards)
        {
            // A turn changes a player's points by some hundreds at most.
            #[expect(clippy::cast_precision_loss, reason = "exact for such small numbers")]
            let gained = player.points.wrapping_sub(*points) as f32;
            *reward = gained;
            *points = player.points;
        }
        self.turn[index] += 1;
        let is_over = state.view().is_over();
        self.truncations[index] = is_over;
        if is_over {
            self.final_points[range.clone()].copy_from_slice(&self.points[range]);
            if let Some(Planes { current, last }) = &mut self.observations {
                let place = index * settings.planes()..(index + 1) * settings.planes();
                last[place.clone()].copy_from_slice(&current[place]);
            }
            *game = settings.start(game.seed.wrapping_add(games as u64));
            self.begin(index, game, settings);
        }
    }
}

#[pymethods]
impl BatchEnv {
    #[new]
    #[pyo3(signature = (games, carte = None, seed = 0, *, players = 4, turns = 200, regles = "sujet", observations = true))]
    #[expect(clippy::too_many_arguments, reason = "named in Python")]
    fn new(
        py: Python<'_>,
        games: i64,
        carte: Option<&str>,
        seed: i128,
        players: i64,
        turns: i64,
        regles: &str,
        observations: bool,
    ) -> PyResult<Self> {
        let count = fault::at_least_one(games, word("game", "parties"))? as usize;
        let turns = fault::at_least_one(turns, word("turn", "tours"))?;
        let (seed, players) = (fault::seed(seed)?, fault::players(players)?);
        let (map, rules) = (fault::map(carte)?, fault::rules(regles)?);
        fault::check_players(players, &map)?;
        let dims = map.board().dims();
        let planes = [count, players, PLANES, dims.rows().into(), dims.cols().into()];
        let (observations, final_observations) = if observations {
            (Some(zeros(py, planes)?), Some(zeros(py, planes)?))
        } else {
            (None, None)
        };
        let settings = Settings { map, rules, turns, players };
        let games =
            (0..count as u64).map(|index| settings.start(seed.wrapping_add(index))).collect();
        let mut batch = Self {
            games,
            settings,
            seed,
            observations,
            final_observations,
            rewards: zeros(py, [count, players])?,
            truncations: zeros(py, [count])?,
            points: zeros(py, [count, players])?,
            final_points: zeros(py, [count, players])?,
            turn: zeros(py, [count])?,
        };
        batch.reset(py, None)?;
        Ok(batch)
    }

    /// Restarts all games, the i-th one with seed ``seed + i``, and returns the observations.
    ///
    /// Without a seed, the seed of the environment's construction is used.
    #[pyo3(signature = (seed = None))]
    fn reset(
        &mut self,
        py: Python<'_>,
        seed: Option<i128>,
    ) -> PyResult<Option<Py<PyArray<u8, numpy::Ix5>>>> {
        self.seed = seed.map_or(Ok(self.seed), fault::seed)?;
        let first = self.seed;
        self.with_buffers(py, |games, settings, mut buffers| {
            for (index, game) in games.iter_mut().enumerate() {
                *game = settings.start(first.wrapping_add(index as u64));
                buffers.begin(index, game, settings);
            }
            buffers.rewards.fill(0.0);
            buffers.truncations.fill(false);
            buffers.final_points.fill(0);
            if let Some(observations) = buffers.observations {
                observations.last.fill(0);
            }
        })?;
        Ok(self.observations.as_ref().map(|array| array.clone_ref(py)))
    }

    /// Plays a turn of every game. If a game ends, the next one starts in its place: the observation is that of the next
    /// game; the last observation and the last points are in ``final_observations`` and ``final_points``.
    ///
    /// ``actions`` is a ``uint8`` array of shape (games, players, 2): the direction of the pacman, then of
    /// the ghost, 0 to 3 for N, E, S, O; any other number is a malformed order. Returns the observations
    /// (``None`` if the environment has none), the rewards (points won in the turn, ``float32`` of shape
    /// (games, players)), and the truncations (``bool`` of shape (games,): true after a game's last turn; a
    /// game has no other end).
    fn step<'py>(
        &mut self,
        py: Python<'py>,
        actions: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let expected = [self.games.len(), self.settings.players, 2];
        let found = actions.extract::<PyReadonlyArray3<'py, u8>>().ok();
        let found = found.filter(|array| array.shape() == expected && array.is_c_contiguous());
        let Some(found) = found else { return Err(unexpected(actions, expected)) };
        let actions = found.as_slice()?;
        self.with_buffers(py, |games, settings, mut buffers| {
            let count = games.len();
            let actions = actions.chunks_exact(2 * settings.players);
            for ((index, game), actions) in games.iter_mut().enumerate().zip(actions) {
                buffers.step(index, count, game, actions, settings);
            }
        })?;
        (self.observations.as_ref(), &self.rewards, &self.truncations).into_pyobject(py)
    }

    /// Number of games.
    #[getter]
    fn games(&self) -> usize {
        self.games.len()
    }

    /// Seed of each current game, of shape (games,) and ``uint64``.
    #[getter]
    fn seeds<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray<u64, numpy::Ix1>> {
        PyArray::from_iter(py, self.games.iter().map(|game| game.seed))
    }

    /// The players of each game: a new ``int32`` array of shape (games, players, 9) with the row and column
    /// of the pacman, the row and column of the ghost, the points, the counter of false moves, and the turns
    /// left of glutton, freeze and wall-pass.
    fn players<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray<i32, numpy::Ix3>>> {
        let dims = self.settings.map.board().dims();
        let turns = |turns: u32| i32::try_from(turns).unwrap_or(i32::MAX);
        let players = self.games.iter().flat_map(|game| game.state.view().players());
        let numbers = players.flat_map(|player| {
            let (pacman, ghost) = (dims.pos(player.pacman), dims.pos(player.ghost));
            let powers = player.powers;
            [
                pacman.row.into(),
                pacman.col.into(),
                ghost.row.into(),
                ghost.col.into(),
                player.points,
                player.false_moves,
                turns(powers.glutton),
                turns(powers.freeze),
                turns(powers.wall_pass),
            ]
        });
        PyArray::from_iter(py, numbers).reshape([self.games.len(), self.settings.players, FIELDS])
    }
}

/// An array of zeros; an error if memory is short.
fn zeros<T: Element, const N: usize>(
    py: Python<'_>,
    shape: [usize; N],
) -> PyResult<Py<PyArray<T, numpy::ndarray::Dim<[usize; N]>>>>
where
    numpy::ndarray::Dim<[usize; N]>: numpy::ndarray::Dimension,
    [usize; N]: numpy::ndarray::IntoDimension<Dim = numpy::ndarray::Dim<[usize; N]>>,
{
    let zeros = py.import("numpy")?.call_method1("zeros", (shape.to_vec(), T::get_dtype(py)))?;
    Ok(zeros.cast_into::<PyArray<T, _>>()?.unbind())
}

/// The exception for actions of a wrong type or shape.
fn unexpected(actions: &Bound<'_, PyAny>, expected: [usize; 3]) -> PyErr {
    let [games, players, _] = expected;
    let found = match actions.cast::<PyUntypedArray>() {
        Ok(array) => {
            let order = if array.is_c_contiguous() {
                ""
            } else {
                word(", not C-contiguous", ", non contigu en C")
            };
            let (kind, shape) = (array.dtype(), array.shape());
            said!(
                "an array of {kind} of shape {shape:?}{order}",
                "un tableau de {kind} de forme {shape:?}{order}"
            )
        }
        Err(_) => format!("{}", actions.get_type()),
    };
    fault::wrong(said!(
        "expected actions as a C-contiguous array of uint8 of shape ({games}, {players}, 2), got {found}",
        "les actions sont un tableau contigu en C de uint8 de forme ({games}, {players}, 2), et non {found}"
    ))
}
