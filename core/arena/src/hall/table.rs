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
use crate::driver::{Command, Driver, Listeners};
use crate::games::Game;
use crate::host::Host;
use crate::observers::Observer;
use crate::peer::Peer;
use crate::practice::PendingTurn;
use crate::results::{EndReason, GameResult, Progress};
use crate::settings::HouseBot;
use pulse::Pulse;

/// Capacity of a game's queue of commands; the hall waits when it is full.
const COMMANDS: usize = 64;

/// A request to a hall to play a game at a table.
#[derive(Debug)]
pub struct GameRequest {
    /// The game, whose map has room for the players.
    pub game: Box<dyn Game>,
    /// The number of the game, from 1, for observers and results.
    pub number: u32,
    /// The number of turns.
    pub turns: u32,
    /// The seed of the game.
    pub seed: u64,
    /// Longest time from the sending of a state to the arrival of its answer.
    pub deadline: Duration,
    /// Minimum duration of a turn.
    pub tempo: Duration,
    /// Longest wait for answers to the final state, which must not be taken for answers in the next game.
    pub patience: Duration,
    /// The 1 to 26 seats, in order of colour.
    pub seats: Vec<SeatFor>,
    /// The observers, which are told of every turn.
    pub observers: Vec<Observer>,
    /// Is asked before each turn of a practice game is played; `None` for other games.
    pub practice: Option<mpsc::Sender<PendingTurn>>,
}

/// The player of a seat.
#[derive(Clone, Debug)]
pub enum SeatFor {
    /// A team of the hall, present or not.
    Team(TeamId),
    /// A player of the house.
    House {
        /// The bot that plays.
        bot: HouseBot,
        /// The name of the player.
        name: Name,
        /// The seed of the bot's random draws.
        seed: u64,
    },
    /// No player, under the name of a team that the hall has not seen.
    Nobody(Name),
}

/// The number of a table in its hall, from 1; each table is for one game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TableId(pub(super) u64);

/// The outcome of the game at a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// The result of the game.
    pub result: GameResult,
    /// The reason for the end: all turns played, all players gone, or stopped.
    pub end: EndReason,
}

impl fmt::Display for TableId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "table {}", self.0)
    }
}

/// The hall's handle of a table at which a game is played.
#[derive(Debug)]
pub(super) struct RunningGame {
    pub(super) commands: mpsc::Sender<Command>,
    pub(super) stop: CancellationToken,
    pub(super) ended: oneshot::Sender<Played>,
    /// The connections of the players of the house.
    pub(super) house: Vec<Arc<Peer>>,
}

/// The resources shared by all tables of a hall.
#[derive(Debug)]
pub(super) struct Room {
    pub(super) host: Host,
    pub(super) pulse: Pulse,
    /// Notified when a player falls silent, or sends something again.
    pub(super) silence: Arc<Notify>,
}

/// Sets a table for teams that exist, and seats those that are present and the house. Returns the driver of the
/// game, the hall's handle and the organiser's handle.
pub(super) fn set(
    mut request: GameRequest,
    teams: &mut Teams,
    id: TableId,
    room: &Room,
) -> (Driver, RunningGame, Playing) {
    let seats = std::mem::take(&mut request.seats);
    let observers = std::mem::take(&mut request.observers).into();
    let names = seats.iter().filter_map(|seat| match seat {
        SeatFor::Team(team) => teams.name(*team).cloned(),
        SeatFor::House { name, .. } | SeatFor::Nobody(name) => Some(name.clone()),
    });
    let names = names.collect();
    let (command_sender, commands) = mpsc::channel(COMMANDS);
    let (progress, progress_receiver) = watch::channel(Progress {
        game: request.number,
        total: request.turns,
        ..Progress::default()
    });
    let (ended, ended_receiver) = oneshot::channel();
    let stop = CancellationToken::new();
    let listeners = Listeners { observers, progress, silence: Arc::clone(&room.silence) };
    let mut driver =
        Driver::new(request, names, commands, stop.clone(), listeners, room.pulse.clone());
    let mut house = Vec::new();
    for (index, (seat, colour)) in seats.into_iter().zip(Colour::first(Colour::MAX)).enumerate() {
        match seat {
            SeatFor::Team(team) => {
                if let Some(peer) = teams.start(team, id, colour) {
                    driver.seat(index, peer);
                }
            }
            SeatFor::House { bot, seed, .. } => {
                let (peer, served) = room.host.connect_house(bot, seed);
                let (commands, left) = (command_sender.clone(), Command::Leave(peer.id));
                tokio::spawn(async move {
                    // The game may be over.
                    let _ = served.await;
                    let _ = commands.send(left).await;
                });
                house.push(Arc::clone(&peer));
                driver.seat(index, peer);
            }
            SeatFor::Nobody(_) => {}
        }
    }
    let playing = Playing {
        table: id,
        progress: progress_receiver,
        stop: stop.clone(),
        ended: ended_receiver,
    };
    (driver, RunningGame { commands: command_sender, stop, ended, house }, playing)
}
