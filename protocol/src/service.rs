//! How servers are found on a network: each announces itself as a service (DNS-SD, RFC 6763) over multicast
//! DNS (RFC 6762), with what it plays among its properties.

/// The type of the service.
pub const TYPE: &str = "_pacman-iuto._tcp.local.";

/// The UDP port of multicast DNS.
pub const MDNS_PORT: u16 = 5353;

/// The property that says what is played: [`Game::name`].
pub const GAME: &str = "jeu";

/// The property that a tournament has, whose teams stay for many games.
pub const HALL: &str = "salle";

/// What a server plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Game {
    /// Pacman IUT'O.
    Pacman,
    /// `PyRat`.
    PyRat,
}

impl Game {
    /// How the property names it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pacman => "pacman",
            Self::PyRat => "pyrat",
        }
    }

    /// The game of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Pacman, Self::PyRat].into_iter().find(|game| game.name() == name)
    }
}
