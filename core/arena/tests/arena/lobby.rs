//! Before the game.

use std::time::Duration;

use arena::{EndReason, Settings};
use game::pacman::{Rules, Seeded, State};

use crate::harness::{Message, house, map, open, settings, tenths};

#[tokio::test(start_paused = true)]
async fn colours_follow_registrations_and_a_game_is_played_to_its_end() {
    let arena = open(settings(2));
    let mut ada = arena.register("joueur;Ada").await;
    let mut bob = arena.register("joueur;Bob").await;
    let (id, first) = ada.addressed_state().await;
    assert_eq!((id.as_str(), &first.names[..]), ("A", &["Ada".to_owned(), "Bob".to_owned()][..]));
    assert_eq!(bob.addressed_state().await.0, "B");
    let expected = State::start(&map(), Rules::SUJET, 20, 2, &mut Seeded::new(7));
    assert_eq!(&first.view, expected.view(), "the start that the seed draws");

    let both = tokio::join!(
        async {
            ada.send("NN").await;
            ada.answer_all("NN").await
        },
        async {
            bob.send("NN").await;
            bob.answer_all("NN").await
        },
    );
    assert_eq!(both, ((20, Some(Message::Quit)), (20, Some(Message::Quit))));
    ada.is_closed_after(None).await;
    assert_eq!(arena.end().await, EndReason::Finished);
}

#[tokio::test(start_paused = true)]
async fn the_one_too_many_is_refused() {
    let arena = open(settings(1));
    let _ada = arena.register("joueur;Ada").await;
    let mut bob = arena.register("joueur;Bob").await;
    bob.is_closed_after(Some(Message::Refused)).await;
}

#[tokio::test(start_paused = true)]
async fn those_after_a_player_who_leaves_move_up() {
    let arena = open(settings(2));
    let ada = arena.register("joueur;Ada").await;
    drop(ada);
    let mut bob = arena.register("joueur;Bob").await;
    let mut eve = arena.register("joueur;Eve").await;
    assert_eq!(bob.addressed_state().await.0, "A");
    let (id, state) = eve.addressed_state().await;
    assert_eq!((id.as_str(), &state.names[..]), ("B", &["Bob".to_owned(), "Eve".to_owned()][..]));
}

#[tokio::test(start_paused = true)]
async fn names_are_cleaned_and_told_apart() {
    let arena = open(settings(4));
    let mut first = arena.register("joueur;Ada").await;
    for name in ["joueur;Ada", "joueur;", "joueur;a;b\n#c"] {
        // Dropping the peer would free its seat.
        std::mem::forget(arena.register(name).await);
    }
    assert_eq!(first.state().await.names, ["Ada", "Ada_2", "Non fournie", "a_b_#c"]);
}

#[tokio::test(start_paused = true)]
async fn the_house_fills_empty_seats_after_its_wait() {
    let house = Some(house(Duration::from_secs(30)));
    let arena = open(Settings { house, ..settings(4) });
    // Without a player, the wait of the house does not start.
    tokio::time::sleep(Duration::from_secs(300)).await;
    let ada = arena.good_player("Ada").await;
    let (result, waited) = arena.all_is_well([ada]).await;
    let names: Vec<_> = result.players.iter().map(|player| player.name.as_str()).collect();
    assert_eq!(names, ["Ada", "prudent", "prudent_2", "prudent_3"]);
    assert_eq!(tenths(waited), 300);
}

#[tokio::test(start_paused = true)]
async fn the_organiser_starts_with_whoever_is_there() {
    let arena = open(Settings { wait_for_start: true, ..settings(2) });
    arena.start.send(()).await.unwrap();
    let [ada] = arena.good_players().await;
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert!(!ada.is_finished(), "Enter before anybody is there starts nothing");
    arena.start.send(()).await.unwrap();
    let (result, _) = arena.all_is_well([ada]).await;
    assert_eq!(result.players.len(), 1);
}

#[tokio::test(start_paused = true)]
async fn full_seats_wait_for_the_organiser_too() {
    let arena = open(Settings { wait_for_start: true, ..settings(1) });
    let [ada] = arena.good_players().await;
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert!(!ada.is_finished());
    arena.start.send(()).await.unwrap();
    arena.all_is_well([ada]).await;
}

#[tokio::test(start_paused = true)]
async fn stopping_in_the_lobby_says_quit() {
    let arena = open(settings(2));
    let mut ada = arena.register("joueur;Ada").await;
    let mut beamer = arena.register("afficheur;Beamer").await;
    beamer.state().await;
    arena.shutdown.cancel();
    ada.is_closed_after(Some(Message::Quit)).await;
    beamer.is_closed_after(Some(Message::Quit)).await;
    assert_eq!(arena.end().await, EndReason::Interrupted);
}

#[tokio::test(start_paused = true)]
async fn stopping_in_a_game_reports_the_scores_so_far() {
    let settings = Settings { tempo: Duration::from_secs(1), ..settings(2) };
    let mut arena = open(settings);
    let players = arena.good_players::<2>().await;
    tokio::time::sleep(Duration::from_millis(5500)).await;
    arena.shutdown.cancel();
    let result = arena.result().await;
    assert_eq!((result.elapsed, result.total), (5, 20));
    for player in players {
        assert_eq!(player.await.unwrap(), client::ConnectionEnd::Quit);
    }
    assert_eq!(arena.end().await, EndReason::Interrupted);
}
