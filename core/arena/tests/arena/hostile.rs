//! No hostile client harms another client.

use std::time::Duration;

use arena::{EndReason, Settings};
use game::colour::Colour;
use tokio::time::{Instant, sleep};

use crate::harness::{LOOPBACK, Message, open, open_on, points, settings, tenths};
use crate::late::legal;

#[tokio::test(start_paused = true)]
async fn a_silent_client_costs_three_deadlines() {
    let arena = open(settings(3));
    let players = arena.good_players::<2>().await;
    let _silent = arena.register("joueur;silent").await;
    let (result, elapsed) = arena.all_is_well(players).await;
    assert_eq!(tenths(elapsed), 30);
    assert!(points(&result.players[2]) < 0, "missing orders cost points: {result:?}");
}

#[tokio::test(start_paused = true)]
async fn a_slow_client_that_keeps_the_deadline_plays() {
    let arena = open(settings(2));
    let [good] = arena.good_players().await;
    let mut slow = arena.register("joueur;slow").await;
    let states = tokio::spawn(async move {
        let mut last = slow.state().await;
        for _ in 0..20 {
            sleep(Duration::from_millis(900)).await;
            slow.send("NN").await;
            last = slow.state().await;
        }
        last
    });
    arena.all_is_well([good]).await;
    assert_eq!(states.await.unwrap().view.elapsed(), 20, "every state was answered in its turn");
}

#[tokio::test(start_paused = true)]
async fn half_a_frame_is_no_order() {
    let arena = open(settings(2));
    let [good] = arena.good_players().await;
    let mut half = arena.register("joueur;half").await;
    half.state().await;
    half.send_raw(b"N").await;
    let after = half.state().await;
    assert_eq!(after.view.players()[1].false_moves, 2);
    arena.all_is_well([good]).await;
}

#[tokio::test(start_paused = true)]
async fn half_a_registration_is_closed_after_its_time() {
    let arena = open(settings(1));
    let mut half = arena.connect();
    half.send_raw(b"joueur;nobody").await;
    let start = Instant::now();
    half.is_closed_after(None).await;
    assert_eq!(tenths(start.elapsed()), 50);
    let [good] = arena.good_players().await;
    arena.all_is_well([good]).await;
}

#[tokio::test(start_paused = true)]
async fn a_flood_of_orders_counts_once_a_state() {
    let arena = open(settings(2));
    let [good] = arena.good_players().await;
    let mut flood = arena.register("joueur;flood").await;
    let flooding = tokio::spawn(async move {
        for _ in 0..10_000 {
            flood.send_raw(&b"NN\0".repeat(100)).await;
        }
        flood
    });
    let (_, elapsed) = arena.all_is_well([good]).await;
    assert!(tenths(elapsed) <= 30, "no more than three deadlines are missed");
    flooding.abort();
}

#[tokio::test(start_paused = true)]
async fn a_huge_frame_closes_its_connection() {
    let arena = open(settings(2));
    let [good] = arena.good_players().await;
    let mut huge = arena.register("joueur;huge").await;
    huge.state().await;
    huge.send_raw(&vec![b'N'; 2000]).await;
    huge.is_closed_after(None).await;
    arena.all_is_well([good]).await;
}

#[tokio::test(start_paused = true)]
async fn a_huge_registration_closes_its_connection() {
    let arena = open(settings(1));
    let mut huge = arena.connect();
    huge.send(&format!("joueur;{}", "x".repeat(2000))).await;
    huge.is_closed_after(None).await;
    let [good] = arena.good_players().await;
    arena.all_is_well([good]).await;
}

#[tokio::test(start_paused = true)]
async fn orders_that_are_not_utf_8_are_malformed() {
    let arena = open(settings(2));
    let [good] = arena.good_players().await;
    let mut binary = arena.connect();
    binary.send_raw(b"joueur;\xff\xfe\0").await;
    assert_eq!(binary.state().await.names[1], "\u{fffd}\u{fffd}");
    binary.send_raw(b"\xc3\x28\0").await;
    assert_eq!(binary.state().await.view.players()[1].false_moves, 2);
    binary.send("NN").await;
    let (states, last) = binary.answer_all("NN").await;
    assert_eq!((states, last), (19, Some(Message::Quit)));
    arena.all_is_well([good]).await;
}

