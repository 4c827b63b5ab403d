//! The state of a tournament, as the live page shows it.

use serde::Serialize;

use crate::{About, Ranking};
use plan::{FaultKind, Key, Note, Outcome, Voided};

/// The state of a tournament. The program that plays it updates this at any rate; the page reads it a few times a
/// second.
#[derive(Clone, Debug, Serialize)]
pub struct LiveState {
    /// What is played for.
    pub about: About,
    /// How far it is.
    pub phase: Phase,
    /// The round that is played, from 1; 0 before the first one.
    pub round: u32,
    /// Games that were played.
    pub played: usize,
    /// Games that there will be in all, as far as that is known.
    pub total: Option<usize>,
    /// The teams, in the order of the list; empty where no team has to connect.
    pub teams: Vec<TeamState>,
    /// The other machines that play; `None` if this one does, or the teams' own.
    pub cluster: Option<ClusterState>,
    /// The games that are played now.
    pub running: Vec<RunningGame>,
    /// Who meets next, soonest first.
    pub next: Vec<Meeting>,
    /// How the teams stand.
    #[serde(skip)]
    pub ranking: Ranking,
    /// What was played last, newest first.
    pub results: Vec<LastGame>,
    /// What went wrong, newest first.
    pub faults: Vec<LastFault>,
    /// Results that were voided, newest first.
    pub voids: Vec<LastVoid>,
    /// Where teams connect to, as `192.168.1.5:1111`.
    pub game_addresses: Vec<String>,
    /// Where this page is, as `http://192.168.1.5:8080/`. Names in them, as `salle.local`, are those that
    /// the page answers to, beside numbers and `localhost`.
    pub page_addresses: Vec<String>,
    /// What everybody should know.
    pub message: Option<Note>,
}

/// How far a tournament is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// It has not begun: teams arrive.
    Lobby,
    /// Games are played.
    Running,
    /// No game begins until the organiser says so.
    Paused,
    /// It is over.
    Over,
}

/// A team, and whether it is there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TeamState {
    /// Its name.
    pub name: String,
    /// Whether it is there.
    pub presence: Attendance,
}

/// Whether a team is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Attendance {
    /// It has no connection.
    Absent,
    /// It waits for a game.
    Present,
    /// It plays.
    Playing,
}

/// The machines that play the games of a tournament.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ClusterState {
    /// Whether the broker is connected.
    pub is_connected: bool,
    /// Meetings at the broker that have games without a result.
    pub meetings: usize,
    /// Meetings that a worker has a lease on.
    pub leases: u32,
    /// Games per minute, over the last minute.
    pub rate: u32,
    /// The workers: those that play first, then by name.
    pub workers: Vec<WorkerState>,
}

/// A machine that plays games for the tournament.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WorkerState {
    /// Its name.
    pub name: String,
    /// Whether it plays, and if not, why.
    pub activity: Activity,
    /// Meetings that it plays at a time.
    pub places: u32,
    /// Meetings that it has a lease on.
    pub leases: u32,
    /// Turns of a reference game that it plays per second.
    pub speed: u32,
    /// Lateness of its threads and of its loopback network, at worst in 100, in milliseconds.
    pub lateness: u32,
    /// Load average of the last minute, in percent of its cores; `None` where the system does not tell.
    pub load: Option<u32>,
    /// Its results that count.
    pub games: u64,
    /// Games per minute, over the last minute.
    pub rate: u32,
    /// Its results that do not count.
    pub rejected: u64,
    /// Meetings that it has given back or lost.
    pub faults: u32,
}

/// Whether a worker plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Activity {
    /// It has a lease.
    Playing,
    /// It waits for a meeting.
    Waiting,
    /// Nothing was heard of it for the duration of a lease.
    Silent,
    /// It has said that it stops.
    Gone,
    /// It has spoilt too many games in succession.
    PutAside,
    /// It is too slow or too busy for the deadline.
    TooSlow,
    /// It is another version.
    OtherVersion,
}

/// A game that is played now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RunningGame {
    /// Its key.
    pub key: Key,
    /// The name of its map.
    pub map: String,
    /// Its players, by seat.
    pub seats: Vec<LiveSeat>,
    /// Turns played.
    pub turn: u32,
    /// Its turns.
    pub turns: u32,
    /// Whether it is the one that can be watched.
    pub featured: bool,
}

/// A player of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LiveSeat {
    /// The team, or what the house's player is called.
    pub team: String,
    /// Whether it is a player of the house.
    pub house: bool,
    /// Its points so far.
    pub points: i32,
}

/// Who meets on which map.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Meeting {
    /// The name of the map.
    pub map: String,
    /// The teams.
    pub teams: Vec<String>,
}

/// A game that was played, as the page tells it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LastGame {
    /// Its key.
    pub key: Key,
    /// Its round, from 1.
    pub round: u32,
    /// The name of its map.
    pub map: String,
    /// Its players, by seat.
    pub seats: Vec<LiveSeat>,
}

/// What went wrong with a team, as the page tells it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LastFault {
    /// The game.
    pub key: Key,
    /// Its round, from 1.
    pub round: u32,
    /// The name of its map.
    pub map: String,
    /// The team.
    pub team: String,
    /// What kind of thing.
    pub kind: FaultKind,
    /// After how many turns, if during the game.
    pub turn: Option<u32>,
    /// More about it, for people.
    pub detail: Note,
}

/// A result that was voided, as the page tells it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LastVoid {
    /// The game.
    pub game: LastGame,
    /// Why.
    pub reason: String,
    /// Whether the game was played again.
    pub again: bool,
}

impl LiveState {
    /// A tournament that has not begun.
    #[must_use]
    pub fn lobby(about: About) -> Self {
        Self {
            about,
            phase: Phase::Lobby,
            round: 0,
            played: 0,
            total: None,
            teams: Vec::new(),
            cluster: None,
            running: Vec::new(),
            next: Vec::new(),
            ranking: Ranking::default(),
            results: Vec::new(),
            faults: Vec::new(),
            voids: Vec::new(),
            game_addresses: Vec::new(),
            page_addresses: Vec::new(),
            message: None,
        }
    }
}

impl LastGame {
    /// The line of this game.
    #[must_use]
    pub fn of(outcome: &Outcome) -> Self {
        let seats = outcome.seats.iter().map(|seat| LiveSeat {
            team: seat.team.clone(),
            house: seat.is_house,
            points: seat.points,
        });
        Self {
            key: outcome.key,
            round: outcome.round,
            map: outcome.map.clone(),
            seats: seats.collect(),
        }
    }
}

impl LastFault {
    /// What went wrong in this game, the house apart.
    pub fn of(outcome: &Outcome) -> impl Iterator<Item = Self> + '_ {
        let teams = outcome.seats.iter().filter(|seat| !seat.is_house);
        teams.filter_map(|seat| {
            let fault = seat.fault.as_ref()?;
            Some(Self {
                key: outcome.key,
                round: outcome.round,
                map: outcome.map.clone(),
                team: seat.team.clone(),
                kind: fault.kind,
                turn: fault.turn,
                detail: fault.detail.clone(),
            })
        })
    }
}

impl LastVoid {
    /// The line of this result, whose game counts again if it was played again.
    #[must_use]
    pub fn of(voided: &Voided, again: bool) -> Self {
        let game = LastGame { key: voided.game, ..LastGame::of(&voided.outcome) };
        Self { game, reason: voided.reason.clone(), again }
    }
}
