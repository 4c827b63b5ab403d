//! The state of a tournament, in the form of the live page.

use axum::http::Uri;
use cluster::state::ClusterState;
use serde::Serialize;

use crate::{About, Ranking};
use plan::{FaultKind, Key, Note, Outcome, Voided};

/// The state of a tournament. The tournament updates it at any rate; the page reads it a few times per second.
#[derive(Clone, Debug, Serialize)]
pub struct LiveState {
    /// The conditions of the tournament.
    pub about: About,
    /// The phase of the tournament.
    pub phase: Phase,
    /// The current round, from 1; 0 before the first one.
    pub round: u32,
    /// The number of games played.
    pub played: usize,
    /// The number of games of the whole tournament; `None` if unknown.
    pub total: Option<usize>,
    /// The teams, in the order of the list; empty if no team has to connect.
    pub teams: Vec<TeamState>,
    /// The workers; `None` if the games run on this machine or on those of the teams.
    pub cluster: Option<ClusterState>,
    /// The running games.
    pub running: Vec<RunningGame>,
    /// The next matchups, soonest first.
    pub next: Vec<NextMatchup>,
    /// The ranking of the teams.
    #[serde(skip)]
    pub ranking: Ranking,
    /// The last games, newest first.
    pub results: Vec<LastGame>,
    /// The last faults, newest first.
    pub faults: Vec<LastFault>,
    /// The voided results, newest first.
    pub voids: Vec<LastVoid>,
    /// The addresses for teams to connect to, such as `192.168.1.5:1111`.
    pub game_addresses: Vec<String>,
    /// The addresses of this page, such as `http://192.168.1.5:8080/`. The page only answers requests for their host
    /// names, for numeric addresses and for `localhost`.
    pub page_addresses: Vec<String>,
    /// The players that are refused, each in a sentence for the organiser, who alone may read it: anybody can register
    /// under any name.
    #[serde(skip)]
    pub refused: Vec<Note>,
    /// The number of changes of the refused players so far.
    pub refusals: u32,
    /// A message to everybody.
    pub message: Option<Note>,
}

/// The phase of a tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// The tournament has not begun: teams arrive.
    Lobby,
    /// Games are being played.
    Running,
    /// No game begins until the organiser resumes the tournament.
    Paused,
    /// The tournament is over.
    Over,
}

/// A team with its attendance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TeamState {
    /// The name of the team.
    pub name: String,
    /// The attendance of the team.
    pub presence: Attendance,
}

/// The attendance of a team.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Attendance {
    /// The team has no connection.
    Absent,
    /// The team waits for a game.
    Present,
    /// The team plays.
    Playing,
}

/// A running game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RunningGame {
    /// The key of the game.
    pub key: Key,
    /// The name of the map.
    pub map: String,
    /// The players, by seat.
    pub seats: Vec<LiveSeat>,
    /// The number of turns played; 0 if unknown.
    pub turn: u32,
    /// The number of turns of the whole game.
    pub turns: u32,
    /// True for the one game that can be watched.
    pub featured: bool,
}

/// A player of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LiveSeat {
    /// The name of the team, or of the house's player.
    pub team: String,
    /// True for a player of the house.
    pub house: bool,
    /// The points so far.
    pub points: i32,
}

/// A matchup of teams on a map.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NextMatchup {
    /// The name of the map.
    pub map: String,
    /// The names of the teams.
    pub teams: Vec<String>,
}

/// A finished game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LastGame {
    /// The key of the game.
    pub key: Key,
    /// The round of the game, from 1.
    pub round: u32,
    /// The name of the map.
    pub map: String,
    /// The players, by seat.
    pub seats: Vec<LiveSeat>,
}

/// A fault of a team.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LastFault {
    /// The key of the game.
    pub key: Key,
    /// The round of the game, from 1.
    pub round: u32,
    /// The name of the map.
    pub map: String,
    /// The name of the team.
    pub team: String,
    /// The kind of fault.
    pub kind: FaultKind,
    /// The turn of the fault, from 1; `None` before or after the game.
    pub turn: Option<u32>,
    /// Details for people.
    pub detail: Note,
}

/// A voided result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LastVoid {
    /// The game.
    pub game: LastGame,
    /// The reason given by the organiser.
    pub reason: String,
    /// True if the game was played again.
    pub again: bool,
}

impl LiveState {
    /// Tests if an address of the page has this host name.
    pub(super) fn is_page_at(&self, name: &str) -> bool {
        self.page_addresses
            .iter()
            .filter_map(|address| address.parse::<Uri>().ok())
            .any(|address| address.host().is_some_and(|host| host.eq_ignore_ascii_case(name)))
    }

    /// The state of a tournament that has not begun.
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
            refused: Vec::new(),
            refusals: 0,
            message: None,
        }
    }
}

impl LastGame {
    /// Makes the entry of a finished game.
    #[must_use]
    pub fn of(outcome: &Outcome) -> Self {
        let seats = outcome.seats.iter().map(|seat| LiveSeat {
            team: seat.team.to_string(),
            house: seat.is_house,
            points: seat.points,
        });
        Self {
            key: outcome.key,
            round: outcome.round,
            map: outcome.map.to_string(),
            seats: seats.collect(),
        }
    }
}

impl LastFault {
    /// Returns the faults of the teams in a game, without those of the house.
    pub fn of(outcome: &Outcome) -> impl Iterator<Item = Self> + '_ {
        let teams = outcome.seats.iter().filter(|seat| !seat.is_house);
        teams.filter_map(|seat| {
            let fault = seat.fault.as_ref()?;
            Some(Self {
                key: outcome.key,
                round: outcome.round,
                map: outcome.map.to_string(),
                team: seat.team.to_string(),
                kind: fault.kind,
                turn: fault.turn(),
                detail: fault.detail.clone(),
            })
        })
    }
}

impl LastVoid {
    /// Makes the entry of a voided result; `again` is true if the game was played again.
    #[must_use]
    pub fn of(voided: &Voided, again: bool) -> Self {
        let game = LastGame { key: voided.game, ..LastGame::of(&voided.outcome) };
        Self { game, reason: voided.reason.clone(), again }
    }
}