#[tokio::test(start_paused = true)]
async fn a_player_that_disconnects_leaves_its_pieces() {
    let arena = open(settings(2));
    let [good] = arena.good_players().await;
    let mut gone = arena.register("joueur;gone").await;
    gone.state().await;
    drop(gone);
    let (result, elapsed) = arena.all_is_well([good]).await;
    assert_eq!(tenths(elapsed), 0, "nobody waits for who is not there");
    assert!(points(&result.players[1]) <= -20, "its pieces make false moves: {result:?}");
}

#[tokio::test(start_paused = true)]
async fn the_last_order_before_a_disconnection_counts() {
    let arena = open(settings(2));
    let mut ada = arena.register("joueur;Ada").await;
    let mut bob = arena.register("joueur;Bob").await;
    let (before, _) = (ada.state().await, bob.state().await);
    let place = |reading: &game::pacman::Reading| reading.view.players()[1].pacman;
    let orders = legal(&before.view, Colour::new(1).unwrap()).encode();
    ada.send("NN").await;
    sleep(Duration::from_millis(1)).await;
    bob.send(str::from_utf8(&orders).unwrap()).await;
    drop(bob);
    assert_ne!(place(&ada.state().await), place(&before));
    ada.answer_all("NN").await;
}

#[tokio::test(start_paused = true)]
async fn a_second_registration_is_a_malformed_order() {
    let arena = open(settings(2));
    let [good] = arena.good_players().await;
    let mut twice = arena.register("joueur;twice").await;
    twice.state().await;
    twice.send("joueur;thrice").await;
    let after = twice.state().await;
    assert_eq!(after.names, ["good 1", "twice"]);
    assert_eq!(after.view.players()[1].false_moves, 2);
    arena.all_is_well([good]).await;
}

#[tokio::test(start_paused = true)]
async fn registering_twice_in_the_lobby_changes_nothing() {
    let arena = open(settings(2));
    let mut twice = arena.register("joueur;twice").await;
    twice.send("joueur;thrice").await;
    let [good] = arena.good_players().await;
    let (states, last) = twice.answer_all("NN").await;
    assert_eq!((states, last), (21, Some(Message::Quit)));
    let (result, _) = arena.all_is_well([good]).await;
    assert_eq!(result.players[0].name, "twice");
}

#[tokio::test(start_paused = true)]
async fn registering_as_something_unknown_is_refused() {
    let arena = open(settings(1));
    for unknown in ["spectateur;x", "Joueur;x", "NN", "", "GET / HTTP/1.1\r\n\r\n"] {
        arena.register(unknown).await.is_closed_after(Some(Message::Refused)).await;
    }
    let [good] = arena.good_players().await;
    arena.all_is_well([good]).await;
}

#[tokio::test(start_paused = true)]
async fn of_two_answers_the_first_counts() {
    let arena = open(Settings { turns: 2, ..settings(2) });
    let [good] = arena.good_players().await;
    let mut eager = arena.register("joueur;eager").await;
    eager.state().await;
    // Two malformed orders a turn; the fourth one resets the counter to 0.
    for false_moves in [2, 0] {
        eager.send_raw(b"XX\0NN\0").await;
        assert_eq!(eager.state().await.view.players()[1].false_moves, false_moves);
    }
    drop(eager);
    arena.all_is_well([good]).await;
}

#[tokio::test(start_paused = true)]
async fn a_player_that_never_reads_is_sent_four_states_and_its_seat_is_taken_back() {
    let tempo = Duration::from_millis(1);
    let arena = open(Settings { turns: 9000, tempo, ..settings(2) });
    let [good] = arena.good_players().await;
    let mut deaf = arena.connect_through(LOOPBACK, 100);
    deaf.send("joueur;deaf").await;
    // Three deadlines, then 5000 turns.
    sleep(Duration::from_secs(3 + 5)).await;
    assert!(!good.is_finished());
    let mut back = arena.register("joueur;deaf").await;
    assert!(back.state().await.view.elapsed() > 4000);
    for turn in 0..4 {
        assert_eq!(deaf.state().await.view.elapsed(), turn);
    }
    deaf.is_closed_after(Some(Message::Quit)).await;
    drop(back);
    arena.all_is_well([good]).await;
}

