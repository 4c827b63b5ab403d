//! Several games on the same connections.

use std::time::Duration;

use arena::{EndReason, GameResult, Pacman, Settings};
use game::pacman::Rules;
use tokio::time::{Instant, sleep};

use crate::harness::{Breaking, Message, house, map, open, open_with, settings, tenths};

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
    assert_eq!(good.await.unwrap(), client::ConnectionEnd::Quit);
    assert_eq!(arena.end().await, EndReason::Finished);
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
        assert_eq!(player.await.unwrap(), client::ConnectionEnd::Quit);
    }
    assert_eq!(arena.end().await, EndReason::Finished);
}

#[tokio::test(start_paused = true)]
async fn a_newcomer_plays_in_the_next_game_when_there_is_room() {
    let tempo = Duration::from_secs(1);
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
    assert_eq!(good.await.unwrap(), client::ConnectionEnd::Quit);
}

#[tokio::test(start_paused = true)]
async fn a_silent_player_costs_its_deadlines_once() {
    let mut arena = open(Settings { games: 10, ..settings(2) });
    let [good] = arena.good_players().await;
    let start = Instant::now();
    let _silent = arena.register("joueur;silent").await;
    for _ in 0..10 {
        arena.result().await;
    }
    assert_eq!(tenths(start.elapsed()), 30);
    assert_eq!(good.await.unwrap(), client::ConnectionEnd::Quit);
}

#[tokio::test(start_paused = true)]
async fn the_house_leaves_its_seats_to_people() {
    let house = Some(house(Duration::from_secs(1)));
    let tempo = Duration::from_millis(100);
    // Bots of the house need no places: there are only two.
    let mut arena = open(Settings { games: 0, house, tempo, max_connections: 2, ..settings(4) });
    let names = |result: GameResult| {
        result.players.into_iter().map(|player| player.name).collect::<Vec<_>>()
    };
    let ada = arena.good_player("Ada").await;
    assert_eq!(names(arena.result().await), ["Ada", "prudent", "prudent_2", "prudent_3"]);
    sleep(Duration::from_millis(500)).await;
    let bob = arena.good_player("Bob").await;
    arena.result().await;
    assert_eq!(names(arena.result().await), ["Ada", "Bob", "prudent", "prudent_2"]);
    // The house does not play without people.
    ada.abort();
    bob.abort();
    arena.result().await;
    let start = Instant::now();
    sleep(Duration::from_secs(3600)).await;
    let _eve = arena.good_player("Eve").await;
    assert_eq!(names(arena.result().await)[0], "Eve");
    // One hour, the house's wait of 1 s, and twenty turns of 100 ms.
    assert!((36_030..36_033).contains(&tenths(start.elapsed())));
}

#[tokio::test(start_paused = true)]
async fn a_wrong_secret_is_refused_even_where_there_is_room() {
    let tempo = Duration::from_secs(1);
    let arena = open(Settings { games: 2, tempo, wait_for_start: true, ..settings(4) });
    let mut ada = arena.register("joueur;Ada#correcthorse").await;
    arena.start.send(()).await.unwrap();
    ada.state().await;
    arena.register("joueur;Ada#wronghorse1").await.is_closed_after(Some(Message::Refused)).await;
}

#[tokio::test(start_paused = true)]
async fn a_series_ends_when_nobody_is_left() {
    let mut arena = open(Settings { games: 5, ..settings(1) });
    let mut ada = arena.register("joueur;Ada").await;
    ada.state().await;
    drop(ada);
    arena.result().await;
    assert_eq!(arena.end().await, EndReason::Deserted);
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
    assert_eq!(arena.end().await, EndReason::Interrupted);
}

#[tokio::test(start_paused = true)]
async fn a_game_that_breaks_off_does_not_end_the_series() {
    for (breaks, games, end) in
        [(1, &[2, 3][..], EndReason::Finished), (2, &[], EndReason::Interrupted)]
    {
        let game = Breaking::boxed(Pacman::new(map(), Rules::SUJET), breaks);
        let mut arena = open_with(Settings { games: 3, ..settings(2) }, game);
        let players = arena.good_players::<2>().await;
        for game in games {
            let result = arena.result().await;
            assert_eq!((result.game, result.elapsed), (*game, 20));
            assert!(result.players.iter().all(|player| player.thinking.missed() == 0));
        }
        for player in players {
            assert_eq!(player.await.unwrap(), client::ConnectionEnd::Quit);
        }
        assert_eq!(arena.end().await, end, "two failures in a row would be followed by more");
    }
}
