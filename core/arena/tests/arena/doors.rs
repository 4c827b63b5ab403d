//! Admission: floods of connections, registrations and secrets lock out no other peer.

use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

use arena::hall::{self, Admission, Controls, TeamPresence};
use arena::{Hall, Host, Settings};
use protocol::{Name, Secret};
use tokio::io::AsyncWriteExt;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, timeout};

use crate::harness::{LAPTOP, LOOPBACK, Message, Peer, STRANGER, open, settings, tenths};

/// A flood of connections or registrations from one address; ends on drop.
struct Flood(JoinHandle<()>);

impl Drop for Flood {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Opens `rate` connections a second from `address`, sends `bytes` on each, and never closes one.
fn flood(host: &Host, address: IpAddr, rate: u32, bytes: &'static [u8]) -> Flood {
    let host = host.clone();
    Flood(tokio::spawn(async move {
        let mut interval = tokio::time::interval(Duration::from_secs(1) / rate);
        interval.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Burst);
        let mut open = Vec::new();
        loop {
            interval.tick().await;
            let (ours, mut theirs) = tokio::io::duplex(64);
            let (reader, writer) = tokio::io::split(ours);
            host.connect(reader, writer, address);
            let _ = theirs.write_all(bytes).await;
            open.push(theirs);
        }
    }))
}

/// The floods that a door must withstand: connections per second, and the bytes sent on each. One processor hashes one to two thousand
/// secrets per second, fewer than the last flood brings.
const FLOODS: [(u32, &[u8]); 5] = [
    (140, b"Joueur;bad\0"),
    (1000, b"Joueur;bad\0"),
    (5000, b""),
    (5000, b"joueur;half"),
    (5000, b"joueur;nobody#wrongsecret\0"),
];

/// Waits until a flood with this rate has taken all places that it can get: for twice as many connections as there are
/// places for strangers, and for a second, after which the first wrong secrets are answered.
async fn fill(rate: u32) {
    sleep((Duration::from_secs(2048) / rate).max(Duration::from_secs(1))).await;
}

/// Connects a spectator that needs 100 ms to register. Returns the time until it sees a state; `None` if it is locked
/// out.
async fn spectator_gets_in(host: &Host, address: IpAddr) -> Option<Duration> {
    let start = Instant::now();
    let mut peer = Peer::connect(host, address, 64 * 1024);
    sleep(Duration::from_millis(100)).await;
    peer.send("afficheur;honest").await;
    let message = timeout(Duration::from_secs(2), peer.message()).await.ok()??;
    matches!(message, Message::State(..)).then(|| start.elapsed())
}

