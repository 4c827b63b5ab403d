//! Admission of teams to a hall, and their names.

use std::time::Duration;

use arena::Hall;
use arena::hall::{Admission, GameRequest, HallSettings};
use protocol::{Name, Secret};
use tokio::time::sleep;

use super::{Open, house, names, open, open_with, settings, slow, table};
use crate::harness::{LAPTOP, Message, Peer, STRANGER};

fn at_most(max_teams: usize) -> Open {
    let admission = Admission::Anybody { max_teams, max_per_address: 16, reserved: Vec::new() };
    open_with(HallSettings { admission, ..settings() })
}

/// A hall for Ada, who has a secret, and Bob.
fn listed() -> Open {
    open_with(HallSettings {
        admission: list([("Ada", Some("correcthorse")), ("Bob", None)]),
        ..settings()
    })
}

fn list<const N: usize>(teams: [(&str, Option<&str>); N]) -> Admission {
    let team = |(name, secret): (&str, Option<&str>)| {
        (Name::new(name), secret.map(|secret| Secret::new(secret).unwrap()))
    };
    Admission::Listed(teams.map(team).into())
}

impl Open {
    /// Checks that this registration is refused.
    async fn refuses(&self, registration: &str) {
        self.register(registration).await.is_closed_after(Some(Message::Refused)).await;
    }
}

#[tokio::test(start_paused = true)]
async fn before_the_first_game_names_are_told_apart() {
    let hall = open();
    let _players = [hall.register("joueur;Ada").await, hall.register("joueur;Ada").await];
    let _protected = hall.register("joueur;Ada#correcthorse").await;
    assert_eq!(hall.teams(), "Ada there, Ada_2 there, Ada_3 there");
    hall.close([]).await;
}

#[tokio::test(start_paused = true)]
async fn a_reserved_name_is_given_with_a_number() {
    let reserved = vec![Name::new("glouton")];
    let admission = Admission::Anybody { max_teams: 4, max_per_address: 16, reserved };
    let hall = open_with(HallSettings { admission, ..settings() });
    let first = hall.register("joueur;glouton").await;
    assert_eq!(hall.teams(), "glouton_2 there");
    drop(first);
    sleep(Duration::from_millis(1)).await;
    let back = hall.good_player("glouton").await;
    assert_eq!(hall.teams(), "glouton_2 there", "it comes back under the name that it asked for");
    hall.close([back]).await;
}

#[tokio::test(start_paused = true)]
async fn from_the_first_game_on_a_known_name_is_not_given_twice() {
    let hall = open();
    let ada = hall.good_player("Ada").await;
    hall.played(table([0])).await;
    hall.refuses("joueur;Ada").await;
    hall.refuses("joueur;Ada#correcthorse").await;
    let eve = hall.good_player("Eve").await;
    assert_eq!(hall.teams(), "Ada there, Eve there", "but who is new may come at any time");
    assert_eq!(names(&hall.played(table([1, 0])).await), ["Eve", "Ada"]);
    hall.close([ada, eve]).await;
}

#[tokio::test(start_paused = true)]
async fn a_list_lets_in_those_on_it_only() {
    let hall = listed();
    assert_eq!(hall.teams(), "Ada gone, Bob gone");
    for unknown in
        ["joueur;Eve", "joueur;Ada", "joueur;Ada#correcthorsf", "joueur;ada#correcthorse"]
    {
        hall.refuses(unknown).await;
    }
    let bob = hall.good_player("Bob").await;
    hall.refuses("joueur;Bob").await;
    hall.refuses("joueur;Bob#correcthorse").await;
    let mut ada = hall.register("joueur;Ada#correcthorse").await;
    assert_eq!(hall.teams(), "Ada there, Bob there");
    let playing = hall.play(slow([0, 1])).await;
    assert_eq!(ada.state().await.names, ["Ada", "Bob"]);
    let mut again = hall.register("joueur;Ada#correcthorse").await;
    assert_eq!(again.addressed_state().await.0, "A");
    ada.is_closed_after(Some(Message::Quit)).await;
    playing.stop.cancel();
    hall.close([bob]).await;
}

