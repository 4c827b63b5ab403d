//! A table: one game, between teams of the hall and players of the house.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use game::colour::{Colour, ColourSet};
use protocol::Name;
use tokio::sync::{Notify, mpsc};
use tokio::time::Instant;

use super::teams::{TeamId, Teams};
use crate::arena::{Arena, Controls, End};
use crate::games::Game;
use crate::observers::Observation;
use crate::playing::GameEnd;
use crate::results::GameResult;
use crate::settings::{HouseBot, Settings};

/// For the house to come, which only takes that long if it does not at all.
const HOUSE: Duration = Duration::from_secs(1);

/// A game to be played.
#[derive(Debug)]
pub struct Table {
    /// The game, whose map has room for the players.
    pub game: Box<dyn Game>,
    /// Its turns.
    pub turns: u32,
    /// Its seed.
    pub seed: u64,
    /// For an order to come after its state is sent.
    pub deadline: Duration,
    /// A turn lasts at least that long.
    pub tempo: Duration,
    /// Who plays, by order of colour: 1 to 26.
    pub seats: Vec<SeatFor>,
    /// Who is told of the game, turn by turn.
    pub observers: Vec<mpsc::Sender<Observation>>,
}

/// Who plays in a seat.
#[derive(Clone, Debug)]
pub enum SeatFor {
    /// A team of the hall, whether it is there or not.
    Team(TeamId),
    /// A player of the house.
    House {
        /// What plays.
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

/// A table that is set.
pub(super) struct Set {
    pub(super) arena: Arena,
    pub(super) controls: Controls,
    /// The seats of the house.
    pub(super) house: ColourSet,
}

/// Sets a table for teams that there are: those of them that are present have their seats, and the
/// house is on its way.
pub(super) fn set(table: Table, teams: &mut Teams, id: TableId, silence: Arc<Notify>) -> Set {
    let Table { game, turns, seed, deadline, tempo, seats, observers } = table;
    let names = seats.iter().filter_map(|seat| match seat {
        SeatFor::Team(team) => teams.name(*team).cloned(),
        SeatFor::House { name, .. } | SeatFor::Nobody(name) => Some(name.clone()),
    });
    let settings = Settings { turns, seed, tempo, deadline, ..Settings::default() };
    let (mut arena, controls) = Arena::assigned(settings, game, names.collect());
    arena.silence = silence;
    for observer in observers {
        arena.observe(observer);
    }
    let mut house = ColourSet::EMPTY;
    for (seat, colour) in seats.into_iter().zip(Colour::first(Colour::MAX)) {
        match seat {
            SeatFor::Team(team) => {
                if let Some(link) = teams.start(team, id, colour) {
                    // Whoever was silent in the last game is waited for again in this one.
                    link.set_silent(false);
                    arena.seat(colour, &link);
                }
            }
            SeatFor::House { bot, seed, .. } => {
                house.insert(colour);
                controls.host.for_seat(colour).connect_house(bot, seed);
            }
            SeatFor::Nobody(_) => {}
        }
    }
    Set { arena, controls, house }
}

/// Plays the game at a table. Its players and spectators stay with the hall.
pub(super) async fn play(
    mut arena: Arena,
    house: ColourSet,
    mut results: mpsc::Receiver<GameResult>,
) -> Option<Played> {
    let is_there = |arena: &Arena| arena.seats.are_occupied(house);
    // If it is stopped already, it ends at once, with a result.
    let _ = arena.wait(Instant::now() + HOUSE, is_there).await;
    let end = match arena.play_game().await {
        Ok(GameEnd::Over) => End::Finished,
        Ok(GameEnd::Deserted) => End::Deserted,
        Err(_) => End::Interrupted,
    };
    arena.events.close();
    // Whoever waits until spectators are taken away need not wait any more.
    while arena.events.try_recv().is_ok() {}
    for seat in arena.seats.iter() {
        if let Some(link) = seat.link.as_ref().filter(|link| link.is_house) {
            link.quit();
        }
    }
    arena.host.close().await;
    results.try_recv().ok().map(|result| Played { result, end })
}
