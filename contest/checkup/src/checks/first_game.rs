//! Plays a whole game to check the answers of the bot, its orders, and its end.

use std::time::Duration;

use game::pacman::Colour;

use crate::Options;
use crate::bench::{Bench, KnownFaults, Played};
use crate::case::Case;
use crate::fact::Fact;
use crate::finding::Finding;
use crate::game_record::End;
use crate::session::{Departure, FAREWELL};

/// Longest duration of the game.
const TIME: Duration = Duration::from_secs(40);
/// Longest time for a program to end after the game. A tournament adds one deadline, for answers to the final state.
const PATIENCE: Duration = Duration::from_secs(1);
/// Minimum number of answers in time; with fewer, the other checks are skipped.
const ANSWERS: usize = 3;
/// More than one malformed order in [`MANY`] is a failure, and more than one in [`SOME`] a warning.
const MANY: usize = 4;
const SOME: usize = 20;
/// Percentage of a piece's moves that end at a wall, above which a warning is given.
const WALLS: u32 = 30;
/// Percentage of the pacman's moves that end at a wall, above which the bot does not really play.
const ONLY_WALLS: u32 = 70;
/// Texts in the output of a program that indicate an error.
const ERRORS: [&str; 3] =
    ["Traceback (most recent call last)", "Exception in thread", "panicked at"];

pub(crate) struct FirstGame<'a> {
    options: &'a Options,
    played: Played,
    /// The end of the session; `None` if the bot left before the end of the game.
    departure: Option<Departure>,
}

impl<'a> FirstGame<'a> {
    pub(crate) async fn play(bench: Bench<'a>) -> Result<Self, Finding> {
        let options = bench.options;
        let me = Colour::default();
        let session = bench.open(&bench.team.name).await?;
        let scene = bench.scene(Case::Letter(me.letter()), &options.map, options.turns, me);
        let (played, session) = bench.go_on(session, scene, TIME).await;
        let departure = match session {
            Some(session) => Some(session.farewell().await),
            None => None,
        };
        Ok(Self { options, played, departure })
    }

    /// Tests if further checks make sense: the bot answers, and does not fall silent, which takes long to detect.
    pub(crate) fn is_of_use(&self) -> bool {
        let record = &self.played.record;
        let enough = ANSWERS.min(self.options.turns as usize);
        record.times.len() >= enough && !record.is_stuck()
    }

    /// The faults that later checks need not report again.
    pub(crate) fn known(&self) -> KnownFaults {
        let record = &self.played.record;
        KnownFaults {
            malformed: record.malformed.len() * MANY > record.asked(),
            missed: !record.missed.is_empty(),
            walls: record.walls(),
        }
    }

    /// Checks that the bot answers in time, to the end of the game.
    pub(crate) fn answers(&self) -> Vec<Finding> {
        let Self { options: Options { deadline, turns, .. }, played, departure } = self;
        let (record, deadline) = (&played.record, *deadline);
        let mut findings: Vec<_> = played.end().into_iter().collect();
        findings.extend(record.missed(deadline, played.latest).map(Finding::failure));
        let surplus = departure.as_ref().map_or(played.surplus, |departure| departure.surplus);
        if surplus > 0 {
            // Without a turn, the surplus messages were only counted at the farewell.
            let turn = record.surplus.unwrap_or(*turns);
            findings.push(Finding::failure(Fact::TooMany { turn, surplus }));
        }
        // A late answer delays the next ones, so that their times are of no use.
        let longest = record.times.iter().max().copied().filter(|_| record.missed.is_empty());
        if let Some(longest) = longest.filter(|longest| *longest > deadline / 2) {
            let (longest, deadline) = (longest.into(), deadline.into());
            findings.push(Finding::warning(Fact::Close { longest, deadline }));
        }
        if record.end == End::CutShort {
            let fact = Fact::CutShort { played: record.played, of: *turns };
            findings.push(Finding::note(fact));
        }
        if let Some(departure) = departure {
            let is_error = |line: &String| ERRORS.iter().any(|error| line.contains(error));
            let is_end = departure.ending.is_none_or(|ending| !ending.is_success());
            if !is_end && departure.output.iter().any(is_error) {
                let finding = Finding::warning(Fact::ErrorsInOutput);
                findings.push(finding.with(&departure.output));
            }
        }
        findings.extend(record.times().map(Finding::note));
        findings
    }

    /// Checks the form and the sense of the orders; `None` if no answer came in time.
    pub(crate) fn orders(&self) -> Option<Vec<Finding>> {
        let record = &self.played.record;
        let mut findings = Vec::new();
        let count = record.times.len();
        if count == 0 {
            return None;
        }
        findings.push(match (record.malformed(), record.malformed.len()) {
            (None, _) => Finding::note(Fact::WellFormed { orders: count }),
            (Some(fact), many) if many * MANY > count => Finding::failure(fact),
            (Some(fact), some) if some * SOME > count => Finding::warning(fact),
            // A bot may give a malformed order on purpose, to keep a piece in its place.
            (Some(fact), _) => Finding::note(fact),
        });
        if let Some(first) = record.trailing() {
            findings.push(Finding::note(first));
        }
        let [pacman, ghost] = record.walls();
        let finding = |fact: Fact, is_useless: bool| {
            if is_useless { Finding::failure(fact) } else { Finding::warning(fact) }
        };
        let only_order = record.only_order().filter(|_| count > ANSWERS);
        match only_order.filter(|_| record.malformed.is_empty()) {
            Some(order) => findings.push(finding(Fact::AlwaysSame { order }, pacman > WALLS)),
            None if record.suspicion().is_some() || pacman > ONLY_WALLS => {
                findings.push(Finding::failure(record.wall_fact()));
            }
            None if pacman.max(ghost) > WALLS => {
                findings.push(Finding::warning(record.wall_fact()));
            }
            None => {}
        }
        Some(findings)
    }

    /// Checks that the bot exits at the end of the game; `None` if it left earlier.
    pub(crate) fn end(&self) -> Option<Vec<Finding>> {
        let Departure { ending, after, busy, output, .. } = self.departure.as_ref()?;
        let finding = match ending {
            None => Finding::failure(Fact::Lingers { waited: FAREWELL.into(), busy: *busy })
                .with(output),
            Some(ending) if !ending.is_success() => {
                Finding::warning(Fact::BadEnd { ending: *ending }).with(output)
            }
            Some(_) if *after > PATIENCE => {
                Finding::warning(Fact::SlowEnd { after: (*after).into() })
            }
            Some(_) => Finding::note(Fact::Ended { after: (*after).into() }),
        };
        Some(vec![finding])
    }
}
