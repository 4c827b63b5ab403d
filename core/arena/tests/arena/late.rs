//! Late orders: players that fall behind, catch up, or skip states.

use std::time::Duration;

use arena::{GameResult, Settings};
use client::{ClientPacman, Reply, Seen, Thinker};
use game::colour::Colour;
use game::pacman::{Orders, Reading, Rules, View};
use protocol::Registration;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep};

use crate::harness::{LOOPBACK, Peer, Running, connect, open, settings, tenths};

const DEADLINE: Duration = Duration::from_secs(1);

/// A game of two: a good player, and a peer under the test's control.
async fn game() -> (Running, [JoinHandle<client::ConnectionEnd>; 1], Peer) {
    let arena = open(settings(2));
    let players = arena.good_players().await;
    let peer = arena.register("joueur;late").await;
    (arena, players, peer)
}

/// The peer's count of false moves in the next state. A turn without orders adds two.
async fn false_moves(peer: &mut Peer) -> i32 {
    counted(&peer.state().await)
}

fn counted(reading: &Reading) -> i32 {
    reading.view.players()[1].false_moves
}

/// Orders that make no false move.
pub(crate) fn legal(view: &View, me: Colour) -> Orders {
    let player = view.players()[me.index()];
    let exit = |cell| view.board().exits(cell).first().copied();
    Orders { pacman: exit(player.pacman), ghost: exit(player.ghost) }
}

/// A bot that thinks for `usually`, but for `hiccup` at its third decision.
struct LateBot {
    usually: Duration,
    hiccup: Duration,
    decisions: u32,
}

impl Thinker<ClientPacman> for LateBot {
    async fn answer(&mut self, _: &ClientPacman, seen: Seen<'_, View>) -> Reply<Orders> {
        self.decisions += 1;
        sleep(if self.decisions == 3 { self.hiccup } else { self.usually }).await;
        Reply { answer: legal(seen.state, seen.me), thought: None }
    }
}

async fn thinker(arena: &Running, name: &str, usually: Duration, hiccup: Duration) {
    let stream = connect(&arena.host, LOOPBACK, 64 * 1024);
    let registration = Registration::decode(format!("joueur;{name}").as_bytes()).unwrap();
    tokio::spawn(async move {
        let mind = LateBot { usually, hiccup, decisions: 0 };
        client::play(stream, &registration, ClientPacman::new(Rules::SUJET), mind, |_| {})
            .await
            .unwrap()
    });
    sleep(Duration::from_millis(1)).await;
}

/// A game of two bots that think for `usually` at each decision, and one of them once for `hiccup`.
async fn with_hiccup(settings: Settings, usually: Duration, hiccup: Duration) -> GameResult {
    let mut arena = open(settings);
    thinker(&arena, "rival", usually, usually).await;
    thinker(&arena, "late", usually, hiccup).await;
    arena.result().await
}

#[tokio::test(start_paused = true)]
async fn an_answer_after_the_deadline_is_dropped() {
    let (arena, players, mut late) = game().await;
    false_moves(&mut late).await;
    // The first state is not answered in time; then two answers arrive.
    assert_eq!(false_moves(&mut late).await, 2);
    late.send("XX").await;
    late.send("XX").await;
    assert_eq!(false_moves(&mut late).await, 0, "one of both counts, for the second state");
    late.send("joueur;malformed").await;
    assert_eq!(false_moves(&mut late).await, 2, "the third message answers the third state");
    arena.all_is_well(players).await;
}

