//! A game with the teams' own programs: started, seated, played, and ended.

use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::process::ExitStatus;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use game::pacman::Colour;
use protocol::Name;
use server::{Arena, Controls, HouseBot, Pacman, Progress, Settings};
use tokio::runtime;
use tokio::sync::{Notify, mpsc, watch};
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use crate::faults::{Course, Start};
use crate::in_process::bot_seed;
use crate::journals::Journals;
use crate::matchup::{self, Game, SEATS};
use crate::outcome::{Fault, FaultKind, Outcome, SeatOutcome};
use crate::plan::Plan;
use crate::process::{Place, Process, StartError};
use crate::stage::Stage;
use crate::stalls::Stalls;
use crate::team::Program;

/// For a program to end after the farewell.
const FAREWELL: Duration = Duration::from_secs(1);

/// Where games are played with programs of teams.
#[derive(Debug)]
pub struct Table {
    /// Marks the processes of this run.
    mark: String,
    journals: Journals,
    stage: Stage,
    /// A turn lasts at least that long.
    tempo: Duration,
    stalls: Stalls,
}

/// This machine could not play a game; no player is to blame.
#[derive(Debug, thiserror::Error)]
pub enum Trouble {
    /// There is no port, no pipe, no thread.
    #[error("{what}: {source}")]
    Io {
        /// What was to be done.
        what: &'static str,
        /// Why it was not.
        source: io::Error,
    },
    /// There is no process.
    #[error(transparent)]
    Start(StartError),
    /// The game gave no result.
    #[error("the game came to nothing")]
    NoResult,
    /// The machine stood still for a while, and somebody missed a deadline. What came of the game.
    #[error("the machine stood still for a while, and deadlines were missed")]
    Stalled(Box<Outcome>),
}

/// Somebody's program, or what became of it.
enum Player {
    House,
    Running(Process),
    NotStarted(String),
}

impl Table {
    /// A table for a run whose processes are marked so, where games are watched on that stage. A turn lasts
    /// `tempo` at least, and orders have that deadline.
    #[must_use]
    pub fn new(
        mark: String,
        journals: Journals,
        stage: Stage,
        tempo: Duration,
        deadline: Duration,
    ) -> Self {
        Self { mark, journals, stage, tempo, stalls: Stalls::watch(deadline) }
    }

    /// How long a turn lasts at least.
    #[must_use]
    pub fn tempo(&self) -> Duration {
        self.tempo
    }

    /// What the programs write.
    #[must_use]
    pub fn journals(&self) -> &Journals {
        &self.journals
    }

    /// Plays a game, and tells how far it is; `None` when it is stopped. Whatever the programs do is in its outcome.
    ///
    /// # Errors
    ///
    /// When this machine could not play it.
    pub fn play(
        &self,
        plan: &Plan,
        game: &Game,
        stop: &CancellationToken,
        running: impl FnOnce(watch::Receiver<Progress>),
    ) -> Result<Option<Outcome>, Trouble> {
        let runtime = runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|source| Trouble::Io { what: "a runtime", source })?;
        runtime.block_on(async {
            tokio::select! {
                outcome = self.play_now(plan, game, running) => outcome.map(Some),
                () = stop.cancelled() => Ok(None),
            }
        })
    }

    async fn play_now(
        &self,
        plan: &Plan,
        game: &Game,
        running: impl FnOnce(watch::Receiver<Progress>),
    ) -> Result<Outcome, Trouble> {
        let (began, start, stalls) = (SystemTime::now(), Instant::now(), self.stalls.count());
        let seed = matchup::seed(plan, &game.matchup);
        let names = plan.names(&game.matchup, game.seating);
        let (mut arena, controls) = arena(plan, game, seed, &names, self.tempo);
        let (observer, observations) = mpsc::channel(plan.conditions.turns as usize + 2);
        arena.observe(observer);
        let recording = tokio::spawn(self.stage.clone().record(game.key, observations));
        let Controls { host, start: starter, mut results, seats, progress, .. } = controls;
        running(progress);

        let mut players = Vec::with_capacity(SEATS);
        let died = Arc::new(Notify::new());
        for ((member, name), colour) in
            game.seating.0.into_iter().zip(&names).zip(Colour::first(SEATS))
        {
            let door = host.for_seat(colour);
            if let Some(bot) = plan.house_bot(&game.matchup, member) {
                let rules = plan.conditions.rules.rules();
                door.connect_house(HouseBot::Pacman(bot.0, rules), bot_seed(seed, member));
                players.push(Player::House);
                continue;
            }
            let io = |source| Trouble::Io { what: "a port for a program", source };
            let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(io)?;
            listener.set_nonblocking(true).map_err(io)?;
            let port = listener.local_addr().map_err(io)?.port();
            let listener = tokio::net::TcpListener::from_std(listener).map_err(io)?;
            tokio::spawn(async move { door.listen(listener).await });
            let mark = format!("{}:{}:{}", self.mark, game.key, colour.letter());
            let place = Place { port, name, mark: &mark };
            players.push(Self::start_program(plan, game, member, place, &died)?);
        }

        let coming = players.iter().map(Player::coming).collect();
        let gathering = gather(seats, coming, died, plan.limits.start);
        let gathering: JoinHandle<Vec<bool>> = tokio::spawn(async move {
            let came = gathering.await;
            // The game may have started by itself.
            let _ = starter.send(()).await;
            came
        });
        arena.run().await;
        let result = results.try_recv().map_err(|_| Trouble::NoResult)?;
        let came = gathering.await.map_err(|_| Trouble::NoResult)?;
        let recording = recording.await.map_err(|_| Trouble::NoResult)?;
        let course = Course { plan, game, seed, result, recording, began, took: start.elapsed() };
        let outcome = self.conclude(course, players, &came, &names).await;
        let lingered = |fault: &Fault| fault.kind == FaultKind::Lingered;
        let was_late = |seat: &SeatOutcome| {
            seat.thinking.missed() > 0 || seat.fault.as_ref().is_some_and(lingered)
        };
        match outcome.seats.iter().any(was_late) && self.stalls.count() > stalls {
            true => Err(Trouble::Stalled(Box::new(outcome))),
            false => Ok(outcome),
        }
    }

    fn start_program(
        plan: &Plan,
        game: &Game,
        member: usize,
        place: Place<'_>,
        died: &Arc<Notify>,
    ) -> Result<Player, Trouble> {
        let program = plan.member(&game.matchup, member).map(|team| &team.program);
        let Some(Program::Command(command)) = program else {
            return Ok(Player::NotStarted("it plays on another machine".to_owned()));
        };
        match Process::start(command, &plan.limits, place) {
            Ok(process) => {
                let (mut ended, died) = (process.watch(), Arc::clone(died));
                tokio::spawn(async move {
                    // Nobody tells any more when the process was not waited for to its end.
                    let _ = ended.wait_for(Option::is_some).await;
                    died.notify_one();
                });
                Ok(Player::Running(process))
            }
            Err(error @ StartError::Own { .. }) => Ok(Player::NotStarted(error.to_string())),
            Err(error @ StartError::Machine(_)) => Err(Trouble::Start(error)),
        }
    }

    /// Ends the programs and says what everybody made of the game.
    async fn conclude(
        &self,
        course: Course<'_>,
        players: Vec<Player>,
        came: &[bool],
        names: &[String],
    ) -> Outcome {
        // All at once: one that does not end must not use up the time of the others.
        let deadline = tokio::time::Instant::now() + FAREWELL;
        let mut starts = Vec::with_capacity(SEATS);
        let mut outputs = Vec::with_capacity(SEATS);
        for (player, &came) in players.into_iter().zip(came) {
            let (start, output) = match player {
                Player::House => (Start::House, Vec::new()),
                Player::NotStarted(why) => (Start::Failed(why), Vec::new()),
                Player::Running(process) => {
                    let left = deadline.saturating_duration_since(tokio::time::Instant::now());
                    let ended = timeout(left, process.wait()).await.ok().flatten();
                    (Start::Running { came, ended }, process.finish().await)
                }
            };
            starts.push(start);
            outputs.push(output);
        }
        let outcome = course.outcome(&starts, &outputs);
        for ((seat, output), name) in outcome.seats.iter().zip(&outputs).zip(names) {
            if !seat.is_house && (!output.is_empty() || seat.fault.is_some()) {
                self.journals.add(name, &heading(&outcome, seat), output);
            }
        }
        outcome
    }
}

