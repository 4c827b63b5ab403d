//! The faults and the malformed orders of teams on the terminal: a line when a team has a fault of a kind, or a malformed
//! order, for the first time, and a count at the end.

use std::collections::{BTreeMap, BTreeSet};

use language::{Language, word};
use plan::{Fault, FaultKind, Outcome, Program, Team};
use programs::journals::Journals;

use tournament::faults;

/// Counts faults, and words them.
pub(crate) struct FaultLines {
    /// The journals of the output of programs; `None` if programs run elsewhere.
    journals: Option<Journals>,
    counts: BTreeMap<(String, FaultKind), u32>,
    malformed: BTreeMap<String, MalformedOrders>,
    /// Teams whose bots are of the house.
    house: BTreeSet<String>,
}

#[derive(Default)]
struct MalformedOrders {
    count: u64,
    /// True if the first one was shown.
    is_told: bool,
}

impl FaultLines {
    pub(crate) fn new(journals: Option<Journals>) -> Self {
        Self {
            journals,
            counts: BTreeMap::new(),
            malformed: BTreeMap::new(),
            house: BTreeSet::new(),
        }
    }

    /// Keeps the malformed orders of those teams that are bots of the house to itself: they are on purpose, and nobody can mend them.
    pub(crate) fn spare_house(&mut self, teams: &[Team]) {
        let house = teams.iter().filter(|team| matches!(team.program, Program::House(_)));
        self.house.extend(house.map(|team| team.name.clone()));
    }

    /// The lines to show after a game: the faults that are the first of their kind for their teams, and the first malformed
    /// order of each team.
    pub(crate) fn after(&mut self, outcome: &Outcome) -> Vec<String> {
        let mut lines = Vec::new();
        for (index, seat) in outcome.seats.iter().enumerate() {
            if seat.malformed > 0 && !seat.is_house && !self.house.contains(&*seat.team) {
                let so_far = self.malformed.entry(seat.team.to_string()).or_default();
                so_far.count += u64::from(seat.malformed);
                let is_many = seat.malformed.saturating_mul(faults::ON_PURPOSE) > outcome.elapsed;
                if is_many && !std::mem::replace(&mut so_far.is_told, true) {
                    lines.extend(Self::malformed_line(outcome, index));
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
    fn malformed_line(outcome: &Outcome, seat: usize) -> Option<String> {
        let (turn, given) = faults::first_malformed(&outcome.recording, seat)?;
        let remark = given.remark(Language::chosen())?;
        let turn_word = word("turn", "tour");
        Some(of_team(&outcome.seats[seat].team, &format!("{remark} ({turn_word} {turn})")))
    }

    /// The counts of faults and malformed orders that happened more than once.
    pub(crate) fn counts(&self) -> Vec<String> {
        let repeated =
            self.counts.iter().filter(|(_, count)| **count > 1).map(|((team, kind), count)| {
                of_team(team, &format!("{}, {count} {}", words(*kind), word("times", "fois")))
            });
        let malformed = self.malformed.iter().filter(|(_, orders)| orders.is_told);
        let malformed = malformed.map(|(team, MalformedOrders { count, .. })| {
            let language = Language::chosen();
            let [one, many] = match language {
                Language::English => ["malformed order", "malformed orders"],
                Language::French => ["ordre mal formé", "ordres mal formés"],
            };
            let what = language.plural(*count, one, many);
            of_team(team, &format!("{} {what}", language.whole(*count)))
        });
        repeated.chain(malformed).collect()
    }

    fn line(&self, team: &str, fault: &Fault) -> String {
        let detail = cli::printable(fault.detail.say(Language::chosen()));
        let turn = fault.turn().map(|turn| format!(" ({} {turn})", word("turn", "tour")));
        let log = self.journals.as_ref().map(|journals| {
            format!(" [{}{} {}]", word("log", "journal"), colon(), journals.path(team).display())
        });
        let [turn, log] = [turn, log].map(Option::unwrap_or_default);
        of_team(team, &format!("{detail}{turn}{log}"))
    }
}

fn of_team(team: &str, what: &str) -> String {
    format!("{}{} {what}", cli::printable(team), colon())
}

/// A colon, in French after a non-breaking space.
fn colon() -> &'static str {
    word(":", "\u{a0}:")
}

fn words(kind: FaultKind) -> &'static str {
    match kind {
        FaultKind::NotStarted => word("its program does not start", "son programme ne démarre pas"),
        FaultKind::NotRegistered => {
            word("its program did not register", "son programme ne s'est pas inscrit")
        }
        FaultKind::Crashed => word(
            "its program ended during the game",
            "son programme s'est terminé pendant la partie",
        ),
        FaultKind::Disconnected => word("it closed its connection", "il a fermé sa connexion"),
        FaultKind::TimedOut => word("it did not answer in time", "il n'a pas répondu à temps"),
        FaultKind::Lingered => word(
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
        let mut lines = FaultLines::new(Some(journals));
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
    #[test]
    fn malformed_orders_of_the_house_are_not_told() {
        let teams = [
            Team::new("Ada", Program::Remote, "1"),
            Team::new("champion", Program::House("champion".to_owned()), ""),
        ];
        let mut lines = FaultLines::new(None);
        lines.spare_house(&teams);
        let mut outcome = outcome(&["Ada", "champion"].map(|team| (team, FaultKind::Crashed, "")));
        for seat in &mut outcome.seats {
            (seat.fault, seat.malformed) = (None, 150);
        }
        lines.after(&outcome);
        assert_eq!(lines.counts(), ["Ada: 150 malformed orders"]);
    }
}
