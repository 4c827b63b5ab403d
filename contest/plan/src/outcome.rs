//! The result of a game.

use std::fmt;
use std::time::{Duration, SystemTime};

use arcstr::ArcStr;
use referee::{Cause, Thinking};
use serde::{Deserialize, Serialize};

use crate::matchup::Key;
use language::{Language, Note};

/// The stored result of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// The key of the game.
    pub key: Key,
    /// The key of its matchup.
    pub matchup: Key,
    /// The round of the game, from 1.
    pub round: u32,
    /// The name of the map.
    pub map: ArcStr,
    /// The seed of the game.
    pub seed: u64,
    /// The planned number of turns.
    pub turns: u32,
    /// Number of turns played; fewer than planned if all players left early.
    pub elapsed: u32,
    /// The players by colour.
    pub seats: Vec<SeatOutcome>,
    /// Start of the game.
    pub began: SystemTime,
    /// Duration of the game.
    pub took: Duration,
    /// The recording of the game, in the format of the crate `replay`.
    pub recording: Vec<u8>,
}

impl Outcome {
    /// Tests if two outcomes of a game are equal apart from times: deterministic players that answer in time have the
    /// same outcome on every machine.
    pub fn agrees_with(&self, other: &Self) -> bool {
        let facts = |outcome: &Self| {
            let seat = |seat: &SeatOutcome| {
                let fault = seat.fault.as_ref().map(|fault| (fault.kind, fault.played));
                (seat.team.clone(), seat.version.clone(), seat.points, seat.rank, fault)
            };
            let seats: Vec<_> = outcome.seats.iter().map(seat).collect();
            (outcome.key, outcome.seed, outcome.turns, outcome.elapsed, seats)
        };
        facts(self) == facts(other)
    }
}

/// A result that an organiser has voided: it is kept, but does not count.
#[derive(Clone, Debug, PartialEq)]
pub struct Voided {
    /// The key of the game.
    pub game: Key,
    /// The result, under a key of its own and without its recording.
    pub outcome: Outcome,
    /// Time of the voiding.
    pub at: SystemTime,
    /// The organiser's reason.
    pub reason: String,
}

/// The result of a player in a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SeatOutcome {
    /// The name of the team or of the house bot.
    pub team: ArcStr,
    /// The team's version; empty for the house.
    pub version: ArcStr,
    /// True if an unranked house bot fills the seat.
    pub is_house: bool,
    /// Its points.
    pub points: i32,
    /// Its rank among the four players, from 1; equal points share a rank.
    pub rank: u32,
    /// Its thinking times.
    pub thinking: Thinking,
    /// Number of its answers that were malformed, at least in part.
    pub malformed: u32,
    /// Its fault, if any.
    pub fault: Option<Box<Fault>>,
    /// Resource usage of its program; `None` if no program was started for the game.
    pub usage: Option<Box<Usage>>,
}

/// Resource usage of all processes of a program in a game, as the system measured it; `None` means unknown. With the
/// referee's verdicts on missed turns, it is the evidence of their causes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Processor time.
    pub cpu: Option<Duration>,
    /// Peak memory in bytes.
    pub peak_memory: Option<u64>,
    /// Time for which the first thread of its first process was ready to run, but waited for a processor.
    pub run_delay: Option<Duration>,
    /// Time for which threads of the program were ready to run, but all waited for processors that others had.
    pub cpu_pressure: Option<Duration>,
    /// Number of processes killed for lack of memory.
    pub oom_kills: u64,
    /// Number of processes and threads refused by the limit on their number.
    pub failed_forks: u64,
    /// Measurements of the missed turns; only the first ones are kept.
    pub missed: Vec<MissedTurn>,
}

/// Processor time of a program in the last part of a missed turn, as evidence of the cause. `None` means unknown.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MissedTurn {
    /// Number of turns played before this one.
    #[serde(rename = "turn")]
    pub played: u32,
    /// The culprit according to the referee.
    pub verdict: Culprit,
    /// Duration of the measured part of the turn.
    pub measured: Duration,
    /// Processor time of the program in this part.
    pub cpu: Option<Duration>,
    /// Time in this part for which threads of the program were ready to run, but all waited for processors that others had.
    pub waited: Option<Duration>,
    /// Number of processes killed in this part for lack of memory.
    pub oom_kills: u64,
    /// Number of processes and threads refused in this part by the limit on their number.
    pub failed_forks: u64,
}

