//! The faults of players: their kind, turn and reason.

use std::time::{Duration, SystemTime};

use arena::{GameResult, PlayerResult, Points};
use referee::Cause;
use replay::{Answer, Given, Recording, Turn};

use plan::{Course, Fault, FaultKind, Job, MissedTurn, Note, Outcome, SeatOutcome, Usage};
use programs::cores::Cores;
use programs::process;
use sandbox::Report;

/// Maximum number of characters kept of the last line of a program's output.
const LINE: usize = 200;

/// A bot that gives at most one malformed order in this number of turns may do it on purpose, to keep a piece in its place.
pub const ON_PURPOSE: u32 = 20;

/// A game played by a server, before faults are assigned to the players.
pub(crate) struct PlayedGame<'a> {
    pub(crate) job: &'a Job,
    pub(crate) result: GameResult,
    pub(crate) recording: Vec<u8>,
    pub(crate) began: SystemTime,
    pub(crate) took: Duration,
    /// The processors of the programs that this machine has started.
    pub(crate) cores: Option<&'a Cores>,
}

/// A period of a program, and what the program had of the processors; `None` means unknown.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Period {
    pub(crate) length: Duration,
    pub(crate) cpu: Option<Duration>,
    pub(crate) waited: Option<Duration>,
}

/// The kind of a player, and the course of its program.
pub(crate) enum Start {
    House,
    /// The player's program was not started, for this reason.
    Failed(Note),
    /// The player's program was started.
    Running {
        /// True if the player registered in time.
        came: bool,
        /// The end of the program, and its resource usage.
        report: Report,
        /// Processor time and waiting in the turns that the player missed.
        missed: Vec<MissedTurn>,
        /// The time for which the program was awaited after the game in vain; `None` if the program ended.
        lingered: Option<Period>,
    },
    /// The player runs on another machine.
    Remote,
}

#[derive(Clone, Copy, Debug, Default)]
struct TurnCount {
    count: u32,
    /// Turns played before the first of them.
    first: Option<u32>,
}

