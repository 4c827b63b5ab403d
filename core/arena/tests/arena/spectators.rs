//! Spectators see everything and harm nobody.

use std::time::Duration;

use arena::Settings;
use tokio::time::Instant;

use crate::harness::{LOOPBACK, Message, open, open_on, settings, tenths};

#[tokio::test(start_paused = true)]
async fn the_lobby_is_seen_as_the_start_of_the_game() {
    let arena = open(settings(2));
    let mut beamer = arena.register("afficheur;Beamer").await;
    let (id, nobody) = beamer.addressed_state().await;
    assert_eq!((id.as_str(), nobody.view.players().len()), ("1", 0));
    let ada = arena.register("joueur;Ada").await;
    assert_eq!(beamer.state().await.names, ["Ada"]);
    drop(ada);
    assert_eq!(beamer.state().await.view.players().len(), 0);
    let mut bob = arena.register("joueur;Bob").await;
    let alone = beamer.state().await;
    let mut eve = arena.register("joueur;Eve").await;
    let both = beamer.state().await;
    assert_eq!(both.view.players()[0], alone.view.players()[0], "drawn from the same stream");
    assert_eq!(bob.state().await.view, both.view);
    assert_eq!(eve.state().await.view, both.view);
    let mut second = arena.register("afficheur;Second").await;
    assert_eq!(second.addressed_state().await.0, "2");
}

#[tokio::test(start_paused = true)]
async fn every_step_of_a_turn_is_seen() {
    let arena = open(settings(2));
    let mut beamer = arena.register("afficheur;Beamer").await;
    let players = arena.good_players::<2>().await;
    // Four states: no players, the first player, both players, the start of the game.
    for _ in 0..4 {
        beamer.state().await;
    }
    let mut seen = Vec::new();
    loop {
        match beamer.message().await {
            Some(Message::State(_, reading)) => seen.push(reading.view.elapsed()),
            other => {
                assert_eq!(other, Some(Message::Quit));
                break;
            }
        }
    }
    // Intermediate states have the old number of turns, the new state the new one.
    let turn = |turn: u32| [turn - 1, turn - 1, turn - 1, turn - 1, turn];
    assert_eq!(seen, (1..=20).flat_map(turn).collect::<Vec<_>>());
    arena.all_is_well(players).await;
}

#[tokio::test(start_paused = true)]
async fn with_a_tempo_the_steps_are_spread_over_the_turn() {
    let arena = open(Settings { tempo: Duration::from_secs(1), turns: 3, ..settings(2) });
    let players = arena.good_players::<1>().await;
    let mut beamer = arena.register("afficheur;Beamer").await;
    let mut ada = arena.register("joueur;Ada").await;
    ada.state().await;
    let start = Instant::now();
    ada.send("NN").await;
    ada.state().await;
    assert_eq!(tenths(start.elapsed()), 10);
    while beamer.state().await.view.players().len() < 2 {}
    let mut times = Vec::new();
    for _ in 0..6 {
        beamer.state().await;
        times.push(tenths(start.elapsed()));
    }
    // The start, then five states at intervals of 0.2 s.
    assert_eq!(times[1..], [10, 12, 14, 16, 18]);
    drop(ada);
    arena.all_is_well(players).await;
}

#[tokio::test(start_paused = true)]
async fn one_who_comes_in_the_game_sees_the_current_state() {
    let arena = open(Settings { tempo: Duration::from_secs(1), ..settings(2) });
    let players = arena.good_players::<2>().await;
    tokio::time::sleep(Duration::from_millis(3500)).await;
    let mut late = arena.register("afficheur;Late").await;
    assert_eq!(late.state().await.view.elapsed(), 3);
    arena.all_is_well(players).await;
}

#[tokio::test(start_paused = true)]
async fn one_who_does_not_read_skips_states_and_stops_nothing() {
    let arena = open(Settings { turns: 500, ..settings(2) });
    let mut deaf = arena.connect_through(LOOPBACK, 100);
    deaf.send("afficheur;deaf").await;
    let mut talker = arena.register("afficheur;talker").await;
    let talking = tokio::spawn(async move { talker.answer_all("this is read and dropped").await });
    let players = arena.good_players::<2>().await;
    arena.all_is_well(players).await;
    let (states, last) = talking.await.unwrap();
    assert_eq!((states, last), (4 + 500 * 5, Some(Message::Quit)));
}

#[tokio::test(start_paused = true)]
async fn every_game_of_a_series_is_seen_once_from_its_start() {
    let arena = open(Settings { games: 2, ..settings(1) });
    let mut beamer = arena.register("afficheur;Beamer").await;
    let player = arena.good_player("Ada").await;
    // No players, the player, and in each game the start and three states a turn.
    let (states, last) = beamer.answer_all("dropped").await;
    assert_eq!((states, last), (2 + 2 * (1 + 3 * 20), Some(Message::Quit)));
    assert_eq!(player.await.unwrap(), client::ConnectionEnd::Quit);
}

