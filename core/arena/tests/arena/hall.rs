//! A hall: many games at a time, and successive games on the same connections.

mod admission;
mod crowd;
mod doors;
mod games;
mod hostile;
mod returning;
mod spectators;

use std::time::Duration;

use arena::hall::{
    Admission, Controls, GameRequest, HallSettings, Played, Playing, Presence, SeatFor, TeamId,
};
use arena::{EndReason, Hall, HouseBot, Pacman};
use game::pacman::Rules;
use protocol::Name;
use pulse::Pulse;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::harness::{LONG, Peer, good_player_at, map, register_at};

/// A running hall.
struct Open {
    controls: Controls,
    hall: JoinHandle<()>,
}

fn settings() -> HallSettings {
    let admission =
        Admission::Anybody { max_teams: 256, max_per_address: 16, reserved: Vec::new() };
    let pulse = Pulse::default();
    HallSettings { admission, max_spectators: 64, max_connections: 256, pulse, gallery: None }
}

/// A hall that anybody may join.
fn open() -> Open {
    open_with(settings())
}

fn open_with(settings: HallSettings) -> Open {
    let (hall, controls) = Hall::new(settings, 42).unwrap();
    Open { controls, hall: tokio::spawn(hall.run()) }
}

/// A game of 20 turns between these teams.
fn table<const N: usize>(teams: [usize; N]) -> GameRequest {
    GameRequest {
        game: Box::new(Pacman::new(map(), Rules::SUJET)),
        number: 1,
        turns: 20,
        seed: 7,
        deadline: Duration::from_secs(1),
        tempo: Duration::ZERO,
        patience: Duration::from_secs(1),
        seats: teams.map(|team| SeatFor::Team(TeamId(team))).into(),
        observers: Vec::new(),
        practice: None,
    }
}

/// A game with 1 s per turn, long enough to leave and to come back.
fn slow<const N: usize>(teams: [usize; N]) -> GameRequest {
    GameRequest { tempo: Duration::from_secs(1), ..table(teams) }
}

/// A seat for the bot `prudent` of the house.
fn house(name: &str) -> SeatFor {
    let bot = HouseBot::Pacman(bots::by_name("prudent").unwrap(), Rules::SUJET);
    SeatFor::House { bot, name: Name::new(name), seed: 1 }
}

impl Open {
    async fn register(&self, registration: &str) -> Peer {
        register_at(&self.controls.host, registration).await
    }

    async fn good_player(&self, name: &str) -> JoinHandle<client::ConnectionEnd> {
        good_player_at(&self.controls.host, name).await
    }

    async fn play(&self, table: GameRequest) -> Playing {
        self.controls.play(table).await.unwrap()
    }

    /// Plays a game to its end.
    async fn played(&self, table: GameRequest) -> Played {
        ended(self.play(table).await).await
    }

    /// The states of all teams: name, `there`, `silent` or `gone`, and `and plays` for teams that play.
    fn teams(&self) -> String {
        let teams = self.controls.teams();
        let teams = teams.borrow();
        let team = |team: &arena::hall::TeamPresence| {
            let presence = match team.presence {
                Presence::There => "there",
                Presence::Silent => "silent",
                Presence::Gone => "gone",
            };
            let plays = if team.playing.is_some() { " and plays" } else { "" };
            format!("{} {presence}{plays}", team.name)
        };
        teams.iter().map(team).collect::<Vec<_>>().join(", ")
    }

    /// Closes the hall, and checks that these players end with `quit`.
    async fn close(self, players: impl IntoIterator<Item = JoinHandle<client::ConnectionEnd>>) {
        timeout(LONG, self.controls.close()).await.expect("the hall closes");
        timeout(LONG, self.hall).await.expect("the hall ends").unwrap();
        for player in players {
            assert_eq!(player.await.unwrap(), client::ConnectionEnd::Quit);
        }
    }
}

async fn ended(playing: Playing) -> Played {
    timeout(LONG, playing.ended()).await.expect("the game ends").unwrap()
}

/// The names of the players, after a check that all turns were played.
fn names(played: &Played) -> Vec<&str> {
    assert_eq!((played.end, played.result.elapsed), (EndReason::Finished, played.result.total));
    played.result.players.iter().map(|player| player.name.as_str()).collect()
}