impl TurnCount {
    fn add(&mut self, turn: u32) {
        self.count += 1;
        self.first = self.first.or(Some(turn));
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Answers {
    turns: u32,
    malformed: u32,
    missed: TurnCount,
    /// Misses for which the referee blames the player, but in which its program was kept from running.
    starved: u32,
    /// Misses for which the referee blames the host.
    excused: TurnCount,
    disconnected: TurnCount,
}

impl Answers {
    fn was_never_there(&self) -> bool {
        self.disconnected.count == self.turns
    }

    /// Counts the misses for which the host was blamed as the player's own.
    fn blame_for_excused(&mut self) {
        let excused = std::mem::take(&mut self.excused);
        self.missed.count += excused.count;
        self.missed.first = self.missed.first.into_iter().chain(excused.first).min();
    }
}

impl PlayedGame<'_> {
    /// The outcome of the game, given the start of each player and the output of its program, by seat.
    pub(crate) fn outcome(self, starts: &[Start], outputs: &[Vec<u8>]) -> Outcome {
        let Self { job, result, recording, began, took, cores } = self;
        let judges = starts.iter().map(|start| MissJudge::of(start, cores));
        let mut answers = answers(&recording, judges.collect());
        let players = result.players.iter().zip(&job.seats);
        let rest = answers.iter_mut().zip(starts).zip(outputs);
        let seats = players.zip(rest).map(|((player, seat), ((answers, start), output))| {
            let PlayerResult { standing, thinking, .. } = player;
            let points = match standing.points {
                Points::Whole(points) => points,
                Points::Cheese(_) => 0,
            };
            let (usage, mut thinking) = (usage(start), *thinking);
            let starved = answers.starved.min(thinking.misses.bot);
            thinking.misses.bot -= starved;
            thinking.misses.host += starved;
            if usage.as_ref().is_some_and(|usage| bursts(&usage.missed)) {
                thinking.misses.bot += std::mem::take(&mut thinking.misses.host);
                answers.blame_for_excused();
            }
            let mut fault = fault(start, answers, output, job.limits.start);
            // A program that was kept from running could not end in time.
            if let (Start::Running { lingered: Some(period), .. }, Some(cores)) = (start, cores) {
                fault.take_if(|it| it.kind == FaultKind::Lingered && period.is_starved(cores));
            }
            let rank = standing.rank as u32;
            let outcome = seat.outcome(points, rank, thinking, answers.malformed, fault);
            SeatOutcome { usage: usage.map(Box::new), ..outcome }
        });
        let seats = seats.collect();
        job.outcome(Course { elapsed: result.elapsed, began, took, recording }, seats)
    }
}

/// The resource usage of a program; `None` if this machine did not start one.
fn usage(start: &Start) -> Option<Usage> {
    let Start::Running { report, missed, .. } = start else { return None };
    Some(Usage {
        cpu: report.cpu,
        peak_memory: report.peak_memory,
        run_delay: report.run_delay,
        cpu_pressure: report.cpu_pressure,
        oom_kills: report.exceeded.oom_kills,
        failed_forks: report.exceeded.failed_forks,
        missed: missed.clone(),
    })
}

/// The answers of each player, from the recording of the game.
fn answers(recording: &[u8], mut judges: Vec<MissJudge<'_>>) -> Vec<Answers> {
    let mut all = vec![Answers::default(); judges.len()];
    // The recording is empty if the recorder did not keep up.
    let Ok(Recording { turns, .. }) = Recording::read(recording) else { return all };
    for (turn, played) in (0..).zip(turns.iter()) {
        for ((own, judge), given) in all.iter_mut().zip(&mut judges).zip(&played.answers) {
            own.turns += 1;
            let has_starved = judge.has_starved(turn, given.answer == Answer::Missed);
            match given.answer {
                Answer::Missed if matches!(given.cause, Some(Cause::Host(_))) => {
                    own.excused.add(turn);
                }
                // A team is not blamed for what its network or the host could not do in time.
                Answer::Missed if !matches!(given.cause, None | Some(Cause::Bot)) => {}
                Answer::Missed if has_starved => own.starved += 1,
                Answer::Missed => own.missed.add(turn),
                Answer::Disconnected => own.disconnected.add(turn),
                _ => own.malformed += u32::from(given.fault().is_some()),
            }
        }
    }
    all
}

/// The first malformed order of a player, with its turn, from 1; `None` if the recording has none.
pub fn first_malformed(recording: &[u8], seat: usize) -> Option<(u32, Given)> {
    let recording = Recording::read(recording).ok()?;
    let given = |(turn, played): (u32, Turn)| Some((turn, *played.answers.get(seat)?));
    let mut all = (1..).zip(recording.turns.iter()).filter_map(given);
    let is_malformed = |given: &Given| {
        !matches!(given.answer, Answer::Missed | Answer::Disconnected) && given.fault().is_some()
    };
    all.find(|(_, given)| is_malformed(given))
}

impl Period {
    /// Tests if the program was kept from running: it waited for processors for at least half of the processor time that it
    /// was due, and had less than 90 % of it. False without measurements. A program cannot fake this: its own waiting processes
    /// use processor time as soon as they get it.
    fn is_starved(&self, cores: &Cores) -> bool {
        let Self { length, cpu: Some(cpu), waited: Some(waited) } = *self else { return false };
        let due = cores.processor_time(length);
        !due.is_zero() && waited >= due / 2 && cpu < due * 9 / 10
    }
}

impl From<&MissedTurn> for Period {
    fn from(turn: &MissedTurn) -> Self {
        Self { length: turn.measured, cpu: turn.cpu, waited: turn.waited }
    }
}

/// Judges the missed turns of a player by what its program had of the processors in them.
struct MissJudge<'a> {
    /// The missed turns with measurements, in order.
    measured: &'a [MissedTurn],
    cores: Option<&'a Cores>,
    /// True if the last turn was missed and the program was kept from running.
    has_starved: bool,
}

