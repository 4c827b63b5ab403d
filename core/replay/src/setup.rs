//! The start of a recorded game.

use game::colour::Colour;
use game::pacman::{Map, MapError, Rules};
use game::pyrat::{Cell, Rat, Score, State};
use language::said;
use protocol::Name;

/// The start of a recorded game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Setup {
    /// A game of Pacman.
    Pacman(PacmanSetup),
    /// A game of PyRat.
    PyRat(PyRatSetup),
}

/// The input of a game of Pacman, except the orders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PacmanSetup {
    /// The map of the game.
    pub map: Map,
    /// The rules of the game.
    pub rules: Rules,
    /// The seed of the random draws.
    pub seed: u64,
    /// The number of turns.
    pub turns: u32,
    /// The names of the players, by colour.
    pub names: Vec<String>,
}

/// The input of a game of PyRat, except the answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PyRatSetup {
    /// The state at the start, with its maze.
    pub start: State,
    /// The seed of the maze and the cheese.
    pub seed: u64,
    /// The names of the players, by colour.
    pub names: Vec<String>,
}

/// A reason why no game can be played from a setup.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// There are no players, or more players than colours.
    #[error("{}", said!(
        "{_0} players, expected 1 to {max}",
        "{_0} joueurs, de 1 à {max} sont attendus",
        max = Colour::MAX
    ))]
    Players(usize),
    /// The number of names differs from the number of rats.
    #[error("{}", said!("{names} names for {rats} rats", "{names} noms pour {rats} rats"))]
    Names {
        /// The number of names.
        names: usize,
        /// The number of rats in the state.
        rats: usize,
    },
    /// A name that no server assigns.
    #[error("{}", said!(
            "player {player} has the name {name:?}, expected 1 to {max} characters, no `;`, none that is not \
             seen, no blanks around it, and never 20 dashes in a row",
            "le joueur {player} a le nom {name:?} ; de 1 à {max} caractères sont attendus, pas de `;`, aucun \
             qui soit invisible, pas d'espaces autour, et jamais 20 tirets de suite",
            max = Name::MAX
        ))]
    Name {
        /// The number of the player, from 1.
        player: usize,
        /// The name.
        name: String,
    },
    /// The map has too few empty cells.
    #[error("{}", said!("the map: {_0}", "la carte : {_0}"))]
    Room(#[from] MapError),
    /// The state is in the middle of a game.
    #[error("{}", said!(
            "the state is not that of a game that begins: expected turn 0, no scores, no misses, nobody in the mud",
            "l'état n'est pas celui d'une partie qui commence : le tour 0 est attendu, sans points ni absences, \
             personne dans la boue"
        ))]
    Started,
    /// A cell has more than one piece of cheese.
    #[error("{}", said!(
        "cell {cell} has two pieces of cheese, expected one",
        "la case {cell} a deux fromages au lieu d'un",
        cell = _0.index()
    ))]
    Cheese(Cell),
}

impl Setup {
    /// Checks that a game can be played from this setup. All code that plays, shows or writes recordings relies
    /// on this check, which [`Recording::read`](crate::Recording::read) makes.
    ///
    /// # Errors
    ///
    /// With the first problem found.
    pub fn check(&self) -> Result<(), SetupError> {
        let names = self.names();
        if !(1..=Colour::MAX).contains(&names.len()) {
            return Err(SetupError::Players(names.len()));
        }
        for (player, name) in (1..).zip(names) {
            if Name::new(name).as_str() != name {
                return Err(SetupError::Name { player, name: name.clone() });
            }
        }
        match self {
            Self::Pacman(setup) => setup.map.check_room_for(names.len())?,
            Self::PyRat(setup) => setup.check()?,
        }
        Ok(())
    }

    /// The players, by colour.
    pub fn names(&self) -> &[String] {
        match self {
            Self::Pacman(setup) => &setup.names,
            Self::PyRat(setup) => &setup.names,
        }
    }

    /// The seed of the game.
    pub fn seed(&self) -> u64 {
        match self {
            Self::Pacman(setup) => setup.seed,
            Self::PyRat(setup) => setup.seed,
        }
    }

    /// Maximum number of turns of the game.
    pub fn turns(&self) -> u32 {
        match self {
            Self::Pacman(setup) => setup.turns,
            Self::PyRat(setup) => setup.start.most_turns().unwrap_or(u32::MAX),
        }
    }
}

impl PyRatSetup {
    fn check(&self) -> Result<(), SetupError> {
        let (rats, start) = (self.start.rats(), &self.start);
        if rats.len() != self.names.len() {
            return Err(SetupError::Names { names: self.names.len(), rats: rats.len() });
        }
        let is_new = |rat: &Rat| {
            rat.mud.is_none() && rat.score == Score::default() && rat.counts.missed == 0
        };
        if start.turn() > 0 || !rats.iter().all(is_new) {
            return Err(SetupError::Started);
        }
        let mut cheese = start.cheese().to_vec();
        cheese.sort_unstable();
        match cheese.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(SetupError::Cheese(pair[0])),
            None => Ok(()),
        }
    }
}
