//! Leaving a hall, and coming back.

use std::time::Duration;

use tokio::time::{Instant, sleep};

use super::{ended, names, open, slow, table};
use crate::harness::{Message, tenths};

#[tokio::test(start_paused = true)]
async fn a_team_comes_back_in_the_middle_of_its_game() {
    let hall = open();
    let good = hall.good_player("good").await;
    let mut ada = hall.register("joueur;Ada").await;
    let elsewhere = hall.good_player("elsewhere").await;
    let other = hall.play(slow([2])).await;
    let playing = hall.play(slow([0, 1])).await;
    ada.state().await;
    drop(ada);
    sleep(Duration::from_millis(3500)).await;
    assert_eq!(hall.teams(), "good there and plays, Ada gone and plays, elsewhere there and plays");
    let mut ada = hall.register("joueur;Ada").await;
    assert_eq!(
        hall.teams(),
        "good there and plays, Ada there and plays, elsewhere there and plays"
    );
    let (id, now) = ada.addressed_state().await;
    assert_eq!((id.as_str(), now.view.elapsed()), ("B", 3), "the current state comes at once");
    ada.send("XX").await;
    let before = now.view.players()[1].points;
    assert_eq!(ada.state().await.view.players()[1].points, before - 2, "its answer counts");
    ada.send("NN").await;
    let answering = tokio::spawn(async move { ada.answer_all("NN").await });
    names(&ended(playing).await);
    names(&ended(other).await);
    // The returned team also plays in the next game.
    names(&hall.played(table([1])).await);
    hall.close([good, elsewhere]).await;
    assert_eq!(answering.await.unwrap(), (16 + 21, Some(Message::Quit)));
}

#[tokio::test(start_paused = true)]
async fn a_team_comes_back_between_two_games() {
    let hall = open();
    let good = hall.good_player("good").await;
    let ada = hall.register("joueur;Ada").await;
    drop(ada);
    sleep(Duration::from_millis(1)).await;
    assert_eq!(hall.teams(), "good there, Ada gone");
    let mut ada = hall.register("joueur;Ada").await;
    let playing = hall.play(table([1, 0])).await;
    assert_eq!(ada.addressed_state().await.0, "A");
    drop(ada);
    names(&ended(playing).await);
    assert_eq!(hall.teams(), "good there, Ada gone", "it keeps its place");
    names(&hall.played(table([0, 1])).await);
    let mut ada = hall.register("joueur;Ada").await;
    sleep(Duration::from_secs(60)).await;
    assert_eq!(hall.teams(), "good there, Ada there");
    let playing = hall.play(table([1, 0])).await;
    assert_eq!(ada.addressed_state().await.1.view.elapsed(), 0, "nothing came in between");
    ada.send("NN").await;
    assert_eq!(ada.state().await.view.elapsed(), 1);
    drop(ada);
    ended(playing).await;
    hall.close([good]).await;
}

#[tokio::test(start_paused = true)]
async fn a_silent_team_is_waited_for_three_times_until_it_sends_something() {
    let hall = open();
    let good = hall.good_player("good").await;
    let mut silent = hall.register("joueur;silent").await;
    for waited in [30, 0] {
        let start = Instant::now();
        names(&ended(hall.play(table([0, 1])).await).await);
        assert_eq!(tenths(start.elapsed()), waited, "it is waited for three times in all");
        assert_eq!(hall.teams(), "good there, silent silent");
    }
    silent.send("NN").await;
    sleep(Duration::from_millis(1)).await;
    assert_eq!(hall.teams(), "good there, silent there", "any message shows that it is there");
    let start = Instant::now();
    names(&ended(hall.play(table([0, 1])).await).await);
    assert_eq!(tenths(start.elapsed()), 30, "it is waited for again");
    hall.close([good]).await;
}

#[tokio::test(start_paused = true)]
async fn a_silent_team_answers_again_in_the_middle_of_a_game() {
    let hall = open();
    let good = hall.good_player("good").await;
    let mut silent = hall.register("joueur;silent").await;
    let playing = hall.play(slow([0, 1])).await;
    sleep(Duration::from_millis(4500)).await;
    assert_eq!(hall.teams(), "good there and plays, silent silent and plays");
    for _ in 0..5 {
        silent.state().await;
        silent.send("NN").await;
    }
    sleep(Duration::from_secs(1)).await;
    assert_eq!(hall.teams(), "good there and plays, silent there and plays");
    ended(playing).await;
    hall.close([good]).await;
}

#[tokio::test(start_paused = true)]
async fn the_place_of_a_silent_team_is_taken_back_during_and_after_its_game() {
    let hall = open();
    let good = hall.good_player("good").await;
    let mut frozen = hall.register("joueur;Ada").await;
    let playing = hall.play(slow([0, 1])).await;
    sleep(Duration::from_millis(2500)).await;
    hall.register("joueur;Ada").await.is_closed_after(Some(Message::Refused)).await;
    sleep(Duration::from_secs(1)).await;
    let mut second = hall.register("joueur;Ada").await;
    assert_eq!(second.addressed_state().await.0, "B");
    while frozen.message().await != Some(Message::Quit) {}
    frozen.is_closed_after(None).await;
    // The second connection is silent too, until the end of the game.
    ended(playing).await;
    assert_eq!(hall.teams(), "good there, Ada silent");
    let third = hall.good_player("Ada").await;
    assert_eq!(hall.teams(), "good there, Ada there");
    while second.message().await != Some(Message::Quit) {}
    let start = Instant::now();
    assert_eq!(names(&hall.played(table([1, 0])).await), ["Ada", "good"]);
    assert_eq!(tenths(start.elapsed()), 0);
    hall.close([good, third]).await;
}

#[tokio::test(start_paused = true)]
async fn the_right_secret_takes_the_place_of_a_team_that_is_there() {
    let hall = open();
    let good = hall.good_player("good").await;
    let mut old = hall.register("joueur;Ada#correcthorse").await;
    let playing = hall.play(slow([0, 1])).await;
    assert_eq!(old.state().await.names[1], "Ada", "the secret is not shown");
    for wrong in ["joueur;Ada", "joueur;Ada#wronghorse", "joueur;Ada#correcthorsf"] {
        hall.register(wrong).await.is_closed_after(Some(Message::Refused)).await;
    }
    let mut new = hall.register("joueur;Ada#correcthorse").await;
    assert_eq!(new.addressed_state().await.0, "B");
    // The old connection saw further turns, because the wrong secrets were answered late.
    while old.message().await != Some(Message::Quit) {}
    old.is_closed_after(None).await;
    drop(new);
    sleep(Duration::from_millis(1)).await;
    hall.register("joueur;Ada").await.is_closed_after(Some(Message::Refused)).await;
    let mut back = hall.register("joueur;Ada#correcthorse").await;
    assert_eq!(back.addressed_state().await.0, "B");
    ended(playing).await;
    hall.close([good]).await;
}