impl<'a> MissJudge<'a> {
    fn of(start: &'a Start, cores: Option<&'a Cores>) -> Self {
        let measured = match start {
            // The many processes of such a program wait for each other, so that its waiting excuses nothing.
            Start::Running { missed, .. } if !bursts(missed) => &missed[..],
            _ => &[],
        };
        Self { measured, cores, has_starved: false }
    }

    /// Tests if the player missed the next turn because its program was kept from running. A missed turn without
    /// measurements is judged as the turn before: turns do not wait for a silent player, and are too short to be measured.
    fn has_starved(&mut self, turn: u32, is_missed: bool) -> bool {
        let measured = self.measured.iter().find(|missed| missed.played == turn);
        self.has_starved = is_missed
            && match (measured, self.cores) {
                (Some(missed), Some(cores)) => Period::from(missed).is_starved(cores),
                _ => self.has_starved,
            };
        self.has_starved
    }
}

/// Tests if a program of the game was kept from running in a turn that it missed.
pub(crate) fn has_starved(outcome: &Outcome, cores: &Cores) -> bool {
    let usages = outcome.seats.iter().filter_map(|seat| seat.usage.as_deref());
    let mut missed = usages.map(|usage| &usage.missed).filter(|missed| !bursts(missed)).flatten();
    missed.any(|missed| Period::from(missed).is_starved(cores))
}

/// Tests if a program started more processes than it may in a turn that it missed, as a fork bomb does. This explains the
/// miss, and may explain that this machine stood still.
pub(crate) fn bursts(missed: &[MissedTurn]) -> bool {
    missed.iter().any(|missed| missed.failed_forks > 0)
}

/// Tests if the host spoilt a game: in some turn, the host made more than half of the connected players miss the
/// deadline, and at least two. Bots of the house do not count. Stalls extend deadlines, so a single player that is
/// still late is so by its own fault; otherwise it could have each game repeated that it loses.
pub(crate) fn is_spoilt(outcome: &Outcome) -> bool {
    let is_house: Vec<_> = outcome.seats.iter().map(|seat| seat.is_house).collect();
    let is_late = outcome.seats.iter().any(|seat| seat.thinking.misses.host > 0);
    is_late
        && Recording::read(&outcome.recording).is_ok_and(|game| {
            game.turns.iter().any(|turn| is_spoilt_turn(&turn.answers, &is_house))
        })
}

fn is_spoilt_turn(answers: &[Given], is_house: &[bool]) -> bool {
    let answers = answers.iter().zip(is_house).filter(|(_, is_house)| !**is_house);
    let there = answers.filter(|(given, _)| given.answer != Answer::Disconnected);
    let causes = there.map(|(given, _)| matches!(given.cause, Some(Cause::Host(_))));
    let (late, in_time): (Vec<_>, Vec<_>) = causes.partition(|is_late| *is_late);
    late.len() > in_time.len().max(1)
}

/// The fault of a player, if it has one, given the output of its program and the time that it had to register.
fn fault(start: &Start, answers: &Answers, output: &[u8], patience: Duration) -> Option<Fault> {
    let end = match start {
        Start::Running { report, .. } => process::describe(report),
        Start::House | Start::Failed(_) | Start::Remote => None,
    };
    let end = end.map(|end| match last_line(output) {
        Some(line) => end.because(&Note::same(line)),
        None => end,
    });
    let Answers { missed, disconnected, .. } = answers;
    let (kind, played, detail) = match start {
        Start::Failed(why) => (FaultKind::NotStarted, None, why.clone()),
        // A player that was there only briefly may not have been counted as registered.
        Start::Running { came: false, .. } if answers.was_never_there() => {
            let late = || {
                Note::new(
                    format!("it did not register within {patience:?}"),
                    format!("il ne s'est pas inscrit en {patience:?}").replace('.', ","),
                )
            };
            (FaultKind::NotRegistered, None, end.unwrap_or_else(late))
        }
        _ if disconnected.count > 0 => {
            let kind = if end.is_some() { FaultKind::Crashed } else { FaultKind::Disconnected };
            let gone = || {
                let Note { en, fr } = turns(disconnected.count);
                Note::new(
                    format!("it was not connected in {en}"),
                    format!("il n'était pas connecté pendant {fr}"),
                )
            };
            (kind, disconnected.first, end.unwrap_or_else(gone))
        }
        _ if missed.count > 0 => {
            let Note { en, fr } = turns(missed.count);
            let evidence = match start {
                Start::Running { missed: measured, .. } => evidence(measured, missed.first),
                _ => None,
            };
            let [more_en, more_fr] = evidence.map_or_else(Default::default, |Note { en, fr }| {
                [format!("; {en}"), format!(" ; {fr}")]
            });
            let detail = Note::new(
                format!("it did not answer in time in {en}{more_en}"),
                format!("il n'a pas répondu à temps à {fr}{more_fr}"),
            );
            (FaultKind::TimedOut, missed.first, detail)
        }
        Start::Running { .. } if end.is_none() => {
            let detail = Note::new(
                "its program did not end after the game",
                "son programme ne s'est pas terminé après la partie",
            );
            (FaultKind::Lingered, None, detail)
        }
        Start::House | Start::Remote | Start::Running { .. } => return None,
    };
    Some(Fault { kind, played, detail })
}

