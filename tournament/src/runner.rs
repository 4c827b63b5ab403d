//! Plays what is missing of a tournament on this machine, several games at a time.

use std::sync::Mutex;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::thread;
use std::time::Duration;

use server::Progress;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::in_process;
use crate::matchup::{Game, Key};
use crate::outcome::Outcome;
use crate::plan::Plan;
use crate::store::{Delivery, StoreError};
use crate::table::{Table, Trouble};
use crate::tournament::{Next, Round, Tournament};

/// How often a game is tried that this machine could not play.
const ATTEMPTS: u32 = 5;
/// While nothing happens, games are looked at so often.
const LOOK: Duration = Duration::from_millis(500);
/// Before the second attempt; each time twice as long.
const PAUSE: Duration = Duration::from_millis(250);

/// How to play.
#[derive(Clone, Debug)]
pub struct Options {
    /// Games at a time.
    pub parallel: usize,
    /// Stop when a team is the best with this probability.
    pub until: Option<f64>,
    /// Stops the work; games that are being played are given up.
    pub stop: CancellationToken,
}

/// What happens meanwhile.
#[derive(Debug)]
pub enum News<'a> {
    /// A round begins, or is gone on with.
    Round(&'a Round),
    /// A game begins.
    Begun(&'a Game),
    /// Nothing: games go on.
    Look,
    /// It runs, and tells how far it is.
    Running(Key, watch::Receiver<Progress>),
    /// A game has ended; what became of its result.
    Ended(&'a Outcome, Delivery),
    /// This machine could not play a game, and tries again.
    Again(&'a Game, &'a Trouble),
}

/// How it ended.
#[derive(Clone, Debug, PartialEq)]
pub enum End {
    /// All rounds are played, or it is settled.
    Over(Next),
    /// It was stopped.
    Stopped,
}

/// Why it cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A result cannot be recorded.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A game cannot be played, and no player is to blame.
    #[error("a game could not be played, and no team is to blame: {0}")]
    Machine(Trouble),
}

/// What a worker tells.
enum Report {
    Begun(Game),
    Running(Key, watch::Receiver<Progress>),
    Ended(Outcome),
    Again(Game, Trouble),
    Failed(Trouble),
}

/// Plays all that is missing.
///
/// # Errors
///
/// When a result cannot be recorded, or this machine cannot play. Everything recorded stays so.
pub fn run(
    tournament: &mut Tournament,
    table: &Table,
    options: &Options,
    mut tell: impl FnMut(&Tournament, News<'_>),
) -> Result<End, RunError> {
    loop {
        let round = match tournament.next(options.until) {
            Next::Round(round) => round,
            next => return Ok(End::Over(next)),
        };
        tell(tournament, News::Round(&round));
        play_round(tournament, table, round, options, &mut tell)?;
        if options.stop.is_cancelled() {
            return Ok(End::Stopped);
        }
    }
}

fn play_round(
    tournament: &mut Tournament,
    table: &Table,
    round: Round,
    options: &Options,
    tell: &mut impl FnMut(&Tournament, News<'_>),
) -> Result<(), RunError> {
    let plan = tournament.plan().clone();
    let jobs = Mutex::new(round.missing.into_iter());
    // Workers stop with the round when it fails.
    let stop = options.stop.child_token();
    let (sender, reports) = mpsc::sync_channel(2 * options.parallel);
    thread::scope(|scope| {
        for _ in 0..options.parallel {
            let (sender, jobs, plan, stop) = (sender.clone(), &jobs, &plan, &stop);
            scope.spawn(move || work(plan, table, jobs, stop, &sender));
        }
        drop(sender);
        let done = take_in(tournament, &reports, tell);
        if done.is_err() {
            stop.cancel();
        }
        // A worker may wait for its report to be taken.
        drop(reports);
        done
    })
}

fn take_in(
    tournament: &mut Tournament,
    reports: &Receiver<Report>,
    tell: &mut impl FnMut(&Tournament, News<'_>),
) -> Result<(), RunError> {
    loop {
        let report = match reports.recv_timeout(LOOK) {
            Ok(report) => report,
            Err(RecvTimeoutError::Timeout) => {
                tell(tournament, News::Look);
                continue;
            }
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        };
        match report {
            Report::Begun(game) => tell(tournament, News::Begun(&game)),
            Report::Running(game, progress) => tell(tournament, News::Running(game, progress)),
            Report::Again(game, trouble) => tell(tournament, News::Again(&game, &trouble)),
            Report::Failed(trouble) => return Err(RunError::Machine(trouble)),
            Report::Ended(outcome) => {
                let delivery = tournament.deliver(outcome.clone())?;
                tell(tournament, News::Ended(&outcome, delivery));
            }
        }
    }
}

/// Plays one game after the other until there are none.
fn work(
    plan: &Plan,
    table: &Table,
    jobs: &Mutex<impl Iterator<Item = Game>>,
    stop: &CancellationToken,
    reports: &SyncSender<Report>,
) {
    let next = || match jobs.lock() {
        Ok(mut jobs) => jobs.next(),
        Err(_) => None,
    };
    while let Some(game) = next().filter(|_| !stop.is_cancelled()) {
        // Nobody listens any more once the round has failed.
        if reports.send(Report::Begun(game)).is_err() {
            return;
        }
        let report = match play(plan, table, &game, stop, reports) {
            Ok(Some(outcome)) => Report::Ended(outcome),
            Ok(None) => return,
            Err(trouble) => Report::Failed(trouble),
        };
        if reports.send(report).is_err() {
            return;
        }
    }
}

/// Plays a game, again if this machine could not; `None` when it is stopped.
fn play(
    plan: &Plan,
    table: &Table,
    game: &Game,
    stop: &CancellationToken,
    reports: &SyncSender<Report>,
) -> Result<Option<Outcome>, Trouble> {
    // With a tempo, games are to be watched.
    if let Some(outcome) = table.tempo().is_zero().then(|| in_process::play(plan, game)).flatten() {
        return Ok(Some(outcome));
    }
    let mut pause = PAUSE;
    for attempt in 1.. {
        // Nobody listens any more once the round has failed.
        let running = |progress| drop(reports.send(Report::Running(game.key, progress)));
        let trouble = match table.play(plan, game, stop, running) {
            Ok(outcome) => return Ok(outcome),
            Err(trouble) if attempt < ATTEMPTS => trouble,
            // A machine that always stands still is what the tournament is played on.
            Err(Trouble::Stalled(outcome)) => return Ok(Some(*outcome)),
            Err(trouble) => return Err(trouble),
        };
        if reports.send(Report::Again(*game, trouble)).is_err() {
            return Ok(None);
        }
        thread::sleep(pause);
        pause *= 2;
        if reports.send(Report::Begun(*game)).is_err() {
            return Ok(None);
        }
    }
    Ok(None)
}