#[tokio::test(start_paused = true)]
async fn one_hiccup_costs_its_own_turns_and_no_others() {
    for (hiccup, misses) in [(900, 0), (1200, 1), (1600, 1), (2500, 2), (2999, 2)] {
        let hiccup = Duration::from_millis(hiccup);
        let result = with_hiccup(settings(2), DEADLINE * 3 / 4, hiccup).await;
        let [rival, late] = &result.players[..] else { panic!("{result:?}") };
        assert_eq!(rival.thinking.missed(), 0, "{hiccup:?}");
        let thinking = late.thinking;
        assert_eq!((thinking.misses.bot, thinking.missed()), (misses, misses), "{hiccup:?}");
        // The thinking times count from the state answered: no answer was attributed to an older state.
        let longest = if misses == 0 { hiccup } else { DEADLINE * 3 / 4 };
        assert_eq!(thinking.longest.as_millis() / 10, longest.as_millis() / 10, "{hiccup:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_absent_bot_comes_back_among_fast_rivals() {
    let settings = Settings { turns: 2000, ..settings(2) };
    let (fast, hiccup) = (Duration::from_millis(5), Duration::from_millis(3300));
    let result = with_hiccup(settings, fast, hiccup).await;
    let thinking = result.players[1].thinking;
    // The bot misses three turns of a deadline each, then the rival's fast turns of 0.3 s.
    assert!((50..80).contains(&thinking.missed()), "{thinking:?}");
    assert_eq!(thinking.missed() + thinking.answers + 1, 2000);
}

#[tokio::test(start_paused = true)]
async fn a_client_that_skips_states_counts_again_after_its_silence() {
    let (arena, players, mut late) = game().await;
    late.state().await;
    let second = late.state().await;
    // The client skipped the first state, and answers only the newest state from now on.
    let orders = String::from_utf8(legal(&second.view, Colour::new(1).unwrap()).encode().to_vec());
    let start = Instant::now();
    late.send(&orders.unwrap()).await;
    let mut now = late.state().await;
    assert_eq!(tenths(start.elapsed()), 20, "two deadlines of silence");
    assert_eq!(counted(&now), counted(&second), "its last message counts");
    for _ in 0..10 {
        let before = counted(&now);
        let orders = legal(&now.view, Colour::new(1).unwrap()).encode();
        late.send(str::from_utf8(&orders).unwrap()).await;
        now = late.state().await;
        assert_eq!(counted(&now), before, "every order is in time");
    }
    arena.all_is_well(players).await;
}

#[tokio::test(start_paused = true)]
async fn a_silent_seat_is_sent_four_states_and_waited_for_when_it_speaks_again() {
    let arena = open(Settings { turns: 100, tempo: DEADLINE / 2, ..settings(2) });
    let players = arena.good_players::<1>().await;
    let mut sleepy = arena.register("joueur;sleepy").await;
    let start = Instant::now();
    for turn in 0..4 {
        assert_eq!(sleepy.state().await.view.elapsed(), turn);
    }
    assert_eq!(tenths(start.elapsed()), 30, "three deadlines");
    sleep(10 * DEADLINE + DEADLINE / 10).await;
    // The message pays the oldest debt; then the newest state is sent, never the states between.
    sleepy.send("NN").await;
    let newest = sleepy.state().await.view.elapsed();
    assert_eq!(newest, 23, "twenty turns of half a second later");
    // The turn waits for the seat while it catches up.
    for _ in 0..3 {
        sleep(DEADLINE * 9 / 10).await;
        sleepy.send("NN").await;
    }
    sleep(DEADLINE * 9 / 10).await;
    sleepy.send("NN").await;
    assert_eq!(sleepy.state().await.view.elapsed(), newest + 1);
    let start = Instant::now();
    sleep(DEADLINE * 9 / 10).await;
    sleepy.send("NN").await;
    sleepy.state().await;
    assert_eq!(tenths(start.elapsed()), 9, "it is waited for again");
    arena.all_is_well(players).await;
}

#[tokio::test(start_paused = true)]
async fn one_who_speaks_in_the_third_deserted_turn_saves_the_game() {
    let mut arena = open(settings(2));
    let mut ada = arena.register("joueur;Ada").await;
    let _bob = arena.register("joueur;Bob").await;
    for _ in 0..4 {
        ada.state().await;
    }
    // Both players are absent after the third deadline; then two and a half more deadlines pass.
    sleep(DEADLINE * 5 / 2).await;
    for _ in 0..4 {
        ada.send("NN").await;
    }
    let last = ada.answer_all("NN").await.1;
    assert_eq!(last, Some(crate::harness::Message::Quit));
    let result = arena.result().await;
    assert_eq!(result.elapsed, result.total);
}