#[tokio::test(start_paused = true)]
async fn time_never_runs_backwards() {
    let arena = open(Settings { tempo: Duration::from_secs(1), turns: 6, ..settings(2) });
    let _first = arena.register("afficheur;First").await;
    let players = arena.good_players::<2>().await;
    tokio::time::sleep(Duration::from_millis(3300)).await;
    let mut late = arena.register("afficheur;Late").await;
    let mut last = 0;
    while let Some(Message::State(_, reading)) = late.message().await {
        assert!(reading.view.elapsed() >= last, "{last}, then {}", reading.view.elapsed());
        last = reading.view.elapsed();
    }
    assert_eq!(last, 6);
    arena.all_is_well(players).await;
}

#[tokio::test(start_paused = true)]
async fn the_final_state_is_seen_on_the_largest_map_too() {
    let row = format!("{}#\n", " ".repeat(499));
    let map = game::pacman::Map::parse(format!("500;500\n{}", row.repeat(500)).as_bytes());
    let arena = open_on(Settings { turns: 5, ..settings(4) }, map.unwrap());
    let mut beamer = arena.register("afficheur;Beamer").await;
    let watching = tokio::spawn(async move {
        let mut last = 0;
        while let Some(Message::State(_, reading)) = beamer.message().await {
            last = reading.view.elapsed();
        }
        last
    });
    let players = arena.good_players::<4>().await;
    arena.all_is_well(players).await;
    assert_eq!(watching.await.unwrap(), 5);
}

/// A burst of more states than the allowance permits; then the player thinks, and the newest state is shown.
#[tokio::test(start_paused = true)]
async fn after_a_burst_that_is_not_shown_whole_the_newest_state_is() {
    const BURST: u32 = 200;
    let row = format!("{}#\n", " ".repeat(199));
    let map = game::pacman::Map::parse(format!("200;200\n{}", row.repeat(200)).as_bytes());
    let arena = open_on(Settings { turns: 2 * BURST, ..settings(1) }, map.unwrap());
    let mut beamer = arena.register("afficheur;Beamer").await;
    let mut ada = arena.register("joueur;Ada").await;
    let watching = tokio::spawn(async move {
        let mut seen = Vec::new();
        while seen.last() != Some(&BURST) {
            seen.push(beamer.state().await.view.elapsed());
        }
        (seen, Instant::now())
    });
    for _ in 0..BURST {
        ada.state().await;
        ada.send("NN").await;
    }
    let quiet = Instant::now();
    let (seen, shown) = watching.await.unwrap();
    assert!(seen.is_sorted());
    assert!(seen.len() < BURST as usize, "{} states were shown", seen.len());
    assert!(shown - quiet < settings(1).deadline / 2, "{:?}", shown - quiet);
}

#[tokio::test(start_paused = true)]
async fn one_that_stops_writing_goes_on_seeing() {
    let arena = open(settings(1));
    let mut beamer = arena.register("afficheur;Beamer").await;
    beamer.stop_writing().await;
    let players = arena.good_players::<1>().await;
    let (mut states, mut last) = (0, None);
    while let Some(message) = beamer.message().await {
        states += u32::from(matches!(message, Message::State(..)));
        last = Some(message);
    }
    assert_eq!((states, last), (3 + 20 * 3, Some(Message::Quit)));
    arena.all_is_well(players).await;
}

#[tokio::test(start_paused = true)]
async fn there_is_a_limit_and_those_who_leave_make_room() {
    let tempo = Duration::from_millis(100);
    let arena = open(Settings { max_spectators: 1, tempo, ..settings(2) });
    let mut first = arena.register("afficheur;first").await;
    first.state().await;
    arena.register("afficheur;second").await.is_closed_after(Some(Message::Refused)).await;
    drop(first);
    // The server notices the lost connection at the next send.
    let players = arena.good_players::<2>().await;
    tokio::time::sleep(Duration::from_millis(1)).await;
    let mut third = arena.register("afficheur;third").await;
    let last = third.answer_all("dropped").await.1;
    assert!(matches!(last, Some(Message::Quit)), "{last:?}");
    arena.all_is_well(players).await;
}

#[tokio::test(start_paused = true)]
async fn a_game_that_is_stopped_shows_its_last_state_all_the_same() {
    let tempo = Duration::from_secs(10);
    let mut arena = open(Settings { tempo, ..settings(2) });
    let mut beamer = arena.register("afficheur;Beamer").await;
    let players = arena.good_players::<2>().await;
    // Three turns were played, and the states of the third one are spread over the following 10 s.
    tokio::time::sleep(Duration::from_millis(30_500)).await;
    arena.shutdown.cancel();
    assert_eq!(arena.result().await.elapsed, 3);
    let mut last = None;
    while let Some(Message::State(_, reading)) = beamer.message().await {
        last = Some(reading.view.elapsed());
    }
    assert_eq!(last, Some(3));
    for player in players {
        assert_eq!(player.await.unwrap(), client::ConnectionEnd::Quit);
    }
}