/// The cause of a missed turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Culprit {
    /// The player.
    #[default]
    Bot,
    /// The network.
    Network,
    /// The server's machine.
    Host,
}

impl From<Cause> for Culprit {
    fn from(cause: Cause) -> Self {
        match cause {
            Cause::Bot => Self::Bot,
            Cause::Network(_) => Self::Network,
            Cause::Host(_) => Self::Host,
        }
    }
}

impl MissedTurn {
    /// The evidence in words; `None` if the processor time is unknown.
    pub fn words(&self) -> Option<Note> {
        let Self { measured, cpu, waited, oom_kills, failed_forks, .. } = self;
        let turn = self.played + 1;
        let cpu = (*cpu)?;
        let of = |time: Duration| {
            [Language::English, Language::French].map(|it| it.decimal(time.as_secs_f64(), 2))
        };
        let waited = waited.map(|waited| {
            let [en, fr] = of(waited);
            Note::new(
                format!(" and waited {en} s for a processor"),
                format!(" et a attendu un processeur {fr} s"),
            )
        });
        let killed = Note::new("; its memory was used up", " ; sa mémoire était épuisée");
        let forked =
            Note::new("; it started too many processes", " ; il lançait trop de processus");
        let parts =
            [waited, (*oom_kills > 0).then_some(killed), (*failed_forks > 0).then_some(forked)];
        let ([last_en, last_fr], [cpu_en, cpu_fr]) = (of(*measured), of(cpu));
        let mut note = Note::new(
            format!("in the last {last_en} s of turn {turn}, it had {cpu_en} s of processor time"),
            format!(
                "dans les {last_fr} dernières secondes du tour {turn}, il a eu {cpu_fr} s de temps de calcul"
            ),
        );
        for Note { en, fr } in parts.iter().flatten() {
            note.en += en;
            note.fr += fr;
        }
        Some(note)
    }
}

/// A fault of a player, as the game has shown it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// The kind of fault.
    pub kind: FaultKind,
    /// Number of turns played before the one in which the fault first happened; `None` before or after the game.
    #[serde(rename = "turn")]
    pub played: Option<u32>,
    /// Details for people, with the last line of output of the program.
    pub detail: Note,
}

impl Fault {
    /// The turn in which the fault first happened, from 1 as in the server's log; `None` before or after the game.
    pub fn turn(&self) -> Option<u32> {
        self.played.map(|played| played + 1)
    }
}

/// The kinds of faults of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultKind {
    /// The program could not be started.
    NotStarted,
    /// The player did not register in time.
    NotRegistered,
    /// The program ended before the game did.
    Crashed,
    /// The player closed its connection before the game was over.
    Disconnected,
    /// The player missed deadlines.
    TimedOut,
    /// The program did not end after the game, and was killed.
    Lingered,
}

impl FaultKind {
    /// All kinds of faults.
    pub const ALL: [Self; 6] = [
        Self::NotStarted,
        Self::NotRegistered,
        Self::Crashed,
        Self::Disconnected,
        Self::TimedOut,
        Self::Lingered,
    ];

    /// The name of the kind in files.
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
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evidence_has_decimal_commas_in_french() {
        let missed = MissedTurn {
            played: 2,
            measured: Duration::from_millis(1500),
            cpu: Some(Duration::from_millis(250)),
            waited: Some(Duration::from_millis(10)),
            ..MissedTurn::default()
        };
        let Note { en, fr } = missed.words().unwrap();
        for (text, [measured, cpu, waited]) in
            [(en, ["1.50", "0.25", "0.01"]), (fr, ["1,50", "0,25", "0,01"])]
        {
            for number in [measured, cpu, waited] {
                assert!(text.contains(number), "{number} {text}");
            }
        }
    }
}
