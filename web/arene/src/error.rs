//! Errors, in the words of the programs.

use game::pacman::{MapError, UnknownRules, maps};
use game::pyrat::MazeError;
use language::said;
use replay::{ReadError, SetupError};

/// A reason why a game cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The seed is no number of 64 bits.
    #[error("{}", said!(
        "the seed {_0:?}: expected a whole number from 0 to {max}",
        "la graine {_0:?} : un entier de 0 à {max} est attendu",
        max = u64::MAX
    ))]
    Seed(String),
    /// There is no map of this name.
    #[error("{}", said!(
        "there is no map {_0:?}, expected the text of a map or one of: {maps}",
        "il n'y a pas de carte {_0:?}, le texte d'une carte ou l'une de : {maps} est attendu",
        maps = maps::names().collect::<Vec<_>>().join(", ")
    ))]
    NoMap(String),
    /// The map cannot be read.
    #[error(transparent)]
    Map(#[from] MapError),
    /// There are no rules of this name.
    #[error(transparent)]
    Rules(#[from] UnknownRules),
    /// There is no bot of this name; the text lists all bots.
    #[error("{_0}")]
    Bot(String),
    /// There is no game with these players.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// There is no such maze, or the rats or the cheese do not fit into it.
    #[error(transparent)]
    Maze(#[from] MazeError),
    /// The bytes are no recording.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The game has no such turn.
    #[error("{}", said!(
        "there is no turn {turn}, expected 0 to {last}",
        "il n'y a pas de tour {turn}, de 0 à {last} est attendu"
    ))]
    NoTurn {
        /// The turn asked for.
        turn: u32,
        /// The last turn played.
        last: u32,
    },
    /// There is an entry for each player, but not as many as players.
    #[error("{}", said!(
        "{found} entries in `{what}`, expected one for each of the {players} players",
        "{found} valeurs dans `{what}`, une par joueur est attendue, soit {players}"
    ))]
    Players {
        /// The name of the list.
        what: &'static str,
        /// The number of entries.
        found: usize,
        /// The number of players.
        players: usize,
    },
    /// No player has this letter.
    #[error("{}", said!(
        "there is no player {_0:?}",
        "il n'y a pas de joueur {_0:?}"
    ))]
    NoPlayer(String),
    /// The house plays this seat.
    #[error("{}", said!(
        "a house bot plays for {_0}, no orders are expected",
        "un bot de la maison joue pour {_0}, aucun ordre n'est attendu"
    ))]
    House(&'static str),
}
