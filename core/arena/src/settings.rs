//! The settings of a server.

use std::time::Duration;

use bots::Entry;
use bots::pyrat::Bot;
use game::pacman::Rules;

use tokio::runtime::Handle;
use tokio::sync::mpsc;

use crate::practice::PendingTurn;
use pulse::Pulse;

/// The number and terms of the games to play.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Number of seats, 1 to 26.
    pub players: usize,
    /// Number of turns of a game, at least 1; a game of PyRat may end earlier.
    pub turns: u32,
    /// Number of games in succession; 0 for games until the server is stopped.
    pub games: u32,
    /// Seed of the first game; each later one takes the next number.
    pub seed: u64,
    /// Minimum duration of a turn.
    pub tempo: Duration,
    /// Longest time from the sending of a state to the arrival of its answer.
    pub deadline: Duration,
    /// The bots that take empty seats; `None` to wait for players.
    pub house: Option<House>,
    /// True to start at the organiser's command, not when the seats are full.
    pub wait_for_start: bool,
    /// Maximum number of spectators at a time.
    pub max_spectators: usize,
    /// Maximum number of registered connections. At the maximum, new connections are closed.
    pub max_connections: usize,
    /// Is asked before each turn of a practice game is played; `None` for other games.
    pub practice: Option<mpsc::Sender<PendingTurn>>,
    /// Detects stalls of this machine, which are not charged to players.
    pub pulse: Pulse,
    /// The runtime that serves spectators; `None` for that of the games. In the programs, its thread lets games go first.
    pub gallery: Option<Handle>,
}

/// Bots of the house, which fill empty seats.
#[derive(Clone, Copy, Debug)]
pub struct House {
    /// The bot that plays.
    pub bot: HouseBot,
    /// Time from the registration of the first player to the filling of the seats.
    pub wait: Duration,
}

/// A bot of the house.
#[derive(Clone, Copy, Debug)]
pub enum HouseBot {
    /// A bot of Pacman, with the rules by which it plays.
    Pacman(&'static Entry, Rules),
    /// A bot of PyRat.
    PyRat(&'static bots::registry::Entry<dyn Bot>),
}

impl HouseBot {
    /// The name of the bot.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pacman(entry, _) => entry.name,
            Self::PyRat(entry) => entry.name,
        }
    }
}

impl Default for Settings {
    /// The defaults of the flags: one game of four players and 200 turns, with a deadline of 1 s.
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
            practice: None,
            pulse: Pulse::default(),
            gallery: None,
        }
    }
}
