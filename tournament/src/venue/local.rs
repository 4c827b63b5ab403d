//! This machine: programs of teams are started, seated in a hall of their own, and ended.

use std::net::{Ipv4Addr, TcpListener};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use game::pacman::Colour;
use plan::{Fault, FaultKind, Job, JobSeat, Outcome, Program, SEATS, SeatOutcome, house_game};
use programs::journals::Journals;
use programs::process::{Place, Process, SpawnError};
use protocol::Name;
use server::hall::{self, Admission, Controls, Presence, SeatFor, TeamId, TeamPresence};
use server::{Hall, Pulse};
use tokio::sync::{Notify, watch};
use tokio::time::{sleep, timeout};
use tokio::{runtime, task};

use super::{HostFault, Ticket, Venue, house_seat, request};
use crate::faults::{self, PlayedGame, Start};
use crate::stage::Stage;

/// For the answers to the final state, before players are dismissed.
const LAST_ANSWERS: Duration = Duration::from_millis(100);
/// For a program to end after it is dismissed.
const FAREWELL: Duration = Duration::from_secs(1);

/// Games on this machine, each on a thread with a runtime of its own. Clones are the same venue.
///
/// Games between bots of the house are played without a server.
#[derive(Clone, Debug)]
pub struct LocalVenue {
    /// Marks the processes of this run.
    mark: String,
    journals: Arc<Journals>,
    stage: Stage,
    tempo: Duration,
}

/// A player of a game, while it is played.
enum Player {
    House,
    Running(Process),
    NotStarted(String),
}

impl Venue for LocalVenue {
    const ATTEMPTS: u32 = 5;
    const PAUSE: Duration = Duration::from_millis(250);

    fn play(
        &mut self,
        job: Job,
        ticket: Ticket,
    ) -> impl Future<Output = Result<Outcome, HostFault>> + Send + 'static {
        let venue = self.clone();
        let played = task::spawn_blocking(move || venue.play_here(&job, &ticket));
        // A game that panics gives no result.
        async { played.await.unwrap_or(Err(HostFault::NoResult)) }
    }
}

impl LocalVenue {
    /// A venue for a run whose processes have this mark, with the watched game on that stage. A turn lasts `tempo` at
    /// least.
    #[must_use]
    pub fn new(mark: String, journals: Journals, stage: Stage, tempo: Duration) -> Self {
        Self { mark, journals: Arc::new(journals), stage, tempo }
    }

