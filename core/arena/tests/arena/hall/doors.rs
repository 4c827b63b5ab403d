//! Doors of teams: a player that registers through a door is its team, as in tournaments.

use std::time::Duration;

use arena::Host;
use arena::hall::{Admission, HallSettings, Presence, TeamId};
use client::{ClientPacman, Inline};
use game::pacman::{Rules, Seeded, State};
use protocol::Name;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio::time::sleep;

use super::{Open, names, open_with, settings, slow, table};
use crate::harness::{LOOPBACK, Message, Peer, good_player_at, map, register_at};

/// A hall for these teams, each with a door of its own.
fn open<const N: usize>(teams: [&str; N]) -> Open {
    let list = teams.map(|name| (Name::new(name), None));
    open_with(HallSettings { admission: Admission::Listed(list.into()), ..settings() })
}

impl Open {
    fn door(&self, team: usize) -> Host {
        self.controls.host.for_team(TeamId(team))
    }

    async fn register_for(&self, team: usize, registration: &str) -> Peer {
        register_at(&self.door(team), registration).await
    }

    async fn good_player_for(&self, team: usize) -> JoinHandle<client::ConnectionEnd> {
        good_player_at(&self.door(team), "whatever").await
    }

    fn is_there(&self, team: usize) -> bool {
        self.controls.teams().borrow()[team].presence == Presence::There
    }
}

#[tokio::test(start_paused = true)]
async fn players_have_the_names_and_colours_of_their_teams() {
    let hall = open(["Ada", "Bob", "Cleo"]);
    let cleo = hall.good_player_for(2).await;
    let mut ada = hall.register_for(0, "joueur;Bob#correcthorse").await;
    assert_eq!([0, 1, 2].map(|team| hall.is_there(team)), [true, false, true]);
    let bob = hall.good_player_for(1).await;
    let playing = hall.play(table([0, 1, 2])).await;
    let (id, first) = ada.addressed_state().await;
    assert_eq!(
        (id.as_str(), &first.names[..]),
        ("A", &["Ada", "Bob", "Cleo"].map(String::from)[..])
    );
    let expected = State::start(&map(), Rules::SUJET, 20, 3, &mut Seeded::new(7));
    assert_eq!(&first.view, expected.view(), "the start that the seed draws");
    let answering = tokio::spawn(async move {
        ada.send("NN").await;
        ada.answer_all("NN").await
    });
    let played = super::ended(playing).await;
    assert_eq!(names(&played), ["Ada", "Bob", "Cleo"]);
    hall.close([bob, cleo]).await;
    assert_eq!(answering.await.unwrap(), (20, Some(Message::Quit)));
}

#[tokio::test(start_paused = true)]
async fn a_door_is_for_one_player_who_may_come_back() {
    let hall = open(["Ada", "Bob"]);
    let mut bob = hall.register_for(1, "joueur;Bob").await;
    hall.register_for(1, "joueur;Bob").await.is_closed_after(Some(Message::Refused)).await;
    let ada = hall.good_player_for(0).await;
    let playing = hall.play(slow([0, 1])).await;
    bob.state().await;
    hall.register_for(1, "joueur;Bob").await.is_closed_after(Some(Message::Refused)).await;
    drop(bob);
    sleep(Duration::from_millis(2500)).await;
    assert!(!hall.is_there(1));
    let mut bob = hall.register_for(1, "joueur;somebody else").await;
    let (id, now) = bob.addressed_state().await;
    assert_eq!((id.as_str(), now.view.elapsed(), &*now.names[1]), ("B", 2, "Bob"));
    // After three silent deadlines, the team is absent although it is connected.
    sleep(Duration::from_millis(3500)).await;
    let mut again = hall.register_for(1, "joueur;Bob").await;
    assert_eq!(again.addressed_state().await.0, "B");
    while bob.message().await != Some(Message::Quit) {}
    assert_eq!(names(&super::ended(playing).await), ["Ada", "Bob"]);
    hall.close([ada]).await;
}

#[tokio::test(start_paused = true)]
async fn no_door_lets_in_anybody_else() {
    let hall = open(["Ada"]);
    let refused = Some(Message::Refused);
    hall.register_for(0, "afficheur;Beamer").await.is_closed_after(refused.clone()).await;
    hall.register_for(1, "joueur;Ada").await.is_closed_after(refused).await;
    let ada = hall.good_player_for(0).await;
    assert_eq!(names(&hall.played(table([0])).await), ["Ada"]);
    hall.close([ada]).await;
}

#[tokio::test(start_paused = true)]
async fn a_crowd_at_one_door_keeps_nobody_from_another() {
    let hall = open_with(HallSettings {
        max_connections: 10,
        admission: Admission::Listed(["Ada", "Bob"].map(|name| (Name::new(name), None)).into()),
        ..settings()
    });
    let (ada_s, bob_s) = (hall.door(0), hall.door(1));
    let connect = |door: &Host| {
        let (ours, theirs) = tokio::io::duplex(1024);
        let (reader, writer) = tokio::io::split(ours);
        door.connect(reader, writer, LOOPBACK);
        theirs
    };
    let early = connect(&bob_s);
    let crowd: Vec<_> = (0..1000).map(|_| connect(&ada_s)).collect();
    sleep(Duration::from_secs(1)).await;
    let registration = protocol::Registration::decode(b"joueur;Bob").unwrap();
    let mut bot = bots::by_name("prudent").unwrap().make(1);
    let bob = tokio::spawn(async move {
        client::play(
            early,
            &registration,
            ClientPacman::new(Rules::SUJET),
            Inline(bot.as_mut()),
            |_| {},
        )
        .await
        .unwrap()
    });
    sleep(Duration::from_millis(1)).await;
    assert!(hall.is_there(1));
    let ada = hall.good_player_for(0).await;
    assert_eq!(names(&hall.played(table([0, 1])).await), ["Ada", "Bob"]);
    hall.close([ada, bob]).await;
    drop(crowd);
}

#[tokio::test]
async fn each_door_has_a_port_of_its_own() {
    let hall = open(["Ada", "Bob"]);
    let mut players = Vec::new();
    let mut ports = Vec::new();
    for team in 0..2 {
        let listener = TcpListener::bind((LOOPBACK, 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let door = hall.door(team);
        ports.push(tokio::spawn(async move { door.listen(listener).await }));
        let registration = protocol::Registration::decode(b"joueur;x").unwrap();
        players.push(tokio::spawn(async move {
            let stream = TcpStream::connect(address).await.unwrap();
            let mut bot = bots::by_name("prudent").unwrap().make(1);
            let played = client::play(
                stream,
                &registration,
                ClientPacman::new(Rules::SUJET),
                Inline(bot.as_mut()),
                |_| {},
            );
            played.await.unwrap()
        }));
    }
    let mut teams = hall.controls.teams();
    let all_there = |teams: &Vec<arena::hall::TeamPresence>| {
        teams.iter().all(|team| team.presence == Presence::There)
    };
    teams.wait_for(all_there).await.unwrap();
    drop(teams);
    assert_eq!(names(&hall.played(table([0, 1])).await), ["Ada", "Bob"]);
    hall.close(players).await;
    for port in ports {
        port.await.expect("who listens stops when the hall has closed");
    }
}
