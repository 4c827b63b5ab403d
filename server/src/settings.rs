//! What a server is asked to do.

use std::time::Duration;

use bots::Entry;
use bots::pyrat::Bot;
use game::pacman::Rules;

use tokio::runtime::Handle;

use crate::pulse::Pulse;

/// Games to be played, and how.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Seats, 1 to 26.
    pub players: usize,
    /// Turns of a game, at least 1; one of PyRat may end before.
    pub turns: u32,
    /// Games in succession; 0 until the server is stopped.
    pub games: u32,
    /// Seed of the first game; each later one takes the next number.
    pub seed: u64,
    /// A turn lasts at least that long.
    pub tempo: Duration,
    /// For an order to come after its state is sent.
    pub deadline: Duration,
    /// Who takes the seats that stay empty.
    pub house: Option<House>,
    /// Start when the organiser says so, not when the seats are full.
    pub wait_for_start: bool,
    /// The most spectators at a time.
    pub max_spectators: usize,
    /// Maximum number of connections that have registered. At the maximum, new ones are closed.
    pub max_connections: usize,
    /// Watches whether this machine runs: what it could not do in time is no fault of a player's.
    pub pulse: Pulse,
    /// Where spectators are served; without it, where games are. See [`background`](crate::background).
    pub gallery: Option<Handle>,
}

/// The house fills empty seats.
#[derive(Clone, Copy, Debug)]
pub struct House {
    /// With this bot.
    pub bot: HouseBot,
    /// That long after a first player has registered.
    pub wait: Duration,
}

/// A bot of the house, of the game that is played.
#[derive(Clone, Copy, Debug)]
pub enum HouseBot {
    /// Of Pacman, which reckons with these rules.
    Pacman(&'static Entry, Rules),
    /// Of PyRat.
    PyRat(&'static bots::registry::Entry<dyn Bot>),
}

impl HouseBot {
    /// How it is called.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Pacman(entry, _) => entry.name,
            Self::PyRat(entry) => entry.name,
        }
    }
}

impl Default for Settings {
    /// As the flags have it: one game of four players and 200 turns, a second an order.
    fn default() -> Self {
        Self {
            players: 4,
            turns: 200,
            games: 1,
            seed: 0,
            tempo: Duration::ZERO,
            deadline: Duration::from_secs(1),
            house: None,
            wait_for_start: false,
            max_spectators: 64,
            max_connections: 256,
            pulse: Pulse::default(),
            gallery: None,
        }
    }
}
