//! Discovery: a server announces itself as a service (DNS-SD, RFC 6763) over multicast DNS (RFC 6762). A
//! property of the service names the game that it plays.

use std::fmt;

/// Type of the service.
pub const TYPE: &str = "_pacman-iuto._tcp.local.";

/// The UDP port of multicast DNS.
pub const MDNS_PORT: u16 = 5353;

/// Name of the property that holds the game, as [`GameKind`] is displayed.
pub const GAME: &str = "jeu";

/// Name of the property that marks a tournament, in which a team plays many games on one connection.
pub const HALL: &str = "salle";

/// A game that a server plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameKind {
    /// Pacman IUT'O.
    Pacman,
    /// `PyRat`.
    PyRat,
}

impl fmt::Display for GameKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Pacman => "pacman",
            Self::PyRat => "pyrat",
        })
    }
}

impl GameKind {
    /// Reads the value of the property [`GAME`]. Returns `None` for a game that is not known.
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Pacman, Self::PyRat].into_iter().find(|game| game.to_string() == text)
    }
}
