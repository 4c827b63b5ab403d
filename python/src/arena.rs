//! One game of Pacman, turn by turn, for environments: learners in Python, and bots of the house.

use std::sync::Mutex;

use bots::{Bot, Situation};
use game::pacman::{Colour, Direction, Map, Orders, Rules, Seeded, State};
use language::{said, word};
use numpy::{IntoPyArray, PyArray1, PyArray3, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::fault;
use crate::lock;
use crate::planes::{PLANES, Shown, mask};
use crate::view::View;

/// One game of Pacman, turn by turn.
///
/// ``seats`` has an entry for each player: the name of a bot of the house, or ``None`` for a learner. Actions
/// are ``4 * pacman + ghost`` with directions from 0 to 3 for N, E, S, O.
#[pyclass(frozen, module = "pacman_iuto._native")]
pub(crate) struct Arena {
    map: Map,
    rules: Rules,
    turns: u32,
    seats: Vec<Option<&'static bots::Entry>>,
    playing: Mutex<Playing>,
}

struct Playing {
    state: State,
    /// The state before the last turn; `None` before the first turn.
    before: Option<game::pacman::View>,
    chance: Seeded,
    house: Vec<Option<Box<dyn Bot>>>,
    shown: Shown,
    planes: Vec<u8>,
}

#[pymethods]
impl Arena {
    #[new]
    #[pyo3(signature = (seats, carte = None, turns = 200, regles = "sujet"))]
    fn new(
        seats: Vec<Option<String>>,
        carte: Option<&str>,
        turns: i64,
        regles: &str,
    ) -> PyResult<Self> {
        let turns = fault::at_least_one(turns, word("turn", "tours"))?;
        let (map, rules) = (fault::map(carte)?, fault::rules(regles)?);
        let players = seats.len();
        fault::check_players(players, &map)?;
        let seats = seats
            .into_iter()
            .map(|seat| seat.as_deref().map(bots::by_name).transpose().map_err(fault::wrong))
            .collect::<PyResult<Vec<_>>>()?;
        let playing = Playing::start(&map, rules, turns, &seats, 0);
        Ok(Self { map, rules, turns, seats, playing: Mutex::new(playing) })
    }

    /// Begins the game of this seed.
    fn reset(&self, py: Python<'_>, seed: i128) -> PyResult<()> {
        let seed = fault::seed(seed)?;
        let playing = Playing::start(&self.map, self.rules, self.turns, &self.seats, seed);
        *lock(py, &self.playing) = playing;
        Ok(())
    }

    /// The shape of an observation: planes, rows, columns.
    #[getter]
    fn shape(&self) -> (usize, u16, u16) {
        let dims = self.map.board().dims();
        (PLANES, dims.rows(), dims.cols())
    }

    /// Plays a turn with an action for each learner by letter; a missing action is a malformed order. Returns the
    /// points that each player won, and true if this was the last turn.
    fn step(&self, py: Python<'_>, actions: &Bound<'_, PyDict>) -> PyResult<(Vec<i32>, bool)> {
        let mut orders = vec![Orders::default(); self.seats.len()];
        for ((me, orders), seat) in Colour::first(orders.len()).zip(&mut orders).zip(&self.seats) {
            if seat.is_none()
                && let Some(action) = actions.get_item(me.as_str())?
            {
                *orders = of_action(action.extract()?)?;
            }
        }
        let mut playing = lock(py, &self.playing);
        Ok(playing.step(&mut orders, &self.rules))
    }

    /// The observation of a player: a new ``uint8`` array of shape (14, rows, columns).
    fn observation<'py>(
        &self,
        py: Python<'py>,
        player: usize,
    ) -> PyResult<Bound<'py, PyArray3<u8>>> {
        let me = self.player(player)?;
        let playing = lock(py, &self.playing);
        let (planes, rows, cols) = self.shape();
        let size = planes * usize::from(rows) * usize::from(cols);
        PyArray1::from_slice(py, &playing.planes[me.index() * size..][..size]).reshape([
            planes,
            rows.into(),
            cols.into(),
        ])
    }

    /// The action mask of a player: a new ``int8`` array of shape (16,), 1 for actions without a false move, else 0.
    fn mask<'py>(&self, py: Python<'py>, player: usize) -> PyResult<Bound<'py, PyArray1<i8>>> {
        let me = self.player(player)?;
        let playing = lock(py, &self.playing);
        let view = playing.state.view();
        let mut legal = [0; 16];
        mask(view.board(), &view.players()[me.index()], &mut legal);
        Ok(legal.to_vec().into_pyarray(py))
    }

    /// The observations of all learners, as ``{"A": {"observation": planes, "action_mask": mask}, ...}``.
    fn observations<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let all = PyDict::new(py);
        for (index, (me, seat)) in Colour::first(self.seats.len()).zip(&self.seats).enumerate() {
            if seat.is_none() {
                let seen = PyDict::new(py);
                seen.set_item(pyo3::intern!(py, "observation"), self.observation(py, index)?)?;
                seen.set_item(pyo3::intern!(py, "action_mask"), self.mask(py, index)?)?;
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
        let me = self.player(player)?;
        let playing = lock(py, &self.playing);
        let names = self.seats.iter().zip(Colour::first(self.seats.len()));
        let names = names.map(|(seat, me)| {
            seat.map_or_else(
                || me.as_str().to_owned(),
                |bot| format!("{} {}", bot.name, me.as_str()),
            )
        });
        Ok(View::new(playing.state.view().clone(), names.collect(), Some(me)))
    }
}

