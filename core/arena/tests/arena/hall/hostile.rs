//! No hostile team harms another team, at its table or elsewhere.

use std::time::Duration;

use arena::hall::{GameRequest, HallSettings};
use tokio::time::{Instant, sleep};

use super::{ended, names, open, open_with, settings, slow, table};
use crate::harness::{LOOPBACK, Message, Peer, tenths};

#[tokio::test(start_paused = true)]
async fn a_flood_ends_in_its_own_connection() {
    let hall = open();
    let good = [hall.good_player("good 1").await, hall.good_player("good 2").await];
    let mut flood = hall.register("joueur;flood").await;
    let flooding = tokio::spawn(async move {
        for _ in 0..2000 {
            flood.send_raw(&b"NN\0".repeat(100)).await;
        }
        flood
    });
    let start = Instant::now();
    let playing = hall.play(table([0, 2])).await;
    names(&hall.played(table([1])).await);
    assert_eq!(tenths(start.elapsed()), 0);
    names(&ended(playing).await);
    // The flood continues between the team's games.
    sleep(Duration::from_secs(60)).await;
    names(&hall.played(table([2, 1, 0])).await);
    drop(flooding.await);
    hall.close(good).await;
}

#[tokio::test(start_paused = true)]
async fn a_broken_frame_closes_its_connection_during_and_between_games() {
    let hall = open();
    let good = hall.good_player("good").await;
    for round in 0..2 {
        let mut huge = hall.register("joueur;huge").await;
        huge.send_raw(&[b'N'; 2000]).await;
        huge.is_closed_after(None).await;
        sleep(Duration::from_millis(1)).await;
        assert_eq!(hall.teams(), "good there, huge gone", "round {round}");
        let mut huge = hall.register("joueur;huge").await;
        let playing = hall.play(table([0, 1])).await;
        huge.state().await;
        huge.send_raw(&[b'N'; 2000]).await;
        huge.is_closed_after(None).await;
        names(&ended(playing).await);
    }
    hall.close([good]).await;
}

#[tokio::test(start_paused = true)]
async fn a_team_that_never_reads_is_silent_and_may_come_back() {
    let hall = open();
    let good = hall.good_player("good").await;
    let mut deaf = Peer::connect(&hall.controls.host, LOOPBACK, 100);
    deaf.send("joueur;deaf").await;
    sleep(Duration::from_millis(1)).await;
    for _ in 0..5 {
        names(&hall.played(GameRequest { turns: 1000, ..table([0, 1]) }).await);
    }
    assert_eq!(hall.teams(), "good there, deaf silent");
    let back = hall.good_player("deaf").await;
    let start = Instant::now();
    names(&hall.played(table([0, 1])).await);
    assert_eq!(tenths(start.elapsed()), 0);
    hall.close([good, back]).await;
}

#[tokio::test(start_paused = true)]
async fn whoever_only_ever_comes_back_costs_a_deadline_and_no_more() {
    let hall = open();
    let good = hall.good_player("good").await;
    let mut silent = hall.register("joueur;silent").await;
    let tempo = Duration::from_millis(100);
    let playing = hall.play(GameRequest { turns: 100, tempo, ..table([0, 1]) }).await;
    let start = Instant::now();
    for back in 1..=3 {
        sleep(Duration::from_millis(3500)).await;
        drop(silent);
        sleep(Duration::from_millis(1)).await;
        silent = hall.register("joueur;silent").await;
        assert!(tenths(start.elapsed()) == 35 * back);
    }
    names(&ended(playing).await);
    // 100 turns and the display of the last one, at the tempo; 3 + 3 turns took a deadline instead.
    assert_eq!(tenths(start.elapsed()), 101 + 6 * 9);
    drop(silent);
    hall.close([good]).await;
}

#[tokio::test(start_paused = true)]
async fn those_who_do_not_register_make_room() {
    let hall = open_with(HallSettings { max_connections: 2, ..settings() });
    let connect = || Peer::connect(&hall.controls.host, LOOPBACK, 1024);
    let (mut first, _second) = (connect(), connect());
    let good = hall.good_player("good").await;
    first.is_closed_after(None).await;
    let playing = hall.play(slow([0])).await;
    let crowd: Vec<_> = (0..1000).map(|_| connect()).collect();
    names(&ended(playing).await);
    drop(crowd);
    hall.close([good]).await;
}

#[tokio::test(start_paused = true)]
async fn anything_but_a_registration_is_refused() {
    let hall = open();
    for unknown in ["spectateur;x", "NN", "", "GET / HTTP/1.1\r\n\r\n"] {
        hall.register(unknown).await.is_closed_after(Some(Message::Refused)).await;
    }
    assert_eq!(hall.teams(), "");
    hall.close([]).await;
}