#[tokio::test(start_paused = true)]
async fn a_flood_keeps_nobody_out_of_an_arena() {
    for address in [LAPTOP, STRANGER] {
        for (rate, bytes) in FLOODS {
            let arena = open(settings(2));
            let _flood = flood(&arena.host, STRANGER, rate, bytes);
            fill(rate).await;
            let took = spectator_gets_in(&arena.host, address).await;
            let text = String::from_utf8_lossy(bytes);
            assert!(took.is_some(), "{address} does not get in beside {rate} × {text:?} a second");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_local_flood_keeps_nobody_out_of_an_arena() {
    for address in [LAPTOP, LOOPBACK] {
        for (rate, bytes) in FLOODS {
            let arena = open(settings(2));
            let _flood = flood(&arena.host, LOOPBACK, rate, bytes);
            fill(rate).await;
            let took = spectator_gets_in(&arena.host, address).await;
            let text = String::from_utf8_lossy(bytes);
            assert!(took.is_some(), "{address} does not get in beside {rate} × {text:?} a second");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_flood_from_many_addresses_keeps_nobody_out_who_registers_at_once() {
    let arena = open(settings(2));
    let _floods: Vec<_> = (1..=50)
        .map(|host| flood(&arena.host, Ipv4Addr::new(10, 0, 0, host).into(), 100, b""))
        .collect();
    sleep(Duration::from_secs(3)).await;
    assert!(spectator_gets_in(&arena.host, LAPTOP).await.is_some());
}

fn hall(admission: Admission) -> (Controls, JoinHandle<()>) {
    let settings = hall::HallSettings {
        admission,
        max_spectators: 64,
        max_connections: 256,
        pulse: pulse::Pulse::default(),
        gallery: None,
    };
    let (hall, controls) = Hall::new(settings, 42).unwrap();
    (controls, tokio::spawn(hall.run()))
}

fn anybody(max_per_address: usize) -> Admission {
    Admission::Anybody { max_teams: 256, max_per_address, reserved: Vec::new() }
}

async fn register(host: &Host, address: IpAddr, registration: &str) -> Peer {
    let mut peer = Peer::connect(host, address, 1024);
    peer.send(registration).await;
    // The registration arrives before the next one.
    sleep(Duration::from_millis(1)).await;
    peer
}

fn names(hall: &Controls) -> Vec<String> {
    hall.teams().borrow().iter().map(|team| team.name.to_string()).collect()
}

#[tokio::test(start_paused = true)]
async fn a_flood_keeps_nobody_out_of_a_hall() {
    for address in [LAPTOP, LOOPBACK] {
        for (rate, bytes) in FLOODS {
            let (hall, _task) = hall(anybody(16));
            let _flood = flood(&hall.host, LOOPBACK, rate, bytes);
            fill(rate).await;
            let mut peer = Peer::connect(&hall.host, address, 1024);
            sleep(Duration::from_millis(100)).await;
            peer.send("joueur;honest").await;
            let mut teams = hall.teams();
            let is_in = |teams: &Vec<TeamPresence>| {
                teams.iter().any(|team| team.name.to_string() == "honest")
            };
            let got_in = timeout(Duration::from_secs(2), teams.wait_for(is_in)).await;
            let text = String::from_utf8_lossy(bytes);
            assert!(got_in.is_ok(), "{address} does not get in beside {rate} × {text:?} a second");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn one_address_registers_a_limited_number_of_teams() {
    let (hall, _task) = hall(anybody(3));
    let host = &hall.host;
    let mut teams = Vec::new();
    for number in 0..3 {
        teams.push(register(host, STRANGER, &format!("joueur;stranger {number}")).await);
    }
    register(host, STRANGER, "joueur;more").await.is_closed_after(Some(Message::Refused)).await;
    for number in 0..5 {
        teams.push(register(host, LOOPBACK, &format!("joueur;local {number}")).await);
    }
    teams.push(register(host, LAPTOP, "joueur;laptop").await);
    assert_eq!(names(&hall).len(), 3 + 5 + 1, "{:?}", names(&hall));
    // A team that is gone and has never played makes room for another one from its address.
    drop(teams.remove(0));
    sleep(Duration::from_millis(1)).await;
    teams.push(register(host, STRANGER, "joueur;instead").await);
    assert!(names(&hall).contains(&"instead".to_owned()));
    assert!(!names(&hall).contains(&"stranger 0".to_owned()));
    // A team that comes back does not count twice.
    drop(teams.pop());
    sleep(Duration::from_millis(1)).await;
    teams.push(register(host, STRANGER, "joueur;instead").await);
    assert_eq!(names(&hall).len(), 3 + 5 + 1);
}

#[tokio::test(start_paused = true)]
async fn an_ipv6_network_counts_as_one_address() {
    let (hall, _task) = hall(anybody(3));
    let address = |host: u16| IpAddr::from([0x2001, 0xdb8, 0, 1, 0, 0, 0, host]);
    let mut teams = Vec::new();
    for host in 0..3 {
        teams.push(register(&hall.host, address(host), &format!("joueur;{host}")).await);
    }
    let mut more = register(&hall.host, address(3), "joueur;more").await;
    more.is_closed_after(Some(Message::Refused)).await;
    let other = IpAddr::from([0x2001, 0xdb8, 0, 2, 0, 0, 0, 1]);
    teams.push(register(&hall.host, other, "joueur;other").await);
    assert_eq!(names(&hall).len(), 4);
}

#[tokio::test(start_paused = true)]
async fn one_address_takes_a_share_of_the_spectators_places() {
    let arena = open(settings(2));
    let mut watching = Vec::new();
    for _ in 0..16 {
        let mut peer = register(&arena.host, STRANGER, "afficheur;many").await;
        peer.state().await;
        watching.push(peer);
    }
    let mut more = register(&arena.host, STRANGER, "afficheur;more").await;
    more.is_closed_after(Some(Message::Refused)).await;
    for address in [LAPTOP, LOOPBACK] {
        let mut other = register(&arena.host, address, "afficheur;other").await;
        other.state().await;
    }
    watching.pop();
    // The server notices the lost connection at the next send.
    let _player = register(&arena.host, LAPTOP, "joueur;Ada").await;
    sleep(Duration::from_millis(10)).await;
    register(&arena.host, STRANGER, "afficheur;more").await.state().await;
}

#[tokio::test(start_paused = true)]
async fn a_refused_connection_that_stays_open_keeps_nobody_out() {
    let arena = open(Settings { max_connections: 4, ..settings(2) });
    let mut refused = Vec::new();
    for _ in 0..200 {
        refused.push(register(&arena.host, STRANGER, "Joueur;bad").await);
    }
    let start = Instant::now();
    let mut other = register(&arena.host, STRANGER, "afficheur;other").await;
    other.state().await;
    assert_eq!(tenths(start.elapsed()), 0);
}

// Secrets.

/// Teams on a list, with one secret for all.
fn listed(teams: usize) -> Admission {
    let secret = || Secret::new("correcthorse");
    Admission::Listed(
        (0..teams).map(|team| (Name::new(&format!("team {team}")), secret())).collect(),
    )
}

#[tokio::test(start_paused = true)]
async fn wrong_secrets_from_elsewhere_lock_nobody_out() {
    let (hall, _task) = hall(listed(256));
    // Five guesses per address and team are too many.
    let mut strangers = Vec::new();
    for attempt in 0..5 {
        for address in 1..=4 {
            let address = Ipv4Addr::new(10, 0, 0, address).into();
            for team in 0..256 {
                let guess = format!("joueur;team {team}#attempt{attempt}");
                let mut peer = Peer::connect(&hall.host, address, 1024);
                peer.send(&guess).await;
                strangers.push(peer);
            }
        }
        sleep(Duration::from_secs(2)).await;
        strangers.clear();
    }
    for (address, team) in [(LAPTOP, 7), (LOOPBACK, 8)] {
        let registration = format!("joueur;team {team}#correcthorse");
        let _owner = register(&hall.host, address, &registration).await;
        let teams = hall.teams();
        let presence = teams.borrow()[team].presence;
        assert_eq!(presence, hall::Presence::There, "{address} gets in at once");
    }
}

#[tokio::test(start_paused = true)]
async fn a_wrong_secret_is_answered_late_and_the_right_one_at_once() {
    let tempo = Duration::from_secs(1);
    for address in [LOOPBACK, LAPTOP] {
        let arena = open(Settings { tempo, ..settings(2) });
        let _ada = register(&arena.host, address, "joueur;Ada#correcthorse").await;
        let [_good] = arena.good_players().await;
        let start = Instant::now();
        let mut wrong = register(&arena.host, address, "joueur;Ada#wronghorse").await;
        let mut right = register(&arena.host, address, "joueur;Ada#correcthorse").await;
        right.state().await;
        assert_eq!(tenths(start.elapsed()), 0);
        wrong.is_closed_after(Some(Message::Refused)).await;
        assert_eq!(tenths(start.elapsed()), 10);
        // A registration without a secret is no guess.
        let start = Instant::now();
        let mut without = register(&arena.host, address, "joueur;Ada").await;
        without.is_closed_after(Some(Message::Refused)).await;
        assert_eq!(tenths(start.elapsed()), 0);
    }
}

#[tokio::test(start_paused = true)]
async fn a_wrong_secret_is_answered_late_in_a_hall() {
    let (hall, _task) = hall(listed(2));
    let start = Instant::now();
    let mut wrong = register(&hall.host, LOOPBACK, "joueur;team 0#wronghorse").await;
    let _right = register(&hall.host, LOOPBACK, "joueur;team 0#correcthorse").await;
    assert_eq!(hall.teams().borrow()[0].presence, hall::Presence::There);
    assert_eq!(tenths(start.elapsed()), 0);
    wrong.is_closed_after(Some(Message::Refused)).await;
    assert_eq!(tenths(start.elapsed()), 10);
}

/// Guesses the secret of a team for 10 s on `parallel` connections at a time, each closed when answered or after
/// `patience`. Returns the number of secrets judged.
async fn guesses(host: &Host, parallel: u32, patience: Duration) -> usize {
    let end = Instant::now() + Duration::from_secs(10);
    let mut guessing = Vec::new();
    for guesser in 0..parallel {
        let host = host.clone();
        guessing.push(tokio::spawn(async move {
            let mut judged = 0;
            for attempt in 0.. {
                if Instant::now() >= end {
                    break;
                }
                let mut peer = Peer::connect(&host, LOOPBACK, 1024);
                peer.send(&format!("joueur;team 0#attempt{guesser}x{attempt}")).await;
                let answer = timeout(patience, peer.message()).await;
                judged += usize::from(answer == Ok(Some(Message::Refused)));
                // Paused time must advance even if `patience` is zero.
                sleep(Duration::from_millis(1)).await;
            }
            judged
        }));
    }
    let mut judged = 0;
    for guesser in guessing {
        judged += guesser.await.unwrap();
    }
    judged
}

#[tokio::test(start_paused = true)]
async fn secrets_cannot_be_tried_out_quickly_on_this_machine() {
    let (hall, _task) = hall(listed(2));
    let start = Instant::now();
    let answered = guesses(&hall.host, 30, Duration::from_secs(60)).await;
    let most = 8 * (start.elapsed().as_secs() as usize + 1);
    assert!(answered <= most, "{answered} guesses in {:?}", start.elapsed());
    // The owner of another team does not wait.
    let _flood = flood(&hall.host, LOOPBACK, 5000, b"joueur;team 0#wronghorse\0");
    sleep(Duration::from_secs(1)).await;
    let _owner = register(&hall.host, LOOPBACK, "joueur;team 1#correcthorse").await;
    assert_eq!(hall.teams().borrow()[1].presence, hall::Presence::There);
}

#[tokio::test(start_paused = true)]
async fn guessers_that_do_not_wait_for_the_answer_are_no_faster() {
    let (hall, _task) = hall(listed(2));
    // A guesser takes silence for 20 ms as the answer "wrong", and closes the connection.
    let guesser = hall.host.clone();
    let guessing =
        tokio::spawn(async move { guesses(&guesser, 20, Duration::from_millis(20)).await });
    // Some 10 000 secrets are queued and 8 are judged per second.
    sleep(Duration::from_secs(1)).await;
    assert_eq!(hall.teams().borrow()[0].presence, hall::Presence::Gone);
    assert_eq!(guessing.await.unwrap(), 0);
    sleep(Duration::from_secs(1)).await;
    let _owner = register(&hall.host, LOOPBACK, "joueur;team 0#correcthorse").await;
    assert_eq!(hall.teams().borrow()[0].presence, hall::Presence::There);
}
