//! A game between seats that are assigned.

use std::time::Duration;

use game::pacman::{Rules, Seeded, State};
use server::{End, HouseBot, Settings};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Instant, sleep};

use crate::harness::{LOOPBACK, Message, assigned, map, points, settings, tenths};

fn slow() -> Settings {
    Settings { tempo: Duration::from_secs(1), ..settings(0) }
}

#[tokio::test(start_paused = true)]
async fn players_have_the_names_and_colours_of_their_seats() {
    let arena = assigned(settings(0), ["Ada", "Bob", "Cleo"]);
    let cleo = arena.good_player_for(2).await;
    let mut ada = arena.register_for(0, "joueur;Bob#correcthorse").await;
    sleep(Duration::from_secs(3600)).await;
    let mut seats = arena.seats.clone();
    assert_eq!(*seats.borrow_and_update(), [true, false, true], "two are waiting for Bob");
    let bob = arena.good_player_for(1).await;
    let (id, first) = ada.addressed_state().await;
    assert_eq!(
        (id.as_str(), &first.names[..]),
        ("A", &["Ada", "Bob", "Cleo"].map(String::from)[..])
    );
    let expected = State::start(&map(), Rules::SUJET, 20, 3, &mut Seeded::new(7));
    assert_eq!(&first.view, expected.view(), "the start that the seed draws");
    assert_eq!(*seats.borrow_and_update(), [true; 3]);
    let answering = tokio::spawn(async move {
        ada.send("NN").await;
        ada.answer_all("NN").await
    });
    let (result, took) = arena.all_is_well([bob, cleo]).await;
    assert_eq!(answering.await.unwrap(), (20, Some(Message::Quit)));
    let names: Vec<_> = result.players.iter().map(|p| (p.letter, p.name.as_str())).collect();
    assert_eq!(names, [('A', "Ada"), ('B', "Bob"), ('C', "Cleo")]);
    assert!(took < Duration::from_millis(50), "nothing but messages takes time: {took:?}");
}

#[tokio::test(start_paused = true)]
async fn the_game_may_start_without_some_who_come_later() {
    let arena = assigned(slow(), ["Ada", "Bob"]);
    let ada = arena.good_player_for(0).await;
    sleep(Duration::from_secs(60)).await;
    arena.start.send(()).await.unwrap();
    sleep(Duration::from_millis(4500)).await;
    let mut bob = arena.register_for(1, "joueur;Bob").await;
    let (id, now) = bob.addressed_state().await;
    assert_eq!((id.as_str(), now.view.elapsed()), ("B", 4), "no turn has waited");
    let before = now.view.players()[1].points;
    bob.send("XX").await;
    assert_eq!(bob.state().await.view.players()[1].points, before - 2);
    bob.send("NN").await;
    assert_eq!(bob.answer_all("NN").await, (15, Some(Message::Quit)));
    arena.all_is_well([ada]).await;
}

#[tokio::test(start_paused = true)]
async fn a_seat_is_for_one_player_who_may_come_back() {
    let arena = assigned(slow(), ["Ada", "Bob"]);
    let mut bob = arena.register_for(1, "joueur;Bob").await;
    arena.register_for(1, "joueur;Bob").await.is_closed_after(Some(Message::Refused)).await;
    let ada = arena.good_player_for(0).await;
    bob.state().await;
    arena.register_for(1, "joueur;Bob").await.is_closed_after(Some(Message::Refused)).await;
    drop(bob);
    sleep(Duration::from_millis(2500)).await;
    assert_eq!(*arena.seats.borrow(), [true, false]);
    let mut bob = arena.register_for(1, "joueur;somebody else").await;
    let (id, now) = bob.addressed_state().await;
    assert_eq!((id.as_str(), now.view.elapsed(), &*now.names[1]), ("B", 2, "Bob"));
    // Silent for three deadlines, it is absent although it is connected; one of them it has missed
    // before.
    sleep(Duration::from_millis(2500)).await;
    let mut again = arena.register_for(1, "joueur;Bob").await;
    assert_eq!(again.addressed_state().await.0, "B");
    while bob.message().await != Some(Message::Quit) {}
    arena.all_is_well([ada]).await;
}

#[tokio::test(start_paused = true)]
async fn a_player_who_leaves_before_the_start_is_waited_for() {
    let arena = assigned(settings(0), ["Ada", "Bob"]);
    drop(arena.register_for(0, "joueur;Ada").await);
    let bob = arena.good_player_for(1).await;
    sleep(Duration::from_secs(60)).await;
    assert_eq!(*arena.seats.borrow(), [false, true]);
    let ada = arena.good_player_for(0).await;
    arena.all_is_well([ada, bob]).await;
}

