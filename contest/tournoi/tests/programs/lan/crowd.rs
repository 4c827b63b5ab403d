//! A room full of teams, of which one in ten does everything wrong that can go wrong.

use std::collections::BTreeMap;
use std::time::{Duration, Instant, SystemTime};

use plan::{FaultKind, Outcome};
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::{sleep, timeout};

use super::process::Lan;
use super::teams;
use super::wire::{Heard, Wire};
use crate::{Folder, MAP};

const TEAMS: usize = 64;
const TABLES: usize = 16;
const TURNS: u32 = 20;
const ROUNDS: usize = 2;
/// Long enough that nobody who answers at once is ever late, also on a busy machine.
const DEADLINE: Duration = Duration::from_millis(1500);
/// A game that this machine has spoilt is played at most so often.
const ATTEMPTS: u32 = 3;
/// Deadlines, counted from the first state that a team leaves without an answer, after which it has missed one in a game
/// that counts: three in each attempt, as much again for pauses between attempts and for stalls of the machine.
const TIMES: u32 = 6 * ATTEMPTS;

/// Trouble with a team.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Trouble {
    /// Reads, but answers no more from some turn on; comes back after a few games.
    Silent,
    /// Answers after the deadline; comes back after a few games.
    Slow,
    /// Neither reads nor answers nor closes; is gone for good in the end.
    HalfOpen,
    /// Registers byte by byte, and sends orders that are none, and empty ones.
    Malformed,
    /// Sends more messages than anybody has asked for.
    Flood,
    /// Closes in the middle of a message in every game, and comes back.
    Leaves,
    /// Sends a message that is too long in every game, and comes back twice.
    Overlong,
}

impl Trouble {
    const ALL: [Self; 7] = [
        Self::Silent,
        Self::Slow,
        Self::HalfOpen,
        Self::Malformed,
        Self::Flood,
        Self::Leaves,
        Self::Overlong,
    ];

    /// Faults for which it may be blamed.
    fn blame(self) -> &'static [FaultKind] {
        use FaultKind::{Disconnected, TimedOut};
        match self {
            Self::Silent | Self::Slow | Self::HalfOpen => &[TimedOut, Disconnected],
            Self::Leaves | Self::Overlong => &[Disconnected],
            Self::Malformed | Self::Flood => &[],
        }
    }

    /// Fault for which it is blamed at least once.
    fn certain(self) -> Option<FaultKind> {
        match self {
            Self::Silent | Self::HalfOpen => Some(FaultKind::TimedOut),
            // One that is slow is waited for, so it leaves in the middle of its first game.
            Self::Slow | Self::Leaves | Self::Overlong => Some(FaultKind::Disconnected),
            Self::Malformed | Self::Flood => None,
        }
    }

    fn name(self) -> String {
        format!("{self:?}")
    }

    /// Plays in its own way, until it is over.
    async fn play(self, port: u16, mut wire: Wire) {
        match self {
            Self::Silent => {
                let mut plays = wire.plays_until(TURNS / 2).await;
                let silent = async {
                    while plays {
                        while !matches!(wire.hears().await, Heard::State(TURNS, _)) {}
                        plays = wire.plays_until(TURNS / 2).await;
                    }
                };
                let _ = timeout(DEADLINE * TIMES, silent).await;
                self.come_back(port, wire).await;
            }
            Self::Slow => {
                let mut heard = wire.hears().await;
                let late = async {
                    while let Heard::State(..) = heard {
                        sleep(DEADLINE + DEADLINE / 10).await;
                        wire.answer().await;
                        heard = wire.hears().await;
                    }
                };
                let _ = timeout(DEADLINE * TIMES, late).await;
                self.come_back(port, wire).await;
            }
            Self::HalfOpen => {
                assert!(wire.hears().await.begins());
                sleep(DEADLINE * TIMES).await;
            }
            Self::Malformed => {
                let orders = ["\0", "x\0", "NX\0", "nseo\0", "\u{1F600}\0", "N\0"].iter().cycle();
                for order in orders {
                    match wire.hears().await {
                        Heard::State(..) => wire.send(order.as_bytes()).await,
                        _ => return,
                    }
                }
            }
            Self::Flood => {
                while let Heard::State(..) = wire.hears().await {
                    wire.send(&b"NS\0".repeat(500)).await;
                }
            }
            Self::Leaves => loop {
                if !wire.plays_until(TURNS / 2).await {
                    return;
                }
                wire.send(b"joueur;cut").await;
                drop(wire);
                sleep(Duration::from_millis(100)).await;
                wire = match Wire::come_back(port, &self.name()).await {
                    Some(wire) => wire,
                    None => return,
                };
            },
            Self::Overlong => {
                for _ in 0..ATTEMPTS {
                    if !wire.plays_until(TURNS / 4).await {
                        return;
                    }
                    wire.send(&[b'N'; 4096]).await;
                    while let Heard::State(..) = wire.hears().await {}
                    wire = match Wire::come_back(port, &self.name()).await {
                        Some(wire) => wire,
                        None => return,
                    };
                }
            }
        }
    }

    /// Closes, and comes back as a good player.
    async fn come_back(self, port: u16, wire: Wire) {
        drop(wire);
        if let Some(wire) = Wire::come_back(port, &self.name()).await {
            wire.play().await;
        }
    }
}

impl Wire {
    /// Plays well until turn `turn` of a game; `false` when it is all over before.
    async fn plays_until(&mut self, turn: u32) -> bool {
        loop {
            match self.hears().await {
                Heard::State(elapsed, _) if elapsed == turn => return true,
                Heard::State(..) => self.answer().await,
                _ => return false,
            }
        }
    }
}