fn turns(count: u32) -> Note {
    match count {
        1 => Note::new("1 turn", "1 tour"),
        _ => Note::new(format!("{count} turns"), format!("{count} tours")),
    }
}

/// The processor time of a program, in words, in a turn with too many processes, or else in the first turn with which the
/// program is charged; `None` if that turn was not measured.
fn evidence(measured: &[MissedTurn], charged: Option<u32>) -> Option<Note> {
    let bomb = measured.iter().find(|missed| missed.failed_forks > 0);
    bomb.or_else(|| measured.iter().find(|missed| Some(missed.played) == charged))?.words()
}

/// The last line of a program's output, without control characters.
fn last_line(output: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(output);
    let line = text.lines().rev().map(str::trim).find(|line| !line.is_empty())?;
    Some(line.chars().filter(|c| !c.is_control()).take(LINE).collect())
}

#[cfg(test)]
mod tests {
    use game::pacman::Orders;

    use super::*;

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    /// A missed turn, measured for 1 s.
    fn missed(played: u32, cpu: u64, waited: u64) -> MissedTurn {
        let (cpu, waited) = (Some(ms(cpu)), Some(ms(waited)));
        MissedTurn { played, measured: ms(1000), cpu, waited, ..MissedTurn::default() }
    }

    #[test]
    fn a_program_is_starved_if_it_waited_for_processors_and_neither_used_nor_left_them() {
        let cores = Cores::new(1);
        for (cpu, waited, starved) in [
            (300, 700, true),
            (450, 500, true),
            (950, 2000, false),
            (100, 400, false),
            // The program sleeps.
            (0, 0, false),
        ] {
            let period = Period::from(&missed(0, cpu, waited));
            assert_eq!(period.is_starved(&cores), starved, "{cpu} {waited}");
        }
        let unknown = MissedTurn { waited: None, ..missed(0, 0, 0) };
        assert!(!Period::from(&unknown).is_starved(&cores));
        // Two programs for each processor: half of the time is all that each can get.
        let shared = Cores::new(2 * cores.count());
        assert!(!Period::from(&missed(0, 500, 500)).is_starved(&shared));
        assert!(Period::from(&missed(0, 100, 900)).is_starved(&shared));
    }

    #[test]
    fn each_miss_is_judged_by_the_measurements_of_its_own_turn() {
        let cores = Cores::new(1);
        let judged = |measured: Vec<MissedTurn>, turns: &str| {
            let mut judge =
                MissJudge { measured: &measured, cores: Some(&cores), has_starved: false };
            let letter = |(turn, letter)| match (letter, judge.has_starved(turn, letter == 'm')) {
                ('m', true) => 'w',
                (letter, _) => letter,
            };
            (0..).zip(turns.chars()).map(letter).collect::<String>()
        };
        let (waits, sleeps) = (|turn| missed(turn, 10, 990), |turn| missed(turn, 0, 0));
        // A program that waited for processors earlier, and sleeps now, is to blame for its silence.
        assert_eq!(judged(vec![waits(1), sleeps(3), sleeps(4)], ".m.mmmm"), ".w.mmmm");
        // Turns that do not wait for it are too short to be measured.
        assert_eq!(judged(vec![waits(1), waits(2), waits(3)], ".mmmmm"), ".wwwww");
        assert_eq!(judged(vec![waits(1)], ".mm.mm"), ".ww.mm");
        assert_eq!(judged(vec![waits(1), sleeps(2)], ".mmm"), ".wmm");
        assert_eq!(judged(Vec::new(), ".mm"), ".mm");
    }