#[tokio::test(start_paused = true)]
async fn no_door_lets_in_anybody_else() {
    let arena = assigned(settings(0), ["Ada"]);
    let refused = Some(Message::Refused);
    arena.register_for(0, "afficheur;Beamer").await.is_closed_after(refused.clone()).await;
    arena.register_for(1, "joueur;Ada").await.is_closed_after(refused.clone()).await;
    arena.register("joueur;Ada").await.is_closed_after(refused).await;
    let mut beamer = arena.register("afficheur;Beamer").await;
    assert_eq!(beamer.state().await.names, ["Ada"], "spectators come in by the main door");
    let ada = arena.good_player_for(0).await;
    arena.all_is_well([ada]).await;
    assert_eq!(beamer.answer_all("").await, (1 + 3 * 20, Some(Message::Quit)));
}

#[tokio::test(start_paused = true)]
async fn a_crowd_at_one_door_keeps_nobody_from_another() {
    let arena = assigned(Settings { max_connections: 10, ..settings(0) }, ["Ada", "Bob"]);
    let (ada_s, bob_s) = (arena.door(0), arena.door(1));
    let connect = |door: &server::Host| {
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
        client::play(early, &registration, bot.as_mut(), &Rules::SUJET, |_| {}).await.unwrap()
    });
    let ada = arena.good_player_for(0).await;
    arena.all_is_well([ada, bob]).await;
    drop(crowd);
}

#[tokio::test(start_paused = true)]
async fn the_house_takes_an_assigned_seat() {
    let arena = assigned(settings(0), ["Ada", "the house's"]);
    let bot = HouseBot::Pacman(bots::by_name("prudent").unwrap(), Rules::SUJET);
    arena.door(1).connect_house(bot, 5);
    let ada = arena.good_player_for(0).await;
    let (result, _) = arena.all_is_well([ada]).await;
    assert_eq!(result.players[1].name, "the house's");
    assert_eq!(result.players[1].thinking.missed(), 0);
    assert!(points(&result.players[1]) > 0, "{result:?}");
}

#[tokio::test(start_paused = true)]
async fn without_anybody_the_game_ends_after_three_deadlines() {
    let mut arena = assigned(settings(0), ["Ada", "Bob"]);
    arena.start.send(()).await.unwrap();
    let start = Instant::now();
    let result = arena.result().await;
    assert_eq!(tenths(start.elapsed()), 30);
    assert!(result.elapsed < result.total);
    assert_eq!(arena.end().await, End::Finished);
}

#[tokio::test(start_paused = true)]
async fn a_program_that_lingers_holds_up_the_end_but_not_the_result() {
    let mut arena = assigned(settings(0), ["Ada", "Bob"]);
    let ada = arena.good_player_for(0).await;
    let mut bob = arena.register_for(1, "joueur;Bob").await;
    let lingers = tokio::spawn(async move {
        bob.answer_all("NN").await;
        bob
    });
    let start = Instant::now();
    arena.result().await;
    ada.await.unwrap();
    assert_eq!(tenths(start.elapsed()), 0);
    arena.end().await;
    assert_eq!(tenths(start.elapsed()), 20, "two seconds to close in its turn");
    drop(lingers.await.unwrap());
}

#[tokio::test]
async fn each_seat_has_a_port_of_its_own() {
    let arena = assigned(settings(0), ["Ada", "Bob"]);
    let mut players = Vec::new();
    for seat in 0..2 {
        let listener = TcpListener::bind((LOOPBACK, 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let door = arena.door(seat);
        let listening = tokio::spawn(async move { door.listen(listener).await });
        let registration = protocol::Registration::decode(b"joueur;x").unwrap();
        let playing = tokio::spawn(async move {
            let stream = TcpStream::connect(address).await.unwrap();
            let mut bot = bots::by_name("prudent").unwrap().make(1);
            let played = client::play(stream, &registration, bot.as_mut(), &Rules::SUJET, |_| {});
            played.await.unwrap()
        });
        players.push((playing, listening));
    }
    let (players, ports): (Vec<_>, Vec<_>) = players.into_iter().unzip();
    let (result, _) = arena.all_is_well(players).await;
    assert_eq!(result.players[1].name, "Bob");
    for port in ports {
        port.await.expect("who listens stops when the arena has closed");
    }
}
