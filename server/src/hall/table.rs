//! A table: one game, between teams of the hall and players of the house.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use game::colour::Colour;
use protocol::Name;
use tokio::sync::{Notify, mpsc, oneshot, watch};
use tokio_util::sync::CancellationToken;

use super::controls::Playing;
use super::teams::{TeamId, Teams};
use crate::driver::{Command, Driver, Listeners, Plan};
use crate::games::Game;
use crate::host::Host;
use crate::link::Link;
use crate::observers::Observer;
use crate::pulse::Pulse;
use crate::results::{End, GameResult, Progress};
use crate::settings::HouseBot;

/// Commands that wait for a game; the hall waits with one more.
const COMMANDS: usize = 64;

/// A game that a hall is asked to play at a table.
#[derive(Debug)]
pub struct GameRequest {
    /// The game, whose map has room for the players.
    pub game: Box<dyn Game>,
    /// The number of the game, from 1, as observers and results have it.
    pub number: u32,
    /// Its turns.
    pub turns: u32,
    /// Its seed.
    pub seed: u64,
    /// For an order to come after its state is sent.
    pub deadline: Duration,
    /// A turn lasts at least that long.
    pub tempo: Duration,
    /// How long answers to the final state are awaited, so that they are not taken for answers in the next game.
    pub patience: Duration,
    /// Who plays, by order of colour: 1 to 26.
    pub seats: Vec<SeatFor>,
    /// Who is told of the game, turn by turn.
    pub observers: Vec<Observer>,
}

/// Who plays in a seat.
#[derive(Clone, Debug)]
pub enum SeatFor {
    /// A team of the hall, whether it is there or not.
    Team(TeamId),
    /// A player of the house.
    House {
        /// The bot that plays.
        bot: HouseBot,
        /// What it is called.
        name: Name,
        /// The seed of its own draws.
        seed: u64,
    },
    /// Nobody, under this name: a team that the hall has not seen.
    Nobody(Name),
}

/// Which table of a hall it is: they are numbered from 1, and each is for one game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TableId(pub(super) u64);

/// How the game at a table has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// What it has come to.
    pub result: GameResult,
    /// Whether all its turns are played, or all players were gone before that, or it was stopped.
    pub end: End,
}

impl fmt::Display for TableId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "table {}", self.0)
    }
}

/// What a hall keeps of a table at which a game is played.
#[derive(Debug)]
pub(super) struct Running {
    pub(super) commands: mpsc::Sender<Command>,
    pub(super) stop: CancellationToken,
    pub(super) ended: oneshot::Sender<Played>,
    /// The connections of the house's players.
    house: Vec<Arc<Link>>,
}

impl Running {
    /// Dismisses the house's players.
    pub(super) fn dismiss_house(&self) {
        for link in &self.house {
            link.quit();
        }
    }
}

/// What all tables of a hall share.
#[derive(Debug)]
pub(super) struct Room {
    pub(super) host: Host,
    pub(super) pulse: Pulse,
    /// Told when a player falls silent, or sends something again.
    pub(super) silence: Arc<Notify>,
}

/// Sets a table for teams that there are: those of them that are present have their seats, and so has the house.
/// What is to be played, what the hall keeps of it, and what it tells who asked.
pub(super) fn set(
    table: GameRequest,
    teams: &mut Teams,
    id: TableId,
    room: &Room,
) -> (Driver, Running, Playing) {
    let GameRequest { game, number, turns, seed, deadline, tempo, patience, seats, observers } =
        table;
    let names = seats.iter().filter_map(|seat| match seat {
        SeatFor::Team(team) => teams.name(*team).cloned(),
        SeatFor::House { name, .. } | SeatFor::Nobody(name) => Some(name.clone()),
    });
    let names = names.collect();
    let (command_sender, commands) = mpsc::channel(COMMANDS);
    let (progress, progress_receiver) =
        watch::channel(Progress { game: number, total: turns, ..Progress::default() });
    let (ended, ended_receiver) = oneshot::channel();
    let stop = CancellationToken::new();
    let listeners =
        Listeners { observers: observers.into(), progress, silence: Arc::clone(&room.silence) };
    let plan = Plan { game, number, seed, turns, deadline, tempo, patience, names };
    let mut driver = Driver::new(plan, commands, stop.clone(), listeners, room.pulse.clone());
    let mut house = Vec::new();
    for (index, (seat, colour)) in seats.into_iter().zip(Colour::first(Colour::MAX)).enumerate() {
        match seat {
            SeatFor::Team(team) => {
                if let Some(link) = teams.start(team, id, colour) {
                    driver.seat(index, link);
                }
            }
            SeatFor::House { bot, seed, .. } => {
                let (link, served) = room.host.connect_house(bot, seed);
                let (commands, left) = (command_sender.clone(), Command::Leave(link.id));
                tokio::spawn(async move {
                    // A game that is over does not mind.
                    let _ = served.await;
                    let _ = commands.send(left).await;
                });
                house.push(Arc::clone(&link));
                driver.seat(index, link);
            }
            SeatFor::Nobody(_) => {}
        }
    }
    let playing = Playing::new(id, progress_receiver, stop.clone(), ended_receiver);
    (driver, Running { commands: command_sender, stop, ended, house }, playing)
}