#[tokio::test(start_paused = true)]
async fn a_listed_name_without_a_secret_belongs_to_who_comes_first_and_brings_one() {
    let hall = listed();
    let first = hall.register("joueur;Bob#batterystaple").await;
    drop(first);
    sleep(Duration::from_millis(1)).await;
    assert_eq!(hall.teams(), "Ada gone, Bob gone");
    hall.refuses("joueur;Bob").await;
    hall.refuses("joueur;Bob#correcthorse").await;
    let _again = hall.register("joueur;Bob#batterystaple").await;
    assert_eq!(hall.teams(), "Ada gone, Bob there");
    hall.close([]).await;
}

#[tokio::test(start_paused = true)]
async fn listed_teams_play_whether_they_are_there_or_not() {
    let hall = listed();
    let mut settings = table([0, 1]);
    settings.seats.push(house("the house's"));
    assert_eq!(names(&hall.played(settings).await), ["Ada", "Bob", "the house's"]);
    hall.close([]).await;
}

#[test]
fn a_list_has_each_name_once() {
    let admission = list([("Ada", None), ("Bob", None), (" Ada", Some("correcthorse"))]);
    let error = Hall::new(HallSettings { admission, ..settings() }, 42).map(|_| ()).unwrap_err();
    assert_eq!(error.to_string(), "two teams are called Ada");
}

#[tokio::test(start_paused = true)]
async fn secrets_of_the_list_cannot_be_tried_out() {
    let hall = listed();
    let register = async |address, registration: &str| {
        let mut peer = Peer::connect(&hall.controls.host, address, 1024);
        peer.send(registration).await;
        sleep(Duration::from_millis(1)).await;
        peer
    };
    for attempt in 0..5 {
        let mut stranger = register(STRANGER, &format!("joueur;Ada#attempt{attempt}")).await;
        stranger.is_closed_after(Some(Message::Refused)).await;
    }
    let mut stranger = register(STRANGER, "joueur;Ada#correcthorse").await;
    stranger.is_closed_after(Some(Message::Refused)).await;
    // The guesses lock out neither the owner nor others at the same address.
    let _ada = register(LAPTOP, "joueur;Ada#correcthorse").await;
    let _bob = register(STRANGER, "joueur;Bob").await;
    assert_eq!(hall.teams(), "Ada there, Bob there");
    hall.close([]).await;
}

#[tokio::test(start_paused = true)]
async fn those_who_never_played_make_room() {
    let hall = at_most(3);
    drop(hall.register("joueur;played").await);
    hall.played(GameRequest { turns: 2, ..table([0]) }).await;
    drop(hall.register("joueur;looked in").await);
    let stays = hall.good_player("stays").await;
    assert_eq!(hall.teams(), "played gone, looked in gone, stays there");
    let new = hall.good_player("new").await;
    assert_eq!(hall.teams(), "played gone, stays there, new there");
    hall.refuses("joueur;one too many").await;
    // Numbers stay with their teams.
    assert_eq!(names(&hall.played(table([3, 2])).await), ["new", "stays"]);
    hall.close([stays, new]).await;
}

#[tokio::test(start_paused = true)]
async fn more_teams_than_letters_play() {
    let hall = open();
    let mut players = Vec::new();
    for number in 0..60 {
        players.push(hall.good_player(&format!("team {number}")).await);
    }
    let mut games = Vec::new();
    for group in 0..15 {
        games.push(hall.play(table([group, 15 + group, 30 + group, 45 + group])).await);
    }
    for (group, game) in games.into_iter().enumerate() {
        assert_eq!(names(&super::ended(game).await)[3], format!("team {}", 45 + group));
    }
    hall.close(players).await;
}

#[tokio::test(start_paused = true)]
async fn a_game_with_a_team_that_made_room_is_not_played() {
    let hall = at_most(1);
    drop(hall.register("joueur;first").await);
    let _second = hall.register("joueur;second").await;
    let error = hall.controls.play(table([0])).await.unwrap_err();
    assert_eq!(error.to_string(), "there is no team 0");
    hall.close([]).await;
}
