//! Late orders: the nth message answers the nth state.

use std::time::Duration;

use game::pacman::{Orders, Reading};
use tokio::time::sleep;

use crate::harness::{Peer, Running, open, settings, tenths};

const DEADLINE: Duration = Duration::from_secs(1);

/// A game of two: one that is good, one under the test's control.
async fn game() -> (Running, [tokio::task::JoinHandle<client::End>; 1], Peer) {
    let arena = open(settings(2));
    let players = arena.good_players().await;
    let peer = arena.register("joueur;late").await;
    (arena, players, peer)
}

/// After the next turn. One whose orders do not come makes two false moves.
async fn false_moves(peer: &mut Peer) -> i32 {
    counted(&peer.state().await)
}

#[tokio::test(start_paused = true)]
async fn an_answer_after_the_deadline_is_dropped() {
    let (arena, players, mut late) = game().await;
    false_moves(&mut late).await;
    // The first state is not answered in time, and then answered twice over.
    assert_eq!(false_moves(&mut late).await, 2);
    late.send("XX").await;
    late.send("XX").await;
    assert_eq!(false_moves(&mut late).await, 0, "one of both counts, for the second state");
    late.send("joueur;malformed").await;
    assert_eq!(false_moves(&mut late).await, 2, "the third message answers the third state");
    arena.all_is_well(players).await;
}

#[tokio::test(start_paused = true)]
async fn a_client_that_skips_a_state_counts_again_after_three_turns() {
    let arena = open(server::Settings { tempo: DEADLINE / 2, ..settings(2) });
    let players = arena.good_players::<1>().await;
    let mut late = arena.register("joueur;late").await;
    // It never answers the first state, and its answers to the next three come a turn too late.
    late.state().await;
    let mut now = late.state().await;
    for _ in 0..3 {
        let before = counted(&now);
        late.send(&legal_orders(&now)).await;
        now = late.state().await;
        assert_ne!(counted(&now), before, "the order was late");
    }
    // From then on they count.
    for _ in 0..5 {
        let before = counted(&now);
        late.send(&legal_orders(&now)).await;
        now = late.state().await;
        assert_eq!(counted(&now), before, "the order was in time");
    }
    arena.all_is_well(players).await;
}

fn counted(reading: &Reading) -> i32 {
    reading.view.players()[1].false_moves
}

/// Orders that make no false move.
fn legal_orders(Reading { view, .. }: &Reading) -> String {
    let player = view.players()[1];
    let exit = |cell| view.board().exits(cell).first().copied();
    let orders = Orders { pacman: exit(player.pacman), ghost: exit(player.ghost) };
    String::from_utf8(orders.to_text().to_vec()).unwrap()
}

#[tokio::test(start_paused = true)]
async fn a_seat_that_answers_again_is_waited_for_again() {
    let arena = open(server::Settings { tempo: DEADLINE / 2, ..settings(2) });
    let players = arena.good_players::<1>().await;
    let mut sleepy = arena.register("joueur;sleepy").await;
    sleepy.state().await;
    // Four turns without an answer: three deadlines of a second, then the tempo of half a second.
    let start = tokio::time::Instant::now();
    for _ in 0..4 {
        sleepy.state().await;
    }
    assert_eq!(tenths(start.elapsed()), 35);
    // It catches up, and answers the current state in time.
    for _ in 0..5 {
        sleepy.send("NN").await;
    }
    sleepy.state().await;
    let start = tokio::time::Instant::now();
    sleep(DEADLINE * 9 / 10).await;
    sleepy.send("NN").await;
    sleepy.state().await;
    assert_eq!(tenths(start.elapsed()), 9, "the turn has waited for its answer");
    arena.all_is_well(players).await;
}
