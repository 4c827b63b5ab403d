//! How a recorded game begins.

use game::colour::Colour;
use game::pacman::board::TooFewEmptyCells;
use game::pacman::{Map, Rules};
use game::pyrat::{Rat, Score, State};
use language::said;
use protocol::Name;

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

/// Why no game begins like this.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// There are no players, or more than colours.
    #[error("{}", said!(
        "{_0} players, expected 1 to {max}",
        "{_0} joueurs, de 1 à {max} sont attendus",
        max = Colour::MAX
    ))]
    Players(usize),
    /// The state has other players than the names.
    #[error("{}", said!("{names} names for {rats} rats", "{names} noms pour {rats} rats"))]
    Names {
        /// How many names there are.
        names: usize,
        /// How many rats the state has.
        rats: usize,
    },
    /// A name is none that a server gives.
    #[error("{}", said!(
            "player {player} has the name {name:?}, expected 1 to {max} characters, no `;`, none that is not \
             seen, no blanks around it, and never 20 dashes in a row",
            "le joueur {player} a le nom {name:?} ; de 1 à {max} caractères sont attendus, pas de `;`, aucun \
             qui soit invisible, pas d'espaces autour, et jamais 20 tirets de suite",
            max = Name::MAX
        ))]
    Name {
        /// Which player, from 1.
        player: usize,
        /// The name.
        name: String,
    },
    /// The map is too small.
    #[error("{}", said!("the map: {_0}", "la carte : {_0}"))]
    Room(#[from] TooFewEmptyCells),
    /// The state is in the middle of a game.
    #[error("{}", said!(
            "the state is not that of a game that begins: expected turn 0, no scores, no misses, nobody in the mud",
            "l'état n'est pas celui d'une partie qui commence : le tour 0 est attendu, sans points ni absences, \
             personne dans la boue"
        ))]
    Started,
    /// A cell has more than one piece of cheese.
    #[error("{}", said!(
        "cell {_0} has two pieces of cheese, expected one",
        "la case {_0} a deux fromages au lieu d'un"
    ))]
    Cheese(usize),
}

impl Setup {
    /// Whether a game can be played from here. Everything that plays, shows or writes recordings relies on
    /// it, and [`Recording::read`](crate::Recording::read) asks.
    ///
    /// # Errors
    ///
    /// With the first thing that is wrong.
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
        let mut cheese: Vec<_> = start.cheese().iter().map(|cell| cell.index()).collect();
        cheese.sort_unstable();
        match cheese.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(SetupError::Cheese(pair[0])),
            None => Ok(()),
        }
    }
}
