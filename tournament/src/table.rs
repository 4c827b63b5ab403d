//! A game with the teams' own programs: started, seated, played, and ended.

use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use game::pacman::Colour;
use protocol::Name;
use server::hall::{self, Admission, Presence, SeatFor, TeamId, TeamPresence};
use server::{Hall, HouseBot, Pacman, Progress, Pulse};
use tokio::runtime;
use tokio::sync::{Notify, mpsc, watch};
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
use crate::team::Program;

/// For the answers to the last state, before the farewell.
const LAST_ANSWERS: Duration = Duration::from_millis(100);
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
    /// `tempo` at least.
    #[must_use]
    pub fn new(mark: String, journals: Journals, stage: Stage, tempo: Duration) -> Self {
        Self { mark, journals, stage, tempo }
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
        let (began, start) = (SystemTime::now(), Instant::now());
        let pulse = Pulse::start();
        let seed = matchup::seed(plan, &game.matchup);
        let names = plan.names(&game.matchup, game.seating);
        let members = || game.seating.0.into_iter().zip(&names);
        let is_program = |member| plan.house_bot(&game.matchup, member).is_none();
        let programs = members().filter(|(member, _)| is_program(*member));
        let list = programs.map(|(_, name)| (Name::new(name), None)).collect();
        let settings = hall::Settings {
            admission: Admission::Listed(list),
            max_spectators: 0,
            max_connections: SEATS,
            pulse: pulse.clone(),
            gallery: None,
        };
        let (hall, controls) = Hall::new(settings, 0).map_err(|_| Trouble::NoResult)?;
        let hall = tokio::spawn(hall.run());

        let mut players = Vec::with_capacity(SEATS);
        let mut seats = Vec::with_capacity(SEATS);
        let died = Arc::new(Notify::new());
        for ((member, name), colour) in members().zip(Colour::first(SEATS)) {
            if let Some(bot) = plan.house_bot(&game.matchup, member) {
                let bot = HouseBot::Pacman(bot.0, plan.conditions.rules.rules());
                let (name, seed) = (Name::new(name), bot_seed(seed, member));
                seats.push(SeatFor::House { bot, name, seed });
                players.push(Player::House);
                continue;
            }
            let team = TeamId(players.iter().filter(|player| !player.is_house()).count());
            let io = |source| Trouble::Io { what: "a port for a program", source };
            let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(io)?;
            listener.set_nonblocking(true).map_err(io)?;
            let port = listener.local_addr().map_err(io)?.port();
            let listener = tokio::net::TcpListener::from_std(listener).map_err(io)?;
            let door = controls.host().for_team(team);
            tokio::spawn(async move { door.listen(listener).await });
            let mark = format!("{}:{}:{}", self.mark, game.key, colour.letter());
            let place = Place { port, name, mark: &mark };
            seats.push(SeatFor::Team(team));
            players.push(Self::start_program(plan, game, member, place, &died)?);
        }

        let came = gather(controls.teams(), &players, died, plan.limits.start).await;
        let (observer, observations) = mpsc::channel(plan.conditions.turns as usize + 2);
        let recording = tokio::spawn(self.stage.clone().record(game.key, observations));
        let table = hall::Table {
            game: Box::new(Pacman::new(
                plan.maps[game.matchup.map].map.clone(),
                plan.conditions.rules.rules(),
            )),
            number: 1,
            turns: plan.conditions.turns,
            seed,
            deadline: plan.conditions.deadline,
            tempo: self.tempo,
            patience: plan.conditions.deadline.min(LAST_ANSWERS),
            seats,
            observers: vec![observer.into()],
        };
        let playing = controls.play(table).await.map_err(|_| Trouble::NoResult)?;
        running(playing.progress());
        let played = playing.ended().await.map_err(|_| Trouble::NoResult)?;
        controls.close().await;
        hall.await.map_err(|_| Trouble::NoResult)?;
        let recording = recording.await.map_err(|_| Trouble::NoResult)?;
        let result = played.result;
        let course = Course { plan, game, seed, result, recording, began, took: start.elapsed() };
        let concluding = Instant::now();
        let outcome = self.conclude(course, players, &came, &names).await;
        let lingered = |fault: &Fault| fault.kind == FaultKind::Lingered;
        let stood_still = pulse.longest_stall_since(concluding) > FAREWELL / 10;
        let was_late = |seat: &SeatOutcome| {
            let lingered = seat.fault.as_ref().is_some_and(lingered);
            seat.thinking.misses.host > 0 || lingered && stood_still
        };
        match outcome.seats.iter().any(was_late) {
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

impl Player {
    fn is_house(&self) -> bool {
        matches!(self, Self::House)
    }

    /// Whether it may still come: as long as its program runs.
    fn may_come(&self) -> bool {
        matches!(self, Self::Running(process) if process.watch().borrow().is_none())
    }
}

/// Waits until everybody is there who may still come; who came, by seat.
async fn gather(
    mut teams: watch::Receiver<Vec<TeamPresence>>,
    players: &[Player],
    died: Arc<Notify>,
    patience: Duration,
) -> Vec<bool> {
    let mut came: Vec<bool> = players.iter().map(Player::is_house).collect();
    let mut patience = std::pin::pin!(sleep(patience));
    loop {
        {
            let teams = teams.borrow_and_update();
            let seats = players.iter().zip(&mut came).filter(|(player, _)| !player.is_house());
            for ((_, came), team) in seats.zip(teams.iter()) {
                *came |= team.presence != Presence::Gone;
            }
        }
        let is_awaited = |(player, came): (&Player, &bool)| !came && player.may_come();
        if !players.iter().zip(&came).any(is_awaited) {
            return came;
        }
        tokio::select! {
            changed = teams.changed() => if changed.is_err() { return came },
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
