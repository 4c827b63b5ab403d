//! A room full of teams, of which one in ten does everything wrong that can go wrong.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use plan::{FaultKind, Outcome};
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::sleep;

use super::process::Lan;
use super::teams;
use super::wire::{Heard, Wire};
use crate::{Folder, MAP, outcomes};

const TEAMS: usize = 64;
const TABLES: usize = 16;
const TURNS: u32 = 20;
const ROUNDS: usize = 2;
const RESULTS: &str = "tournoi.sqlite";
/// Long enough that nobody who answers at once is ever late, also on a busy machine.
const DEADLINE: Duration = Duration::from_millis(1500);
/// After this time a turn is over.
const LATE: Duration = Duration::from_millis(1650);
/// A game that this machine has spoilt is played at most so often.
const ATTEMPTS: u32 = 3;
/// Pause between two looks at the results.
const LOOK: Duration = Duration::from_secs(1);

/// Trouble with a team.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Trouble {
    /// Reads, but answers no more from some turn on; comes back when it has been blamed.
    Silent,
    /// Answers after the deadline and closes in the middle of a game; comes back when it has been blamed.
    Slow,
    /// Neither reads nor answers nor closes; is gone for good when it has been blamed.
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
            Self::Slow | Self::Leaves | Self::Overlong => Some(FaultKind::Disconnected),
            Self::Malformed | Self::Flood => None,
        }
    }

    fn name(self) -> String {
        format!("{self:?}")
    }

    /// Plays in its own way, until it is over. Games that this machine spoils do not count, so that the results say whether it
    /// has been blamed.
    async fn play(self, port: u16, mut wire: Wire, results: PathBuf) {
        match self {
            Self::Silent => {
                let mut plays = wire.plays_until(TURNS / 2).await;
                let silent = async {
                    while plays {
                        while !matches!(wire.hears().await, Heard::State(TURNS, _)) {}
                        plays = wire.plays_until(TURNS / 2).await;
                    }
                };
                tokio::select! {
                    () = silent => {}
                    () = self.is_blamed(&results) => {}
                }
                drop(wire);
                if let Some(wire) = Wire::come_back(port, &self.name()).await {
                    wire.play().await;
                }
            }
            Self::Slow => {
                let mut heard = wire.hears().await;
                while let Heard::State(elapsed, _) = heard
                    && elapsed < TURNS / 2
                {
                    sleep(LATE).await;
                    wire.answer().await;
                    heard = wire.hears().await;
                }
                drop(wire);
                self.is_blamed(&results).await;
                if let Some(wire) = Wire::come_back(port, &self.name()).await {
                    wire.play().await;
                }
            }
            Self::HalfOpen => {
                assert!(wire.hears().await.begins());
                self.is_blamed(&results).await;
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
                wire = match self.misses_a_turn(port).await {
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
                    wire = match self.misses_a_turn(port).await {
                        Some(wire) => wire,
                        None => return,
                    };
                }
            }
        }
    }

    /// Comes back when the turn has ended without it: who comes back earlier is there, and misses the deadline.
    async fn misses_a_turn(self, port: u16) -> Option<Wire> {
        sleep(LATE).await;
        Wire::come_back(port, &self.name()).await
    }

    /// Waits until it is blamed for what is certain, in a game that counts, or all games are over.
    async fn is_blamed(self, results: &Path) {
        while !self.is_over(results).await {
            sleep(LOOK).await;
        }
    }

    async fn is_over(self, results: &Path) -> bool {
        let results = results.to_owned();
        // On another thread: the teams answer on this one.
        let outcomes = tokio::task::spawn_blocking(move || outcomes(&results)).await.unwrap();
        let blamed = blamed(&outcomes, &self.name());
        outcomes.len() == ROUNDS * TEAMS
            || self.certain().is_some_and(|kind| blamed.contains_key(&kind))
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
        bad.spawn(trouble.play(port, wire, folder.path(RESULTS)));
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

    let outcomes = outcomes(&folder.path(RESULTS));
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