impl Arena {
    fn player(&self, number: usize) -> PyResult<Colour> {
        let found = Colour::first(self.seats.len()).nth(number);
        found.ok_or_else(|| {
            fault::wrong(said!("there is no player {number}", "il n'y a pas de joueur {number}"))
        })
    }
}

impl Playing {
    fn start(
        map: &Map,
        rules: Rules,
        turns: u32,
        seats: &[Option<&'static bots::Entry>],
        seed: u64,
    ) -> Self {
        let mut chance = Seeded::new(seed);
        let state = State::start(map, rules, turns, seats.len(), &mut chance);
        let mut house: Vec<Option<Box<dyn Bot>>> = (0..)
            .zip(seats)
            .map(|(number, seat)| seat.map(|entry| entry.make(seed.wrapping_add(number))))
            .collect();
        for (me, bot) in Colour::first(seats.len()).zip(&mut house) {
            if let Some(bot) = bot {
                bot.new_game(&Situation::new(state.view(), me, &rules));
            }
        }
        let mut planes = vec![0; seats.len() * PLANES * map.board().dims().len()];
        let mut shown = Shown::default();
        shown.draw(&mut planes, &state);
        Self { state, before: None, chance, house, shown, planes }
    }

    /// Asks the bots of the house for their orders, and plays a turn.
    fn step(&mut self, orders: &mut [Orders], rules: &Rules) -> (Vec<i32>, bool) {
        let Self { state, before, chance, house, shown, planes } = self;
        for ((me, bot), orders) in Colour::first(house.len()).zip(house).zip(orders.iter_mut()) {
            if let Some(bot) = bot {
                let before = before.as_ref();
                let situation = Situation { before, ..Situation::new(state.view(), me, rules) };
                *orders = bot.play(&situation);
            }
        }
        let points = |state: &State| -> Vec<i32> {
            state.view().players().iter().map(|player| player.points).collect()
        };
        let then = points(state);
        before.get_or_insert_with(|| state.view().clone()).clone_from(state.view());
        state.play_turn(orders, chance, |event, _| shown.note(event));
        shown.update(planes, state.view());
        let gained = points(state).iter().zip(then).map(|(now, then)| now - then).collect();
        (gained, state.view().is_over())
    }
}

/// Decodes an action into orders.
fn of_action(action: i64) -> PyResult<Orders> {
    let index = usize::try_from(action).ok().filter(|&index| index < 16);
    let index = index.ok_or_else(|| {
        fault::wrong(said!(
            "expected an action from 0 to 15, got {action}",
            "une action de 0 à 15 est attendue, et non {action}"
        ))
    })?;
    let direction = |index: usize| Direction::ALL.get(index).copied();
    Ok(Orders { pacman: direction(index / 4), ghost: direction(index % 4) })
}