#[tokio::test(start_paused = true)]
async fn idle_connections_make_room_and_registered_ones_do_not() {
    let arena = open(Settings { max_connections: 3, max_spectators: 9, ..settings(1) });
    let mut idle = [arena.connect(), arena.connect(), arena.connect()];
    let mut first = arena.register("afficheur;first").await;
    first.state().await;
    idle[0].is_closed_after(None).await;
    for name in ["afficheur;second", "afficheur;third"] {
        let mut spectator = arena.register(name).await;
        spectator.state().await;
        std::mem::forget(spectator);
    }
    arena.register("joueur;late").await.is_closed_after(None).await;
    drop(first);
    sleep(Duration::from_millis(1)).await;
    let _knocks = arena.register("afficheur;knocks").await;
    // The server notices the lost first connection at the next send.
    arena.shutdown.cancel();
    assert_eq!(arena.end().await, EndReason::Interrupted);
}

#[tokio::test(start_paused = true)]
async fn an_idle_connection_does_not_delay_the_end() {
    let arena = open(settings(1));
    let mut idle = arena.connect();
    sleep(Duration::from_millis(1)).await;
    let start = Instant::now();
    arena.shutdown.cancel();
    assert_eq!(arena.end().await, EndReason::Interrupted);
    assert_eq!(tenths(start.elapsed()), 0);
    idle.is_closed_after(None).await;
}

#[tokio::test(start_paused = true)]
async fn whoever_only_ever_comes_back_costs_a_deadline_and_no_more() {
    let arena = open(Settings { turns: 1000, tempo: Duration::from_millis(10), ..settings(2) });
    let [good] = arena.good_players().await;
    let silent = arena.register("joueur;silent").await;
    sleep(Duration::from_secs(4)).await;
    drop(silent);
    sleep(Duration::from_millis(1)).await;
    // After three missed deadlines and its return, the turn waits once more for the silent player.
    let _silent = arena.register("joueur;silent").await;
    let (_, elapsed) = arena.all_is_well([good]).await;
    // 3 + 1 deadlines and 996 tempos, of which 4 s have passed.
    assert!((98..=102).contains(&tenths(elapsed)), "{elapsed:?}");
}

#[tokio::test(start_paused = true)]
async fn a_deadline_within_a_longer_turn_is_missed_all_the_same() {
    let tempo = Duration::from_secs(3);
    let arena = open(Settings { turns: 6, tempo, ..settings(2) });
    let [good] = arena.good_players().await;
    let _slow = arena.register("joueur;slow").await;
    sleep(Duration::from_millis(9500)).await;
    // After three missed deadlines the player is absent, and its seat can be taken back.
    let mut back = arena.register("joueur;slow").await;
    assert_eq!(back.addressed_state().await.0, "B");
    arena.all_is_well([good]).await;
}

#[tokio::test(start_paused = true)]
async fn when_everybody_is_gone_the_game_ends_with_its_scores() {
    let mut arena = open(settings(2));
    let mut ada = arena.register("joueur;Ada").await;
    let bob = arena.register("joueur;Bob").await;
    ada.state().await;
    drop((ada, bob));
    let start = Instant::now();
    let result = arena.result().await;
    assert_eq!(tenths(start.elapsed()), 30, "three deadlines");
    assert!(result.elapsed < result.total);
    assert_eq!(arena.end().await, EndReason::Finished);
}

#[tokio::test(start_paused = true)]
async fn four_hostile_clients_among_26_players() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../cartes/grand.txt");
    let map = std::fs::read(path).unwrap();
    let map = game::pacman::Map::parse(&map).unwrap();
    let arena = open_on(Settings { turns: 100, ..settings(26) }, map);
    let players = arena.good_players::<22>().await;
    let _silent = arena.register("joueur;silent").await;
    let mut deaf = arena.connect_through(LOOPBACK, 100);
    deaf.send("joueur;deaf").await;
    let mut huge = arena.register("joueur;huge").await;
    let mut flood = arena.register("joueur;flood").await;
    let hostile = tokio::spawn(async move {
        huge.send_raw(&vec![b'x'; 100_000]).await;
        loop {
            flood.send_raw(&b"\xff\xff\0".repeat(1000)).await;
            sleep(Duration::from_millis(1)).await;
        }
    });
    let (result, elapsed) = arena.all_is_well(players).await;
    assert_eq!(result.players.len(), 26);
    assert!(tenths(elapsed) <= 31, "three deadlines, for all of them together: {elapsed:?}");
    hostile.abort();
}