/// Whether somebody may still come who is not there.
enum Coming {
    Surely,
    /// As long as the program runs.
    While(watch::Receiver<Option<ExitStatus>>),
    Never,
}

impl Coming {
    fn may_come(&self) -> bool {
        match self {
            Self::Surely => true,
            Self::While(program) => program.borrow().is_none(),
            Self::Never => false,
        }
    }
}

impl Player {
    fn coming(&self) -> Coming {
        match self {
            Self::House => Coming::Surely,
            Self::Running(process) => Coming::While(process.watch()),
            Self::NotStarted(_) => Coming::Never,
        }
    }
}

fn arena(
    plan: &Plan,
    game: &Game,
    seed: u64,
    names: &[String],
    tempo: Duration,
) -> (Arena, Controls) {
    let rules = plan.conditions.rules.rules();
    let map = plan.maps[game.matchup.map].map.clone();
    let settings = Settings {
        turns: plan.conditions.turns,
        seed,
        deadline: plan.conditions.deadline,
        tempo,
        ..Settings::default()
    };
    let names = names.iter().map(|name| Name::new(name)).collect();
    Arena::assigned(settings, Box::new(Pacman::new(map, rules)), names)
}

/// Waits until everybody is there who may still come; who came.
async fn gather(
    mut seats: watch::Receiver<Vec<bool>>,
    players: Vec<Coming>,
    died: Arc<Notify>,
    patience: Duration,
) -> Vec<bool> {
    let mut came = vec![false; SEATS];
    let mut patience = std::pin::pin!(sleep(patience));
    loop {
        for (came, is_there) in came.iter_mut().zip(seats.borrow_and_update().iter()) {
            *came |= is_there;
        }
        let is_awaited = |(player, came): (&Coming, &bool)| !came && player.may_come();
        if !players.iter().zip(&came).any(is_awaited) {
            return came;
        }
        tokio::select! {
            changed = seats.changed() => if changed.is_err() { return came },
            () = died.notified() => {}
            () = &mut patience => return came,
        }
    }
}

/// What stands above the output of a player.
fn heading(outcome: &Outcome, seat: &SeatOutcome) -> String {
    let began = humantime::format_rfc3339_seconds(outcome.began);
    let names: Vec<_> = outcome.seats.iter().map(|seat| seat.team.as_str()).collect();
    let Outcome { round, map, elapsed, turns, .. } = outcome;
    let fault = match &seat.fault {
        Some(Fault { kind, turn: Some(turn), detail }) => {
            format!("; {kind}, turn {turn}: {detail}")
        }
        Some(Fault { kind, turn: None, detail }) => format!("; {kind}: {detail}"),
        None => String::new(),
    };
    let names = names.join(", ");
    format!("{began} round {round}, {map}, {names}: {elapsed} of {turns} turns{fault}")
}