/// Connects people who are no team.
fn strangers(port: u16) -> JoinSet<()> {
    let mut strangers = JoinSet::new();
    strangers.spawn(async move {
        assert_eq!(Wire::connect(port).await.hears().await, Heard::Closed, "says nothing");
    });
    for junk in ["hello", "joueur", "JOUEUR;Eve", "", "joueur;\u{0}joueur;"] {
        strangers.spawn(async move {
            let mut wire = Wire::connect(port).await;
            wire.send(b"\xff;").await;
            wire.send(junk.as_bytes()).await;
            wire.send(b"\0").await;
            assert_eq!(wire.hears().await, Heard::Refused, "{junk}");
        });
    }
    strangers.spawn(async move {
        let mut wire = Wire::connect(port).await;
        wire.send(b"joueur;Half").await;
    });
    strangers.spawn(async move {
        let mut wire = Wire::connect(port).await;
        wire.send(&[b'j'; 8192]).await;
        assert_eq!(wire.hears().await, Heard::Closed, "too long");
    });
    strangers
}

/// Most games that were played at the same time. Results have the start of a game in whole milliseconds, rounded down: a
/// game that ends within a millisecond after the start of another one may have ended before it.
fn at_once(outcomes: &[Outcome]) -> usize {
    const PRECISION: Duration = Duration::from_millis(1);
    let at = |moment: SystemTime| {
        let is_played =
            |game: &&Outcome| game.began <= moment && moment + PRECISION <= game.began + game.took;
        outcomes.iter().filter(is_played).count()
    };
    outcomes.iter().map(|game| at(game.began)).max().unwrap_or(0)
}

/// The kinds of faults of a team, and in how many games.
fn blamed(outcomes: &[Outcome], team: &str) -> BTreeMap<FaultKind, usize> {
    let seats = outcomes.iter().flat_map(|game| &game.seats).filter(|seat| seat.team == team);
    let mut kinds = BTreeMap::new();
    for fault in seats.filter_map(|seat| seat.fault.as_ref()) {
        *kinds.entry(fault.kind).or_default() += 1;
    }
    kinds
}

#[tokio::test]
async fn sixty_four_teams_play_at_sixteen_tables_whatever_one_in_ten_does() {
    let start = Instant::now();
    let folder = Folder::new();
    let [turns, rounds, teams_wanted] = [TURNS as usize, ROUNDS, TEAMS].map(|n| n.to_string());
    let deadline = format!("{}ms", DEADLINE.as_millis());
    let parallel = TABLES.to_string();
    let mut lan = Lan::start(
        &folder,
        &[
            &["--carte", MAP, "--formule", "suisse", "--duree", &turns, "--manches", &rounds][..],
            &["--delai", &deadline, "--parallele", &parallel, "--tempo", "20ms"],
            &["--absence", "1s", "--commencer-a", &teams_wanted],
        ]
        .concat(),
    )
    .await;
    let port = lan.port;
    let mut strangers = strangers(port);

    let mut bad = JoinSet::new();
    for trouble in Trouble::ALL {
        let mut wire = Wire::connect(port).await;
        for byte in format!("joueur;{}\0", trouble.name()).bytes() {
            wire.send(&[byte]).await;
        }
        bad.spawn(trouble.play(port, wire));
    }
    let good: Vec<(String, JoinHandle<_>)> = (Trouble::ALL.len()..TEAMS)
        .map(|number| {
            let name = format!("team {number}");
            let own = name.clone();
            (name, tokio::spawn(async move { Wire::register(port, &own).await.play().await }))
        })
        .collect();
    lan.says("they play").await;
    lan.ends_well().await;

    let outcomes = folder.outcomes("tournoi.sqlite");
    assert_eq!(
        outcomes.len(),
        ROUNDS * TEAMS,
        "each team has four games a round, with three others"
    );
    assert!(outcomes.iter().all(|game| game.elapsed == TURNS && game.seats.len() == 4));
    assert_eq!(teams(&folder).len(), TEAMS);
    assert_eq!(at_once(&outcomes), TABLES);
    for (name, player) in good {
        let (games, last) = player.await.unwrap();
        assert!(games as usize >= 4 * ROUNDS, "{name}: {games}");
        assert_eq!(last, Heard::Quit, "{name}");
        assert_eq!(blamed(&outcomes, &name), BTreeMap::new(), "{name}");
    }
    for trouble in Trouble::ALL {
        let kinds = blamed(&outcomes, &trouble.name());
        println!("{trouble:?}: {kinds:?}");
        assert!(kinds.keys().all(|kind| trouble.blame().contains(kind)), "{trouble:?}: {kinds:?}");
        assert!(trouble.certain().is_none_or(|kind| kinds.contains_key(&kind)), "{trouble:?}");
    }
    let malformed = |game: &Outcome| {
        game.seats.iter().find(|seat| seat.team == "Malformed").map(|seat| seat.malformed)
    };
    assert!(outcomes.iter().filter_map(malformed).all(|turns| turns > TURNS / 2));
    while let Some(stranger) = strangers.join_next().await {
        stranger.unwrap();
    }
    while let Some(team) = bad.join_next().await {
        team.unwrap();
    }
    println!(
        "{TEAMS} teams, {} of them faulty: {} games of {TURNS} turns, {} at once, in {:.1} s",
        Trouble::ALL.len(),
        outcomes.len(),
        at_once(&outcomes),
        start.elapsed().as_secs_f64()
    );
}
