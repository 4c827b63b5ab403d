//! The games of one bot in a trial.

use std::collections::BTreeMap;
use std::time::Duration;

use plan::{FaultKind, Outcome, SeatOutcome};
use rating::Share;
use replay::{Answer, Recording, Turn};

use crate::faults::ON_PURPOSE;

/// The results of one bot.
#[derive(Clone, Debug, Default)]
pub struct TrialRecord {
    team: String,
    /// The number of games so far.
    pub games: u32,
    /// First places; one shared by k players counts 1/k.
    firsts: f64,
    points: i64,
    /// Kinds of faults and the number of games with each.
    pub faults: BTreeMap<FaultKind, u32>,
    /// The number of malformed orders.
    pub malformed: u32,
    /// The thinking time of each answer.
    times: Vec<Duration>,
    /// The number of states not answered in time, by the bot's own fault.
    pub missed: u32,
    best: Option<(i32, Outcome)>,
    worst: Option<(i32, Outcome)>,
}

/// A summary of the thinking times of a bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThinkingSummary {
    /// Mean time of an answer.
    pub mean: Duration,
    /// The 99th percentile.
    pub p99: Duration,
    /// Longest time of an answer.
    pub longest: Duration,
}

impl TrialRecord {
    pub(super) fn new(team: &str) -> Self {
        Self { team: team.to_owned(), ..Self::default() }
    }

    pub(super) fn add(&mut self, outcome: &Outcome) {
        let Some((index, seat)) = seat_of(outcome, &self.team) else { return };
        self.games += 1;
        if seat.rank == 1 {
            let sharing = outcome.seats.iter().filter(|other| other.rank == 1).count() as u32;
            self.firsts += 1.0 / f64::from(sharing);
        }
        self.points += i64::from(seat.points);
        if let Some(fault) = &seat.fault {
            *self.faults.entry(fault.kind).or_default() += 1;
        }
        self.malformed += seat.malformed;
        self.missed += seat.thinking.misses.bot;
        self.times.extend(answer_times(&outcome.recording, index));
        let others = outcome.seats.iter().enumerate().filter(|(other, _)| *other != index);
        let ahead = seat.points - others.map(|(_, other)| other.points).max().unwrap_or_default();
        if self.best.as_ref().is_none_or(|(most, _)| ahead > *most) {
            self.best = Some((ahead, outcome.clone()));
        }
        if self.worst.as_ref().is_none_or(|(least, _)| ahead < *least) {
            self.worst = Some((ahead, outcome.clone()));
        }
    }

    /// The share of first places; `None` without games.
    pub fn firsts(&self) -> Option<Share> {
        Share::of(self.firsts, self.games)
    }

    /// Mean points of a game; 0 without games.
    #[expect(clippy::cast_precision_loss, reason = "need not be exact beyond 2⁵²")]
    pub fn mean_points(&self) -> f64 {
        self.points as f64 / f64::from(self.games.max(1))
    }

    /// Tests if the bot has played, and its program failed to start or register, crashed or disconnected in every game.
    pub fn is_hopeless(&self) -> bool {
        let is_gone = |kind: &FaultKind| !matches!(kind, FaultKind::TimedOut | FaultKind::Lingered);
        let gone: u32 =
            self.faults.iter().filter(|(kind, _)| is_gone(kind)).map(|(_, count)| count).sum();
        self.games > 0 && gone == self.games
    }

    /// Tests if the bot gives more malformed orders than one may give on purpose.
    pub fn has_many_malformed(&self) -> bool {
        u64::from(self.malformed) * u64::from(ON_PURPOSE) > self.times.len() as u64
    }

    /// The game with the largest lead, and after it the one with the smallest if there are two, with their recordings.
    pub fn extremes(&self) -> impl Iterator<Item = &Outcome> {
        let [best, worst] = [&self.best, &self.worst].map(|game| Some(&game.as_ref()?.1));
        let is_other = |worst: &&Outcome| best.is_some_and(|best| best.key != worst.key);
        best.into_iter().chain(worst.filter(is_other))
    }

    /// The thinking times of several records together; `None` without any answer.
    pub fn thinking<'a>(records: impl Iterator<Item = &'a Self>) -> Option<ThinkingSummary> {
        let mut times: Vec<_> = records.flat_map(|record| &record.times).copied().collect();
        times.sort_unstable();
        Some(ThinkingSummary {
            // A trial has far fewer than 2³² answers.
            mean: times.iter().sum::<Duration>() / times.len().max(1) as u32,
            p99: *times.get((times.len() * 99).div_ceil(100).checked_sub(1)?)?,
            longest: *times.last()?,
        })
    }
}

/// The thinking time of each answer of a player.
fn answer_times(recording: &[u8], seat: usize) -> Vec<Duration> {
    // The recording is empty if the recorder did not keep up.
    let Ok(Recording { turns, .. }) = Recording::read(recording) else { return Vec::new() };
    let taken = |turn: Turn| {
        let given = turn.answers.get(seat)?;
        let is_there = !matches!(given.answer, Answer::Missed | Answer::Disconnected);
        is_there.then_some(given.taken)
    };
    turns.iter().filter_map(taken).collect()
}

/// The seat of a team, with its index among the seats.
pub(super) fn seat_of<'a>(outcome: &'a Outcome, team: &str) -> Option<(usize, &'a SeatOutcome)> {
    outcome.seats.iter().enumerate().find(|(_, seat)| seat.team == team && !seat.is_house)
}
