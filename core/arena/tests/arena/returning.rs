//! Coming back, with and without a secret.

use std::time::Duration;

use arena::Settings;
use tokio::time::sleep;

use crate::harness::{LAPTOP, Message, Running, STRANGER, open, settings};

/// A game of two with 1 s per turn, long enough to leave and to come back.
fn slow_game() -> Running {
    open(Settings { tempo: Duration::from_secs(1), ..settings(2) })
}

#[tokio::test(start_paused = true)]
async fn a_player_comes_back_to_its_seat() {
    let arena = slow_game();
    let mut ada = arena.register("joueur;Ada").await;
    let [good] = arena.good_players().await;
    ada.state().await;
    drop(ada);
    sleep(Duration::from_millis(3500)).await;
    let mut ada = arena.register("joueur;Ada").await;
    let (id, now) = ada.addressed_state().await;
    assert_eq!((id.as_str(), now.view.elapsed()), ("A", 3), "the current state comes at once");
    ada.send("XX").await;
    let made = |reading: &game::pacman::Reading| reading.view.players()[0].points;
    let before = made(&now);
    let after = ada.state().await;
    assert_eq!(made(&after), before - 2, "its first message answers its first state");
    ada.send("NN").await;
    let (states, last) = ada.answer_all("NN").await;
    assert_eq!((states, last), (16, Some(Message::Quit)));
    arena.all_is_well([good]).await;
}

#[tokio::test(start_paused = true)]
async fn a_seat_is_only_taken_back_by_its_name() {
    let arena = slow_game();
    let ada = arena.register("joueur;Ada").await;
    let [good] = arena.good_players().await;
    drop(ada);
    arena.register("joueur;Eve").await.is_closed_after(Some(Message::Refused)).await;
    arena.all_is_well([good]).await;
}

#[tokio::test(start_paused = true)]
async fn a_present_seat_without_a_secret_is_not_taken() {
    let arena = slow_game();
    let players = arena.good_players::<2>().await;
    arena.register("joueur;good 1").await.is_closed_after(Some(Message::Refused)).await;
    arena.all_is_well(players).await;
}

#[tokio::test(start_paused = true)]
async fn a_seat_that_missed_three_deadlines_is_taken_back() {
    let arena = slow_game();
    let mut frozen = arena.register("joueur;Ada").await;
    let [good] = arena.good_players().await;
    sleep(Duration::from_millis(2500)).await;
    arena.register("joueur;Ada").await.is_closed_after(Some(Message::Refused)).await;
    sleep(Duration::from_secs(1)).await;
    let mut ada = arena.register("joueur;Ada").await;
    assert_eq!(ada.addressed_state().await.0, "A");
    for _ in 0..4 {
        frozen.state().await;
    }
    frozen.is_closed_after(Some(Message::Quit)).await;
    arena.all_is_well([good]).await;
}

#[tokio::test(start_paused = true)]
async fn the_right_secret_takes_a_present_seat() {
    let arena = slow_game();
    let mut old = arena.register("joueur;Ada#correcthorse").await;
    let [good] = arena.good_players().await;
    assert_eq!(old.state().await.names[0], "Ada", "the secret is not shown");
    for wrong in ["joueur;Ada", "joueur;Ada#wronghorse", "joueur;Ada#correcthorsf"] {
        arena.register(wrong).await.is_closed_after(Some(Message::Refused)).await;
    }
    let mut new = arena.register("joueur;Ada#correcthorse").await;
    assert_eq!(new.addressed_state().await.0, "A");
    // The old connection saw further turns, because the wrong secrets were answered late.
    while old.message().await != Some(Message::Quit) {}
    old.is_closed_after(None).await;
    arena.all_is_well([good]).await;
}

#[tokio::test(start_paused = true)]
async fn an_absent_seat_with_a_secret_is_only_taken_with_it() {
    let arena = slow_game();
    let ada = arena.register("joueur;Ada#correcthorse").await;
    let [good] = arena.good_players().await;
    drop(ada);
    sleep(Duration::from_millis(1)).await;
    arena.register("joueur;Ada").await.is_closed_after(Some(Message::Refused)).await;
    let mut ada = arena.register("joueur;Ada#correcthorse").await;
    assert_eq!(ada.addressed_state().await.0, "A");
    arena.all_is_well([good]).await;
}

#[tokio::test(start_paused = true)]
async fn secrets_cannot_be_tried_out() {
    let arena = slow_game();
    let _ada = arena.register("joueur;Ada#correcthorse").await;
    let [good] = arena.good_players().await;
    for attempt in 0..5 {
        let mut stranger = arena.connect_from(STRANGER);
        stranger.send(&format!("joueur;Ada#attempt{attempt}")).await;
        stranger.is_closed_after(Some(Message::Refused)).await;
    }
    let mut stranger = arena.connect_from(STRANGER);
    stranger.send("joueur;Ada#correcthorse").await;
    stranger.is_closed_after(Some(Message::Refused)).await;
    // The guesses do not lock out the owner.
    let mut ada = arena.connect_from(LAPTOP);
    ada.send("joueur;Ada#correcthorse").await;
    assert_eq!(ada.addressed_state().await.0, "A");
    arena.all_is_well([good]).await;
}

#[tokio::test(start_paused = true)]
async fn of_two_absent_seats_the_one_from_the_same_address_is_taken() {
    let arena = open(Settings { tempo: Duration::from_secs(1), ..settings(3) });
    let mut here = arena.connect_from(LAPTOP);
    here.send("joueur;Ada").await;
    sleep(Duration::from_millis(1)).await;
    let mut there = arena.connect_from(STRANGER);
    there.send("joueur;Ada").await;
    sleep(Duration::from_millis(1)).await;
    let [good] = arena.good_players().await;
    drop((here, there));
    sleep(Duration::from_millis(1)).await;
    let mut back = arena.connect_from(STRANGER);
    back.send("joueur;Ada").await;
    let (id, state) = back.addressed_state().await;
    assert_eq!((id.as_str(), state.names[1].as_str()), ("B", "Ada_2"));
    arena.all_is_well([good]).await;
}
