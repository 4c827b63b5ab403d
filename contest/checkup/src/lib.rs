//! Tests if a bot is ready for a tournament, before a student hands it in.
//!
//! A scripted server plays games with the bot to bring it into all possible situations: every object, every
//! letter, boards of all sizes, strange names, messages in pieces. The results are [`Finding`]s, which [`words`]
//! turns into sentences in French and English.

mod bench;
mod case;
mod checks;
mod fact;
mod finding;
mod finding_list;
mod game;
mod game_record;
mod mistake;
mod opening;
mod player;
mod report;
mod scene;
mod session;
mod slip;
pub mod words;

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ::game::pacman::{Map, RulesPreset};
use clap::ValueEnum;
use pulse::Pulse;

use plan::{NamedMap, Team, TeamLimits};
use programs::runner::Runner;

pub use case::{BoardKind, Case, GameMoment, Transmission};
pub use fact::{Ending, Fact, NoStart, Seconds};
pub use finding::{Finding, Severity};
pub use mistake::{Mistake, Suspicion};
pub use report::{Check, CheckReport, CheckVerdict, Examination};
pub use slip::{OrderSlip, RegistrationSlip};

use bench::{Bench, KnownFaults};
use checks::first_game::FirstGame;
use checks::{boards, letters, names, powers, series, start, stream, twins};
use words::Told;

/// A longer stall of this machine may cause missed answers, as may one of a quarter of the deadline.
const STOOD_STILL: Duration = Duration::from_millis(200);

/// Number of attempts to make a check for which this machine cannot start the program, as in a tournament.
const ATTEMPTS: u32 = 5;
/// Pause between two of these attempts.
const PAUSE: Duration = Duration::from_millis(250);

/// The options of a checkup.
#[derive(Clone, Debug)]
pub struct Options {
    /// The rules.
    pub rules: RulesPreset,
    /// Turns of the long game; the others are short.
    pub turns: u32,
    /// Longest time for an order to arrive.
    pub deadline: Duration,
    /// Resource limits of the bot's program.
    pub limits: TeamLimits,
    /// The map for most games.
    pub map: Map,
    /// Further maps to play on.
    pub other_maps: Vec<NamedMap>,
    /// The checks to make.
    pub checks: Vec<Check>,
    /// Starts the bot's program. The trap of its sandbox catches bots that ignore the port given to them.
    pub runner: Arc<Runner>,
}

/// The progress of a checkup.
#[derive(Clone, Copy, Debug)]
pub enum CheckEvent<'a> {
    /// A check starts.
    Begun(Check),
    /// A check is complete.
    Made(&'a Examination),
}

/// Checks a team's bot. Also ends its programs if the future is dropped.
///
/// To be called within a tokio runtime.
///
/// # Errors
///
/// If this machine could not start the program in any of several attempts, which says nothing about the bot.
pub async fn run(
    team: &Team,
    options: &Options,
    mut tell: impl FnMut(CheckEvent<'_>),
) -> Result<CheckReport, MachineFault> {
    let mut examiner = Examiner {
        bench: Bench { team, options, known: KnownFaults::default() },
        first: None,
        is_hopeless: false,
    };
    let pulse = Pulse::start();
    let late = STOOD_STILL.min(options.deadline / 4);
    let mut checks = Vec::new();
    let requested = |check: &Check| options.checks.contains(check);
    for check in Check::value_variants().iter().copied().filter(requested) {
        tell(CheckEvent::Begun(check));
        let began = Instant::now();
        let mut made = examiner.make(check).await;
        // A stall of this machine may be the cause, so the check is repeated once.
        let is_bad = matches!(made.verdict, CheckVerdict::Warning | CheckVerdict::Failed);
        if is_bad && pulse.longest_stall_since(began) > late {
            examiner.forget(check);
            made = examiner.make(check).await;
        }
        for _ in 1..ATTEMPTS {
            if made.machine_fault().is_none() {
                break;
            }
            tokio::time::sleep(PAUSE).await;
            examiner.forget(check);
            made = examiner.make(check).await;
        }
        if let Some(finding) = made.machine_fault() {
            return Err(MachineFault(finding.clone()));
        }
        tell(CheckEvent::Made(&made));
        checks.push(made);
    }
    Ok(CheckReport { team: team.name.clone(), checks })
}

/// This machine could not start the program of the bot.
#[derive(Clone, Debug, PartialEq)]
pub struct MachineFault(Finding);

impl fmt::Display for MachineFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Told { seen, advice } = words::tell(&self.0);
        write!(f, "{seen}. {}", advice.unwrap_or_default())
    }
}

impl std::error::Error for MachineFault {}

struct Examiner<'a> {
    bench: Bench<'a>,
    first: Option<FirstGame<'a>>,
    /// The bot cannot even play a game, so that further checks are pointless.
    is_hopeless: bool,
}

impl Examiner<'_> {
    async fn make(&mut self, check: Check) -> Examination {
        if self.is_hopeless && !matches!(check, Check::Orders | Check::End) {
            return Examination::skipped(check);
        }
        let (began, bench) = (Instant::now(), self.bench);
        let findings = match check {
            Check::Start => {
                let findings = start::check(bench).await;
                let failed = findings.iter().any(|found| found.severity == Severity::Failure);
                self.is_hopeless = failed;
                findings
            }
            Check::Answers | Check::Orders | Check::End => match self.of_first_game(check).await {
                Some(findings) => findings,
                None => return Examination::skipped(check),
            },
            Check::Powers => powers::check(bench).await,
            Check::Letters => letters::check(bench).await,
            Check::Boards => boards::check(bench).await,
            Check::Names => names::check(bench).await,
            Check::Series => series::check(bench).await,
            Check::Stream => stream::check(bench).await,
            Check::Twins => twins::check(bench).await,
        };
        Examination::new(check, findings, began.elapsed())
    }

    /// The findings of a check on the first game, which is played at the first call; `None` if there is nothing to
    /// judge.
    async fn of_first_game(&mut self, check: Check) -> Option<Vec<Finding>> {
        if self.first.is_none() && !self.is_hopeless {
            match FirstGame::play(self.bench).await {
                Ok(game) => {
                    self.bench.known = game.known();
                    self.is_hopeless = !game.is_of_use();
                    self.first = Some(game);
                }
                Err(finding) => {
                    self.is_hopeless = true;
                    return Some(vec![finding]);
                }
            }
        }
        let first = self.first.as_ref()?;
        match check {
            Check::Orders => first.orders(),
            Check::End => first.end(),
            _ => Some(first.answers()),
        }
    }

    /// Clears the results of a check before it is repeated.
    fn forget(&mut self, check: Check) {
        match check {
            Check::Start => self.is_hopeless = false,
            Check::Answers => {
                self.is_hopeless = false;
                self.first = None;
            }
            _ if self.first.is_none() => self.is_hopeless = false,
            _ => {}
        }
    }
}
