//! The faults and the malformed orders of teams on the terminal: a line when a team has a fault of a kind, or a malformed
//! order, for the first time, and a count at the end.

use std::collections::BTreeMap;

use language::Language;
use plan::{Fault, FaultKind, Outcome};
use programs::journals::Journals;

use tournament::faults;

/// Counts faults, and words them.
pub(crate) struct FaultLines {
    language: Language,
    /// The journals of the output of programs; `None` if programs run elsewhere.
    journals: Option<Journals>,
    counts: BTreeMap<(String, FaultKind), u32>,
    /// The malformed orders of each team.
    malformed: BTreeMap<String, MalformedOrders>,
}

/// The malformed orders of a team.
#[derive(Default)]
struct MalformedOrders {
    count: u64,
    /// True if the first one was shown.
    is_told: bool,
}

impl FaultLines {
    pub(crate) fn new(language: Language, journals: Option<Journals>) -> Self {
        Self { language, journals, counts: BTreeMap::new(), malformed: BTreeMap::new() }
    }

    /// The lines to show after a game: the faults that are the first of their kind for their teams, and the first malformed
    /// order of each team.
    pub(crate) fn after(&mut self, outcome: &Outcome) -> Vec<String> {
        let mut lines = Vec::new();
        for (index, seat) in outcome.seats.iter().enumerate() {
            if seat.malformed > 0 && !seat.is_house {
                let so_far = self.malformed.entry(seat.team.to_string()).or_default();
                so_far.count += u64::from(seat.malformed);
                let is_many = seat.malformed.saturating_mul(faults::ON_PURPOSE) > outcome.elapsed;
                if is_many && !std::mem::replace(&mut so_far.is_told, true) {
                    lines.extend(self.malformed_line(outcome, index));
                }
            }
            let Some(fault) = &seat.fault else { continue };
            let count = self.counts.entry((seat.team.to_string(), fault.kind)).or_default();
            *count += 1;
            if *count == 1 {
                lines.push(self.line(&seat.team, fault));
            }
        }
        lines
    }

    /// The first malformed order of a seat, with what was expected; `None` if the recording does not have it.
    fn malformed_line(&self, outcome: &Outcome, seat: usize) -> Option<String> {
        let language = self.language;
        let (turn, given) = faults::first_malformed(&outcome.recording, seat)?;
        let (team, colon) = (cli::printable(&outcome.seats[seat].team), colon(language));
        let (remark, turn_word) = (given.remark(language)?, language.say("turn", "tour"));
        Some(format!("{team}{colon} {remark} ({turn_word} {turn})"))
    }

    /// The counts of faults and malformed orders that happened more than once.
    pub(crate) fn counts(&self) -> Vec<String> {
        let repeated = self.counts.iter().filter(|(_, count)| **count > 1);
        let line = |((team, kind), count): (&(String, FaultKind), &u32)| {
            let (what, times) = (words(*kind, self.language), self.language.say("times", "fois"));
            format!("{}{} {what}, {count} {times}", cli::printable(team), colon(self.language))
        };
        let malformed = self.malformed.iter().filter(|(_, orders)| orders.is_told);
        let malformed_line = |(team, orders): (&String, &MalformedOrders)| {
            let [one, many] = match self.language {
                Language::English => ["malformed order", "malformed orders"],
                Language::French => ["ordre mal formé", "ordres mal formés"],
            };
            let what = self.language.plural(orders.count, one, many);
            let (colon, count) = (colon(self.language), self.language.whole(orders.count));
            format!("{}{colon} {count} {what}", cli::printable(team))
        };
        repeated.map(line).chain(malformed.map(malformed_line)).collect()
    }

    fn line(&self, team: &str, fault: &Fault) -> String {
        let (language, colon) = (self.language, colon(self.language));
        let turn = fault.turn().map(|turn| format!(" ({} {turn})", language.say("turn", "tour")));
        let log = self.journals.as_ref().map(|journals| {
            let (log, path) = (language.say("log", "journal"), journals.path(team));
            format!(" [{log}{colon} {}]", path.display())
        });
        let [turn, log] = [turn, log].map(Option::unwrap_or_default);
        let detail = cli::printable(fault.detail.say(language));
        format!("{}{colon} {detail}{turn}{log}", cli::printable(team))
    }
}

/// A colon, as the language sets it.
fn colon(language: Language) -> &'static str {
    language.say(":", "\u{a0}:")
}

/// A kind of fault, as a phrase.
fn words(kind: FaultKind, language: Language) -> &'static str {
    match kind {
        FaultKind::NotStarted => {
            language.say("its program does not start", "son programme ne démarre pas")
        }
        FaultKind::NotRegistered => {
            language.say("its program did not register", "son programme ne s'est pas inscrit")
        }
        FaultKind::Crashed => language.say(
            "its program ended during the game",
            "son programme s'est terminé pendant la partie",
        ),
        FaultKind::Disconnected => {
            language.say("it closed its connection", "il a fermé sa connexion")
        }
        FaultKind::TimedOut => {
            language.say("it did not answer in time", "il n'a pas répondu à temps")
        }
        FaultKind::Lingered => language.say(
            "its program did not end after the game",
            "son programme ne s'est pas terminé après la partie",
        ),
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, SystemTime};

    use plan::{Key, Note, SeatOutcome};
    use referee::Thinking;

    use super::*;

    fn outcome(faults: &[(&str, FaultKind, &str)]) -> Outcome {
        let seat = |&(team, kind, detail): &(&str, FaultKind, &str)| SeatOutcome {
            team: team.into(),
            version: "".into(),
            is_house: false,
            points: 0,
            rank: 1,
            thinking: Thinking::default(),
            malformed: 0,
            fault: Some(Box::new(Fault { kind, played: Some(11), detail: Note::new(detail, "") })),
            usage: None,
        };
        let key = Key::from_bytes([1; 16]);
        Outcome {
            key,
            matchup: key,
            round: 1,
            map: "plan1".into(),
            seed: 1,
            turns: 200,
            elapsed: 200,
            seats: faults.iter().map(seat).collect(),
            began: SystemTime::UNIX_EPOCH,
            took: Duration::ZERO,
            recording: Vec::new(),
        }
    }

    #[test]
    fn a_kind_of_fault_has_one_line_for_each_team_and_a_count() {
        let crash =
            ("Ada", FaultKind::Crashed, "its program ended with the code 1: KeyError: 'a'\u{1b}");
        let late = ("Bob", FaultKind::TimedOut, "it did not answer in time in 3 turns");
        let journals = Journals::new("logs".into());
        let mut lines = FaultLines::new(Language::English, Some(journals));
        assert_eq!(
            lines.after(&outcome(&[crash])),
            [
                "Ada: its program ended with the code 1: KeyError: 'a'\u{fffd} (turn 12) [log: logs/Ada.txt]"
            ]
        );
        assert_eq!(
            lines.after(&outcome(&[crash, late])),
            ["Bob: it did not answer in time in 3 turns (turn 12) [log: logs/Bob.txt]"]
        );
        assert!((0..1000).all(|_| lines.after(&outcome(&[crash])).is_empty()));
        assert_eq!(lines.counts(), ["Ada: its program ended during the game, 1002 times"]);
    }
}
