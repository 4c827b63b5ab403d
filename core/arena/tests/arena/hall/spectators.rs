//! Spectators of a hall see one game after the other.

use std::time::Duration;

use arena::hall::{GameRequest, HallSettings};
use tokio::time::sleep;

use super::{ended, open, open_with, settings, slow, table};
use crate::harness::{Message, Peer};

/// The games seen from now on until the end: the players, and the first and last turn seen of each.
async fn games_seen(mut beamer: Peer) -> Vec<String> {
    let mut games: Vec<(String, u32, u32)> = Vec::new();
    while let Some(Message::State(id, state)) = beamer.message().await {
        assert_eq!(id, "1", "it keeps its number");
        let (players, elapsed) = (state.names.join(" "), state.view.elapsed());
        match games.last_mut().filter(|(seen, _, last)| *seen == players && *last <= elapsed) {
            Some((_, _, last)) => *last = elapsed,
            None => games.push((players, elapsed, elapsed)),
        }
    }
    games.into_iter().map(|(players, first, last)| format!("{players} {first}-{last}")).collect()
}

#[tokio::test(start_paused = true)]
async fn they_see_the_game_that_runs_for_longest_and_then_another() {
    let hall = open();
    let players =
        [hall.good_player("a").await, hall.good_player("b").await, hall.good_player("c").await];
    let beamer = hall.register("afficheur;Beamer").await;
    let watching = tokio::spawn(games_seen(beamer));
    sleep(Duration::from_secs(60)).await;
    let first = hall.play(GameRequest { turns: 5, ..slow([0]) }).await;
    sleep(Duration::from_millis(1500)).await;
    let second = hall.play(GameRequest { turns: 30, ..slow([1]) }).await;
    sleep(Duration::from_secs(1)).await;
    let third = hall.play(slow([2])).await;
    ended(first).await;
    let fourth = hall.play(slow([0])).await;
    for game in [second, third, fourth] {
        ended(game).await;
    }
    hall.close(players).await;
    assert_eq!(watching.await.unwrap(), ["a 0-5", "b 4-30"], "the others have ended before");
}

#[tokio::test(start_paused = true)]
async fn they_see_the_game_that_is_featured() {
    let hall = open();
    let players =
        [hall.good_player("a").await, hall.good_player("b").await, hall.good_player("c").await];
    let beamer = hall.register("afficheur;Beamer").await;
    let watching = tokio::spawn(games_seen(beamer));
    let first = hall.play(slow([0])).await;
    let second = hall.play(GameRequest { turns: 10, ..slow([1]) }).await;
    sleep(Duration::from_millis(3900)).await;
    hall.controls.feature(Some(second.table)).await;
    sleep(Duration::from_secs(1)).await;
    let third = hall.play(slow([2])).await;
    ended(second).await;
    sleep(Duration::from_secs(2)).await;
    hall.controls.feature(Some(third.table)).await;
    sleep(Duration::from_secs(1)).await;
    hall.controls.feature(None).await;
    ended(first).await;
    ended(third).await;
    hall.close(players).await;
    assert_eq!(watching.await.unwrap(), ["a 0-3", "b 3-10", "a 11-12", "c 8-20"]);
}

#[tokio::test(start_paused = true)]
async fn whoever_comes_during_a_game_sees_its_state_at_once() {
    let hall = open();
    let players = [hall.good_player("a").await];
    let playing = hall.play(slow([0])).await;
    sleep(Duration::from_millis(3500)).await;
    let mut beamer = hall.register("afficheur;Beamer").await;
    assert_eq!(beamer.state().await.view.elapsed(), 3);
    ended(playing).await;
    let mut second = hall.register("afficheur;second").await;
    let playing = hall.play(slow([0])).await;
    assert_eq!(second.addressed_state().await.1.view.elapsed(), 0, "the first there is");
    playing.stop.cancel();
    hall.close(players).await;
}

#[tokio::test(start_paused = true)]
async fn there_is_a_limit_and_those_who_leave_make_room() {
    let hall = open_with(HallSettings { max_spectators: 1, ..settings() });
    let player = hall.good_player("a").await;
    let first = hall.register("afficheur;first").await;
    hall.register("afficheur;second").await.is_closed_after(Some(Message::Refused)).await;
    drop(first);
    // The server notices the lost connection at the next send.
    let playing = hall.play(slow([0])).await;
    sleep(Duration::from_millis(10)).await;
    let mut third = hall.register("afficheur;third").await;
    third.state().await;
    playing.stop.cancel();
    hall.close([player]).await;
}

#[tokio::test(start_paused = true)]
async fn one_that_does_not_read_stops_nothing() {
    let hall = open();
    let player = hall.good_player("a").await;
    let mut deaf = Peer::connect(&hall.controls.host, crate::harness::LOOPBACK, 100);
    deaf.send("afficheur;deaf").await;
    for _ in 0..20 {
        let playing = hall.play(GameRequest { turns: 100, ..table([0]) }).await;
        ended(playing).await;
    }
    hall.close([player]).await;
}
