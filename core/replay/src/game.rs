//! Playing a recorded game again.

use std::borrow::Cow;

use game::pacman::{self, Orders, Seeded, StateText};
use game::pyrat;
use language::Phrase;

use crate::marks::{self, Marks};
use crate::setup::Setup;
use crate::turn::{Answer, AnswerFault, Flaw, Given, Turn};

/// A recorded game that is played again.
#[derive(Clone, Debug)]
pub enum Replay {
    /// A game of Pacman.
    Pacman(Box<PacmanGame>),
    /// A game of PyRat.
    PyRat(PyRatGame),
}

/// A game of Pacman that is played again.
#[derive(Clone, Debug)]
pub struct PacmanGame {
    state: pacman::State,
    chance: Seeded,
    text: StateText,
}

/// A game of PyRat that is played again.
#[derive(Clone, Debug)]
pub struct PyRatGame {
    state: pyrat::State,
    names: Vec<String>,
    text: Vec<u8>,
}

impl Replay {
    /// Starts a game.
    #[must_use]
    pub fn start(setup: &Setup) -> Self {
        match setup {
            Setup::Pacman(setup) => {
                let mut chance = Seeded::new(setup.seed);
                let players = setup.names.len();
                let state = pacman::State::start(
                    &setup.map,
                    setup.rules,
                    setup.turns,
                    players,
                    &mut chance,
                );
                let text = StateText::new(setup.names.clone());
                Self::Pacman(Box::new(PacmanGame { state, chance, text }))
            }
            Setup::PyRat(setup) => Self::PyRat(PyRatGame {
                state: setup.start.clone(),
                names: setup.names.clone(),
                text: Vec::new(),
            }),
        }
    }

    /// Plays a turn, if the game has one left.
    pub fn play(&mut self, turn: &Turn) {
        match self {
            Self::Pacman(game) => game.play(turn, |_, _| {}),
            Self::PyRat(game) => game.play(turn),
        }
    }

    /// The answers of a turn as they are judged: who is not asked in this state has not missed anything.
    #[must_use]
    pub fn judge<'a>(&self, turn: &'a Turn) -> Cow<'a, Turn> {
        let mut turn = Cow::Borrowed(turn);
        if let Self::PyRat(game) = self {
            let waits = |player: usize| game.state.rats().get(player)?.mud;
            for player in 0..turn.answers.len() {
                let fault = turn.answers[player].fault();
                if waits(player).is_some()
                    && matches!(fault, Some(AnswerFault::Missed | AnswerFault::Malformed))
                {
                    let given = &mut turn.to_mut().answers[player];
                    let late = given.excerpt.filter(|excerpt| excerpt.flaw == Flaw::Late);
                    *given = Given { excerpt: late, ..Given::nothing(Answer::Unasked) };
                }
            }
        }
        turn
    }

    /// The text of the state.
    pub fn text(&mut self) -> &[u8] {
        match self {
            Self::Pacman(game) => game.text.write(game.state.view()),
            Self::PyRat(game) => {
                game.text.clear();
                game.state.encode(&game.names, &mut game.text);
                &game.text
            }
        }
    }

    /// The points of the players, by colour; pieces of cheese in PyRat.
    pub fn points(&self) -> Vec<f64> {
        match self {
            Self::Pacman(game) => game.points(),
            Self::PyRat(game) => game.points(),
        }
    }

    /// The marks of the current state.
    pub fn marks(&self) -> Marks {
        match self {
            Self::Pacman(game) => Marks::of_pacman(&game.state),
            Self::PyRat(game) => Marks::of_pyrat(&game.state),
        }
    }

    /// The names of the parts of a state.
    pub(crate) fn parts(&self) -> [Phrase; 4] {
        match self {
            Self::Pacman(_) => marks::PACMAN,
            Self::PyRat(_) => marks::PYRAT,
        }
    }

    /// The number of turns played.
    pub fn turn(&self) -> u32 {
        match self {
            Self::Pacman(game) => game.state.view().elapsed(),
            Self::PyRat(game) => game.state.turn(),
        }
    }

    /// Tests if the game is over.
    pub fn is_over(&self) -> bool {
        match self {
            Self::Pacman(game) => game.state.view().is_over(),
            Self::PyRat(game) => game.state.is_over(),
        }
    }
}

/// The cells of the cheese eaten in a turn.
pub(crate) fn eaten(
    before: &[pyrat::Cell],
    after: &[pyrat::Cell],
) -> impl Iterator<Item = pyrat::Cell> {
    // The remaining cheese keeps its order.
    let mut left = after.iter().peekable();
    before.iter().filter(move |cell| left.next_if_eq(cell).is_none()).copied()
}

impl PacmanGame {
    /// The state.
    pub fn state(&self) -> &pacman::State {
        &self.state
    }

    /// The points of the players, by colour.
    pub(crate) fn points(&self) -> Vec<f64> {
        self.state.view().players().iter().map(|player| player.points.into()).collect()
    }

    /// Plays a turn, if the game has one left. Calls `sink` for every event with the state at that moment.
    pub fn play(&mut self, turn: &Turn, mut sink: impl FnMut(pacman::Event, &pacman::State)) {
        if !self.state.view().is_over() {
            let orders: Vec<Orders> = turn.answers.iter().map(Given::orders).collect();
            self.state.play_recorded(&orders, &mut self.chance, &mut sink);
        }
    }
}

impl PyRatGame {
    /// The state.
    pub fn state(&self) -> &pyrat::State {
        &self.state
    }

    /// The pieces of cheese of the rats, by colour.
    pub(crate) fn points(&self) -> Vec<f64> {
        self.state.rats().iter().map(|rat| rat.score.as_f64()).collect()
    }

    /// Plays a turn, if the game has one left.
    pub fn play(&mut self, turn: &Turn) {
        if !self.state.is_over() {
            let answers: Vec<_> = turn.answers.iter().map(Given::action).collect();
            self.state.play_turn(&answers);
        }
    }
}