    fn play_here(&self, job: &Job, ticket: &Ticket) -> Result<Outcome, HostFault> {
        ticket.begun();
        // A game with a tempo is to be watched, which needs a server.
        if let Some(outcome) = self.tempo.is_zero().then(|| house_game::play(job)).flatten() {
            return Ok(outcome);
        }
        let runtime = runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|source| HostFault::Io { what: "a runtime", source })?;
        runtime.block_on(async {
            tokio::select! {
                outcome = self.play_with_programs(job, ticket) => outcome,
                () = ticket.stop.cancelled() => Err(HostFault::Stopped),
            }
        })
    }

    async fn play_with_programs(&self, job: &Job, ticket: &Ticket) -> Result<Outcome, HostFault> {
        let (began, start) = (SystemTime::now(), Instant::now());
        let pulse = Pulse::start();
        let programs = job.seats.iter().filter(|seat| seat.bot().is_none());
        let settings = hall::Settings {
            admission: Admission::Listed(
                programs.map(|seat| (Name::new(&seat.name), None)).collect(),
            ),
            max_spectators: 0,
            max_connections: SEATS,
            pulse: pulse.clone(),
            gallery: None,
        };
        let (hall, controls) = Hall::new(settings, 0).map_err(|_| HostFault::NoResult)?;
        let hall = tokio::spawn(hall.run());

        let mut players = Vec::with_capacity(SEATS);
        let mut seats = Vec::with_capacity(SEATS);
        let died = Arc::new(Notify::new());
        let mut teams = (0..).map(TeamId);
        for (seat, colour) in job.seats.iter().zip(Colour::first(SEATS)) {
            if let Some(bot) = house_seat(seat, job.rules.rules()) {
                seats.push(bot);
                players.push(Player::House);
            } else if let Some(team) = teams.next() {
                let port = open_door(&controls, team)
                    .map_err(|source| HostFault::Io { what: "a port for a program", source })?;
                let mark = format!("{}:{}:{}", self.mark, job.key, colour.letter());
                let place = Place { port, name: &seat.name, mark: &mark };
                seats.push(SeatFor::Team(team));
                players.push(start_program(job, seat, place, &died)?);
            }
        }

        let came = gather(controls.teams(), &players, died, job.limits.start).await;
        let patience = job.deadline.min(LAST_ANSWERS);
        let (request, observations) = request(job, seats, self.tempo, patience);
        let recording = tokio::spawn(self.stage.clone().record(job.key, observations));
        let playing = controls.play(request).await.map_err(|_| HostFault::NoResult)?;
        ticket.running(playing.progress());
        let played = playing.ended().await.map_err(|_| HostFault::NoResult)?;
        controls.close().await;
        hall.await.map_err(|_| HostFault::NoResult)?;
        let recording = recording.await.map_err(|_| HostFault::NoResult)?;
        let took = start.elapsed();
        let game = PlayedGame { job, result: played.result, recording, began, took };
        let dismissed = Instant::now();
        let outcome = self.conclude(game, players, &came).await;
        let lingered = |fault: &Fault| fault.kind == FaultKind::Lingered;
        let stood_still = pulse.longest_stall_since(dismissed) > FAREWELL / 10;
        let has_lingered =
            outcome.seats.iter().filter_map(|seat| seat.fault.as_ref()).any(lingered);
        match faults::is_spoilt(&outcome) || has_lingered && stood_still {
            true => Err(HostFault::Stalled(Box::new(outcome))),
            false => Ok(outcome),
        }
    }

    /// Ends the programs, keeps what they have written, and gives the outcome of the game.
    async fn conclude(&self, game: PlayedGame<'_>, players: Vec<Player>, came: &[bool]) -> Outcome {
        // One deadline for all: a program that does not end must not use up the time of the others.
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
        let outcome = game.outcome(&starts, &outputs);
        for (seat, output) in outcome.seats.iter().zip(&outputs) {
            if !seat.is_house && (!output.is_empty() || seat.fault.is_some()) {
                self.journals.add(&seat.team, &heading(&outcome, seat), output);
            }
        }
        outcome
    }
}

/// Lets a team in through a port of its own, which is returned.
fn open_door(controls: &Controls, team: TeamId) -> std::io::Result<u16> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    listener.set_nonblocking(true)?;
    let port = listener.local_addr()?.port();
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let door = controls.host().for_team(team);
    tokio::spawn(async move { door.listen(listener).await });
    Ok(port)
}

fn start_program(
    job: &Job,
    seat: &JobSeat,
    place: Place<'_>,
    died: &Arc<Notify>,
) -> Result<Player, HostFault> {
    let Program::Command(command) = &seat.program else {
        return Ok(Player::NotStarted("it plays on another machine".to_owned()));
    };
    match Process::start(command, &job.limits, place) {
        Ok(process) => {
            let (mut ended, died) = (process.watch(), Arc::clone(died));
            tokio::spawn(async move {
                // The sender is gone when the process was not waited for to its end.
                let _ = ended.wait_for(Option::is_some).await;
                died.notify_one();
            });
            Ok(Player::Running(process))
        }
        Err(error @ SpawnError::Own { .. }) => Ok(Player::NotStarted(error.to_string())),
        Err(error @ SpawnError::Machine(_)) => Err(HostFault::Start(error)),
    }
}

impl Player {
    fn is_house(&self) -> bool {
        matches!(self, Self::House)
    }

    /// Whether it may still register: as long as its program runs.
    fn may_come(&self) -> bool {
        matches!(self, Self::Running(process) if process.watch().borrow().is_none())
    }
}

/// Waits until all players are there that may still come; which of them came, by seat.
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

/// The line above the output of a player in its journal.
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
