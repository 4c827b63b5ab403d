//! Checks that a bot is fit for a tournament: a student runs them before handing in.
//!
//! A server that follows a script plays games with it, so that it comes into all that may happen: every
//! object, every letter, boards of all sizes, strange names, messages in pieces. What is seen are
//! [`Finding`]s, of which [`words`] makes sentences in French and English.

mod bench;
mod case;
mod checks;
mod fact;
mod finding;
mod game;
mod gathering;
mod mistake;
mod opening;
mod player;
mod report;
mod scene;
mod session;
mod sheet;
mod slip;
pub mod words;

use std::sync::Arc;
use std::time::{Duration, Instant};

use ::game::pacman::{Map, MapError};
use cli::RulesPreset;
use server::Pulse;

use plan::{NamedMap, Team, TeamLimits};
use programs::runner::Runner;

pub use case::{BoardKind, Case, GameMoment, Transmission};
pub use fact::{Ending, Fact, NoStart};
pub use finding::{Finding, Severity};
pub use mistake::{Mistake, Suspicion};
pub use report::{Check, CheckReport, CheckVerdict, Examination};
pub use slip::{OrderSlip, RegistrationSlip};

use bench::{Bench, Known};
use checks::first_game::FirstGame;
use checks::{boards, letters, names, powers, series, start, stream, twins};

/// A machine that stood still for that long, or for a quarter of the deadline, may be why a bot missed it.
const STOOD_STILL: Duration = Duration::from_millis(200);

/// Options of a run.
#[derive(Clone, Debug)]
pub struct Options {
    /// The rules.
    pub rules: RulesPreset,
    /// Turns of the long game; the others are short.
    pub turns: u32,
    /// For an order to come.
    pub deadline: Duration,
    /// Limits of its program.
    pub limits: TeamLimits,
    /// The map of most games.
    pub map: Map,
    /// More maps that it has to play on.
    pub other_maps: Vec<NamedMap>,
    /// Checks that are made.
    pub checks: Vec<Check>,
    /// Starts its program. A trap of the sandbox is for bots that do not look at the port that they are told.
    pub runner: Arc<Runner>,
}

/// Progress of a run.
#[derive(Clone, Copy, Debug)]
pub enum CheckEvent<'a> {
    /// A check begins.
    Begun(Check),
    /// A check was made.
    Made(&'a Examination),
}

/// The map of most games when nobody asks for another.
///
/// # Errors
///
/// Never, as a test checks.
pub fn usual_map() -> Result<Map, MapError> {
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../cartes/plan1.txt")).parse()
}

/// Checks a team's bot. Ends its programs also when it is dropped.
///
/// To be called within a tokio runtime.
pub async fn run(
    team: &Team,
    options: &Options,
    mut tell: impl FnMut(CheckEvent<'_>),
) -> CheckReport {
    let mut examiner = Examiner {
        bench: Bench { team, options },
        first: None,
        known: Known::default(),
        is_hopeless: false,
    };
    let pulse = Pulse::start();
    let late = STOOD_STILL.min(options.deadline / 4);
    let mut checks = Vec::new();
    for check in Check::ALL.into_iter().filter(|check| options.checks.contains(check)) {
        tell(CheckEvent::Begun(check));
        let began = Instant::now();
        let mut made = examiner.make(check).await;
        // A machine that stood still is no fault of the bot.
        let is_bad = matches!(made.verdict, CheckVerdict::Warning | CheckVerdict::Failed);
        if is_bad && pulse.longest_stall_since(began) > late {
            examiner.forget(check);
            made = examiner.make(check).await;
        }
        tell(CheckEvent::Made(&made));
        checks.push(made);
    }
    CheckReport { team: team.name.clone(), checks }
}

struct Examiner<'a> {
    bench: Bench<'a>,
    /// The first game, once it was played.
    first: Option<FirstGame>,
    known: Known,
    /// It cannot even play a game: more would only be more of the same.
    is_hopeless: bool,
}

impl Examiner<'_> {
    async fn make(&mut self, check: Check) -> Examination {
        if self.is_hopeless && !matches!(check, Check::Orders | Check::End) {
            return Examination::skipped(check);
        }
        let (began, bench, known) = (Instant::now(), self.bench, &self.known);
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
            Check::Powers => powers::check(bench, known).await,
            Check::Letters => letters::check(bench, known).await,
            Check::Boards => boards::check(bench, known).await,
            Check::Names => names::check(bench, known).await,
            Check::Series => series::check(bench, known).await,
            Check::Stream => stream::check(bench, known).await,
            Check::Twins => twins::check(bench, known).await,
        };
        Examination::new(check, findings, began.elapsed())
    }

    /// Findings of the first game, which is played when they are first asked for; `None` if nothing
    /// could be seen.
    async fn of_first_game(&mut self, check: Check) -> Option<Vec<Finding>> {
        if self.first.is_none() && !self.is_hopeless {
            match FirstGame::play(self.bench).await {
                Ok(game) => {
                    self.known = game.known();
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

    /// A check is to be made again.
    fn forget(&mut self, check: Check) {
        match check {
            Check::Start => self.is_hopeless = false,
            Check::Answers => {
                self.is_hopeless = false;
                self.first = None;
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_map_is_one() {
        assert!(usual_map().unwrap().check_room_for(scene::PLAYERS).is_ok());
    }
}