    #[test]
    fn a_program_that_starts_too_many_processes_is_blamed() {
        for failed_forks in [0, 1] {
            let missed = vec![MissedTurn { failed_forks, ..missed(3, 10, 990) }];
            let (report, came) = (Report::default(), true);
            let start = Start::Running { came, report, missed, lingered: None };
            let cores = Cores::new(1);
            let mut judge = MissJudge::of(&start, Some(&cores));
            assert_eq!(judge.has_starved(3, true), failed_forks == 0);
        }
        let mut answers = Answers {
            missed: TurnCount { count: 1, first: Some(7) },
            excused: TurnCount { count: 2, first: Some(5) },
            ..Answers::default()
        };
        answers.blame_for_excused();
        assert_eq!((answers.missed.count, answers.missed.first), (3, Some(5)));
        let turn = |played, cause: Cause, failed_forks| MissedTurn {
            played,
            verdict: cause.into(),
            cpu: Some(ms(1)),
            failed_forks,
            ..MissedTurn::default()
        };
        let host = Cause::Host(ms(80));
        let bomb = [turn(3, host, 0), turn(4, Cause::Bot, 0), turn(5, host, 9)];
        let note = evidence(&bomb, Some(4)).expect("it is measured").en;
        assert!(note.contains("turn 6") && note.contains("too many processes"), "{note}");
        assert!(evidence(&bomb[..2], Some(4)).is_some_and(|note| note.en.contains("turn 5")));
        assert_eq!(evidence(&bomb[..1], Some(4)), None);
    }

    /// The referee blames the bot for both turns, but in the first one the program was kept from running.
    #[test]
    fn evidence_is_of_the_turn_with_which_the_program_is_charged() {
        let measured = vec![missed(5, 60, 940), missed(6, 990, 0)];
        let report = Report::default();
        let start = Start::Running { came: true, report, missed: measured, lingered: None };
        let cores = Cores::new(1);
        let mut judge = MissJudge::of(&start, Some(&cores));
        let mut answers = Answers { turns: 7, ..Answers::default() };
        for turn in 5..7 {
            if !judge.has_starved(turn, true) {
                answers.missed.add(turn);
            }
        }
        let fault = fault(&start, &answers, b"", ms(0)).expect("the second turn is charged");
        assert_eq!(fault.turn(), Some(7));
        assert!(fault.detail.en.contains("of turn 7, it had 0.99 s"), "{fault:?}");
    }

    #[test]
    fn game_is_spoilt_only_if_most_players_miss_by_the_host() {
        let given = |letter| match letter {
            'h' => Given { cause: Some(Cause::Host(ms(80))), ..Given::nothing(Answer::Missed) },
            'b' => Given { cause: Some(Cause::Bot), ..Given::nothing(Answer::Missed) },
            '-' => Given::nothing(Answer::Disconnected),
            _ => Given::in_time(Answer::Orders(Orders::default()), Duration::ZERO),
        };
        // Capitals are bots of the house.
        for (turn, spoilt) in [
            ("hhhh", true),
            ("hhha", true),
            ("hhaa", false),
            ("haaa", false),
            ("hh-a", true),
            ("h---", false),
            ("hhba", false),
            ("hhAA", true),
            ("hAAA", false),
            ("bbbb", false),
        ] {
            let answers: Vec<_> = turn.chars().map(given).collect();
            let letters: Vec<_> = turn.chars().map(char::is_uppercase).collect();
            assert_eq!(is_spoilt_turn(&answers, &letters), spoilt, "{turn}");
        }
    }
}
