//! How a recorded game begins.

use game::pacman::{Map, Rules};
use game::pyrat::State;

/// How a recorded game begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Setup {
    /// A game of Pacman.
    Pacman(PacmanSetup),
    /// A game of PyRat.
    PyRat(PyRatSetup),
}

/// What a game of Pacman follows from, the orders apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PacmanSetup {
    /// Where it is played.
    pub map: Map,
    /// By which rules.
    pub rules: Rules,
    /// Where its draws come from.
    pub seed: u64,
    /// Its turns.
    pub turns: u32,
    /// Its players, by colour.
    pub names: Vec<String>,
}

/// What a game of PyRat follows from, the answers apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PyRatSetup {
    /// Where the rats and the cheese are at first; in a maze.
    pub start: State,
    /// What the maze and the cheese were drawn from.
    pub seed: u64,
    /// Its players, by colour.
    pub names: Vec<String>,
}

impl Setup {
    /// The players, by colour.
    #[must_use]
    pub fn names(&self) -> &[String] {
        match self {
            Self::Pacman(setup) => &setup.names,
            Self::PyRat(setup) => &setup.names,
        }
    }

    /// The seed of the game.
    #[must_use]
    pub fn seed(&self) -> u64 {
        match self {
            Self::Pacman(setup) => setup.seed,
            Self::PyRat(setup) => setup.seed,
        }
    }

    /// Turns of the game, at most.
    #[must_use]
    pub fn turns(&self) -> u32 {
        match self {
            Self::Pacman(setup) => setup.turns,
            Self::PyRat(setup) => setup.start.most_turns().unwrap_or(u32::MAX),
        }
    }
}
