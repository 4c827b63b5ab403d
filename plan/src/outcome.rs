//! The result of a game.

use std::fmt;
use std::time::{Duration, SystemTime};

use referee::Thinking;
use serde::{Deserialize, Serialize};

use crate::matchup::Key;
use language::Note;

/// The result of a game: all that is kept of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// The key of the game.
    pub key: Key,
    /// The key of its matchup.
    pub matchup: Key,
    /// Which round it belongs to, from 1.
    pub round: u32,
    /// The name of the map.
    pub map: String,
    /// Its seed.
    pub seed: u64,
    /// Its turns.
    pub turns: u32,
    /// Turns that were played; fewer when all players were gone.
    pub elapsed: u32,
    /// The players by colour.
    pub seats: Vec<SeatOutcome>,
    /// When it started.
    pub began: SystemTime,
    /// Duration of the game.
    pub took: Duration,
    /// The bytes of its recording, as [`replay::Recording`] reads them.
    pub recording: Vec<u8>,
}

impl Outcome {
    /// Tests if the other one says the same of the game, times apart: deterministic players that answer
    /// in time give the same outcome on every machine.
    #[must_use]
    pub fn agrees_with(&self, other: &Self) -> bool {
        let facts = |outcome: &Self| {
            let seat = |seat: &SeatOutcome| {
                let fault = seat.fault.as_ref().map(|fault| (fault.kind, fault.turn));
                (seat.team.clone(), seat.version.clone(), seat.points, seat.rank, fault)
            };
            let seats: Vec<_> = outcome.seats.iter().map(seat).collect();
            (outcome.key, outcome.seed, outcome.turns, outcome.elapsed, seats)
        };
        facts(self) == facts(other)
    }

    /// Teams of the game with a better rank than the one in this seat, and teams with the same rank, this one included;
    /// players of the house do not count.
    #[must_use]
    pub fn rivals(&self, seat: &SeatOutcome) -> (u32, u32) {
        let teams = || self.seats.iter().filter(|other| !other.is_house);
        let better = teams().filter(|other| other.rank < seat.rank).count();
        let sharers = teams().filter(|other| other.rank == seat.rank).count().max(1);
        (better as u32, sharers as u32)
    }
}

/// A result that an organiser has voided: it is kept, but does not count.
#[derive(Clone, Debug, PartialEq)]
pub struct Voided {
    /// The key of the game.
    pub game: Key,
    /// The result, under a key of its own and without its recording.
    pub outcome: Outcome,
    /// When it was voided.
    pub at: SystemTime,
    /// Why.
    pub reason: String,
}

/// The result of a player in a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SeatOutcome {
    /// The team, or what the house's player was called.
    pub team: String,
    /// The team's version; empty for the house.
    pub version: String,
    /// `true` if it is a player of the house that fills the seat, and is not ranked.
    pub is_house: bool,
    /// Its points.
    pub points: i32,
    /// Its rank among the four, from 1; equal points share a rank.
    pub rank: u32,
    /// Its thinking times.
    pub thinking: Thinking,
    /// Turns in which it gave an order that was malformed, at least in part.
    pub malformed: u32,
    /// Its fault, if it has one.
    pub fault: Option<Box<Fault>>,
    /// Resources that its program used, if one was started for the game.
    #[serde(default)]
    pub usage: Option<Box<Usage>>,
}

/// Resources that all processes of a program used in a game, as the system measured them; `None` is unknown. With the verdicts
/// of the referee on missed turns, it is the evidence for whose fault they were.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Usage {
    /// Processor time.
    pub cpu: Option<Duration>,
    /// The most memory at a time, in bytes.
    pub peak_memory: Option<u64>,
    /// Time that the first thread of its first process was ready to run, and waited for a processor.
    pub run_delay: Option<Duration>,
    /// Time in which any of its threads was ready to run, and waited for a processor.
    pub cpu_pressure: Option<Duration>,
    /// Processes that were killed because memory was used up.
    pub oom_kills: u64,
    /// Processes and threads that were not started because there were too many.
    pub failed_forks: u64,
    /// Processor time and waiting in the turns that it missed; only the first ones are kept.
    pub missed: Vec<MissedTurn>,
}

/// Use of the processors by a program in the last part of a turn that it has missed: the evidence for whose fault the
/// miss was. `None` is unknown.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct MissedTurn {
    /// The turn, from 0.
    pub turn: u32,
    /// Whose fault the referee found it: `bot`, `network` or `host`.
    pub verdict: String,
    /// Duration of the part of the turn that was measured.
    pub measured: Duration,
    /// Processor time that the program had in it.
    pub cpu: Option<Duration>,
    /// Time in it in which its threads were ready to run, and waited for a processor.
    pub waited: Option<Duration>,
    /// Processes that were killed in it because memory was used up.
    pub oom_kills: u64,
}

impl MissedTurn {
    /// The evidence, for people; `None` if nothing was measured.
    #[must_use]
    pub fn words(&self) -> Option<Note> {
        let Self { turn, measured, cpu, waited, oom_kills, .. } = self;
        let (measured, cpu) = (measured.as_secs_f64(), (*cpu)?.as_secs_f64());
        let waited = waited.map(|waited| {
            let waited = waited.as_secs_f64();
            Note::new(
                format!(" and waited {waited:.2} s for a processor"),
                format!(" et a attendu un processeur {waited:.2} s"),
            )
        });
        let killed = Note::new("; its memory was used up", " ; sa mémoire était épuisée");
        let parts = [waited, (*oom_kills > 0).then_some(killed)];
        let mut note = Note::new(
            format!(
                "in the last {measured:.2} s of turn {turn}, it had {cpu:.2} s of processor time"
            ),
            format!(
                "dans les {measured:.2} dernières secondes du tour {turn}, il a eu {cpu:.2} s de temps de calcul"
            ),
        );
        for Note { en, fr } in parts.iter().flatten() {
            note.en += en;
            note.fr += fr;
        }
        Some(note)
    }
}

/// Fault of a player: a fact of the game, and the player's own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// Its kind.
    pub kind: FaultKind,
    /// After how many turns it first happened; `None` before or after the game.
    pub turn: Option<u32>,
    /// More about it, for people, with the last line that its program wrote.
    pub detail: Note,
}

/// Kind of a player's fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultKind {
    /// Its program could not be started.
    NotStarted,
    /// It did not register in time.
    NotRegistered,
    /// Its program ended before the game did.
    Crashed,
    /// It closed its connection before the game was over.
    Disconnected,
    /// It missed deadlines.
    TimedOut,
    /// Its program did not end after the game, and was killed.
    Lingered,
}

impl FaultKind {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::NotStarted,
        Self::NotRegistered,
        Self::Crashed,
        Self::Disconnected,
        Self::TimedOut,
        Self::Lingered,
    ];

    /// Its name in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::NotStarted => "not_started",
            Self::NotRegistered => "not_registered",
            Self::Crashed => "crashed",
            Self::Disconnected => "disconnected",
            Self::TimedOut => "timed_out",
            Self::Lingered => "lingered",
        }
    }

    /// The kind of this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
