//! Several games on the same connections.

use server::{End, Settings};

use crate::harness::{Message, open, settings};

#[tokio::test(start_paused = true)]
async fn games_follow_on_the_same_connection_with_the_next_seeds() {
    let mut arena = open(Settings { games: 3, ..settings(2) });
    let mut ada = arena.register("joueur;Ada").await;
    let [good] = arena.good_players().await;
    let answered = tokio::spawn(async move { ada.answer_all("NN").await });
    let mut seeds = Vec::new();
    for game in 1..=3 {
        let result = arena.result().await;
        assert_eq!((result.game, result.elapsed), (game, 20));
        seeds.push(result.seed);
    }
    assert_eq!(seeds, [7, 8, 9]);
    assert_eq!(answered.await.unwrap(), (3 * 21, Some(Message::Quit)));
    assert_eq!(good.await.unwrap(), client::End::Quit);
    assert_eq!(arena.end().await, End::Finished);
}

#[tokio::test(start_paused = true)]
async fn the_next_game_is_played_by_whoever_stays() {
    let mut arena = open(Settings { games: 2, ..settings(3) });
    let mut ada = arena.register("joueur;Ada").await;
    let players = arena.good_players::<2>().await;
    ada.state().await;
    drop(ada);
    assert_eq!(arena.result().await.players.len(), 3);
    let second = arena.result().await;
    let names: Vec<_> = second.players.iter().map(|p| (p.letter, p.name.as_str())).collect();
    assert_eq!(names, [('A', "good 1"), ('B', "good 2")], "those who stay move up");
    for player in players {
        assert_eq!(player.await.unwrap(), client::End::Quit);
    }
    assert_eq!(arena.end().await, End::Finished);
}

#[tokio::test(start_paused = true)]
async fn a_newcomer_plays_in_the_next_game_when_there_is_room() {
    let tempo = std::time::Duration::from_secs(1);
    let mut arena = open(Settings { games: 3, tempo, ..settings(2) });
    let mut ada = arena.register("joueur;Ada").await;
    let [good] = arena.good_players().await;
    ada.state().await;
    drop(ada);
    arena.result().await;
    let mut eve = arena.register("joueur;Eve").await;
    assert_eq!(arena.result().await.players.len(), 1);
    let (id, first) = eve.addressed_state().await;
    assert_eq!((id.as_str(), first.view.elapsed()), ("B", 0));
    assert_eq!(arena.result().await.players[1].name, "Eve");
    assert_eq!(good.await.unwrap(), client::End::Quit);
}

#[tokio::test(start_paused = true)]
async fn a_series_ends_when_nobody_is_left() {
    let mut arena = open(Settings { games: 5, ..settings(1) });
    let mut ada = arena.register("joueur;Ada").await;
    ada.state().await;
    drop(ada);
    arena.result().await;
    assert_eq!(arena.end().await, End::Deserted);
}

#[tokio::test(start_paused = true)]
async fn an_endless_series_waits_for_new_players() {
    let mut arena = open(Settings { games: 0, ..settings(1) });
    let mut ada = arena.register("joueur;Ada").await;
    ada.state().await;
    drop(ada);
    assert_eq!(arena.result().await.players[0].name, "Ada");
    let mut bob = arena.register("joueur;Bob").await;
    bob.state().await;
    arena.shutdown.cancel();
    assert_eq!(arena.end().await, End::Interrupted);
}
