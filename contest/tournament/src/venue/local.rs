//! This machine: programs of teams are started, seated in a hall of their own, and ended.

use std::future::poll_fn;
use std::iter;
use std::sync::Arc;
use std::task::Poll;
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use arena::Hall;
use arena::hall::{self, Admission, Controls, Presence, SeatFor, TeamId, TeamPresence};
use language::{Language, said};
use plan::{Fault, Job, JobSeat, MissedTurn, Note, Outcome, Program, SEATS, SeatOutcome, Usage};
use programs::RecentOutput;
use programs::cores::Cores;
use programs::journals::Journals;
use programs::process::{Process, ProcessResult};
use programs::runner::Runner;
use protocol::Name;
use pulse::Pulse;
use sandbox::{LaunchError, Meter, Protection, ResourceUse};
use tokio::sync::watch;
use tokio::time::{sleep, timeout_at};
use tokio::{runtime, task};

use super::{HostFault, Ticket, Venue, house_seat, request, witness};
use crate::faults::{self, Period, PlayedGame, Start};
use crate::featured::FeaturedGame;
use crate::house_game;

/// Longest wait for answers to the final state, before players are dismissed.
const LAST_ANSWERS: Duration = Duration::from_millis(100);
/// Time for a program to end after its dismissal, with a core of its own.
const FAREWELL: Duration = Duration::from_secs(1);

/// Tolerance on a program's share of the processors, as a factor.
const MORE: f64 = 1.25;

/// Games on this machine, each on a thread with a runtime of its own. Clones are the same venue.
///
/// Games between bots of the house are played without a server.
#[derive(Clone, Debug)]
pub struct LocalVenue {
    runner: Arc<Runner>,
    journals: Arc<Journals>,
    featured: FeaturedGame,
    tempo: Duration,
    cores: Cores,
}

enum Player {
    House,
    Running(Box<Process>),
    NotStarted(Note),
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
        let played = self.play_and_read(job, ticket);
        async move {
            let (outcome, outputs) = played.await?;
            for (seat, output) in outcome.seats.iter().zip(&outputs) {
                if !seat.is_house && (!output.is_empty() || seat.fault.is_some()) {
                    venue.journals.add(&seat.team, &heading(&outcome, seat), output);
                }
            }
            Ok(outcome)
        }
    }
}

impl LocalVenue {
    /// A venue where `runner` starts the programs on `cores` and shows the `featured` game. A turn lasts at least
    /// `tempo`.
    #[must_use]
    pub fn new(
        runner: Arc<Runner>,
        cores: Cores,
        journals: Journals,
        featured: FeaturedGame,
        tempo: Duration,
    ) -> Self {
        Self { runner, journals: Arc::new(journals), featured, tempo, cores }
    }

    /// Plays a game as [`Venue::play`] does. Also returns what the program in each seat has written, which no journal gets.
    ///
    /// # Errors
    ///
    /// The future fails as that of [`Venue::play`].
    pub fn play_and_read(
        &self,
        job: Job,
        ticket: Ticket,
    ) -> impl Future<Output = Result<(Outcome, Vec<Vec<u8>>), HostFault>> + Send + 'static {
        let venue = self.clone();
        let played = task::spawn_blocking(move || venue.play_here(&job, &ticket));
        // A game that panics gives no result.
        async { played.await.unwrap_or(Err(HostFault::NoResult)) }
    }

    fn play_here(&self, job: &Job, ticket: &Ticket) -> Result<(Outcome, Vec<Vec<u8>>), HostFault> {
        ticket.begun();
        // Games with a tempo are watched, and only a server has spectators.
        if let Some(outcome) = self.tempo.is_zero().then(|| house_game::play(job)).flatten() {
            return Ok((outcome, vec![Vec::new(); SEATS]));
        }
        let runtime = runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(HostFault::Io)?;
        runtime.block_on(async {
            tokio::select! {
                outcome = self.play_with_programs(job, ticket) => outcome,
                () = ticket.stop.cancelled() => Err(HostFault::Stopped),
            }
        })
    }

    async fn play_with_programs(
        &self,
        job: &Job,
        ticket: &Ticket,
    ) -> Result<(Outcome, Vec<Vec<u8>>), HostFault> {
        let (began, start) = (SystemTime::now(), Instant::now());
        let pulse = Pulse::start();
        let programs: Vec<_> = job.seats.iter().filter(|seat| seat.bot().is_none()).collect();
        let settings = hall::HallSettings {
            admission: Admission::Listed(
                programs.iter().map(|seat| (Name::new(&seat.name), None)).collect(),
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
        let own_cores = self.cores.take(programs.len());
        let cores = own_cores.iter().flat_map(|cores| cores.numbers().iter().copied());
        let mut started = self.start_programs(job, &programs, cores)?.into_iter();
        let mut teams = (0..).map(TeamId);
        for seat in &job.seats {
            if let Some(bot) = house_seat(seat, job.rules.rules())? {
                seats.push(bot);
                players.push(Player::House);
            } else if let (Some(team), Some(mut player)) = (teams.next(), started.next()) {
                if let Player::Running(process) = &mut player {
                    admit_program(&controls, team, process).map_err(HostFault::Io)?;
                }
                seats.push(SeatFor::Team(team));
                players.push(player);
            }
        }

        let came =
            await_players(controls.teams(), &mut players, self.cores.wall_time(job.limits.start))
                .await;
        let patience = job.deadline.min(LAST_ANSWERS);
        let (mut request, observations) = request(job, seats, self.tempo, patience);
        request.deadline = self.cores.wall_time(job.deadline);
        let outputs = players.iter().map(Player::recent_output).collect();
        let recording = tokio::spawn(self.featured.clone().record(job.key, observations, outputs));
        let (witness, observations) = super::observations(job);
        request.observers.push(witness.into());
        let meters = players.iter().map(Player::meter).collect();
        let missed = tokio::spawn(witness::watch(observations, meters, request.deadline));
        let playing = controls.play(request).await.map_err(|_| HostFault::NoResult)?;
        ticket.running(playing.progress.clone());
        let played = playing.ended().await.map_err(|_| HostFault::NoResult)?;
        controls.close().await;
        hall.await.map_err(|_| HostFault::NoResult)?;
        let recording = recording.await.map_err(|_| HostFault::NoResult)?;
        let missed = missed.await.map_err(|_| HostFault::NoResult)?;
        let took = start.elapsed();
        let cores = Some(&self.cores);
        let game = PlayedGame { job, result: played.result, recording, began, took, cores };
        let (outcome, outputs) =
            conclude(game, players, &came, missed, &self.cores, &pulse).await?;
        let is_spoilt = faults::is_spoilt(&outcome) || faults::has_starved(&outcome, &self.cores);
        if is_spoilt && !self.may_be_caused(&outcome) {
            Err(HostFault::Stalled(Box::new(outcome)))
        } else {
            Ok((outcome, outputs))
        }
    }

    /// Tests if a program may have stalled this machine on purpose, to have a game repeated that it was about to lose: by
    /// a signal, by too many processes, or by taking more than its share of the processors.
    fn may_be_caused(&self, outcome: &Outcome) -> bool {
        let part = self.cores.processor_time(outcome.took).mul_f64(MORE);
        let takes_more = |seat: &SeatOutcome| {
            let cpu = seat.usage.as_ref().and_then(|usage| usage.cpu);
            cpu.is_none_or(|cpu| cpu > part)
        };
        let mut programs = outcome.seats.iter().filter(|seat| seat.usage.is_some());
        !self.runner.protects(Protection::Namespaces)
            || programs
                .clone()
                .any(|seat| seat.usage.as_deref().is_some_and(|it| faults::bursts(&it.missed)))
            || !self.runner.protects(Protection::CpuShare) && programs.any(takes_more)
    }

    /// Starts the programs of these seats, all at once: most of a start is waiting for the kernel.
    fn start_programs(
        &self,
        job: &Job,
        seats: &[&JobSeat],
        cores: impl Iterator<Item = u32>,
    ) -> Result<Vec<Player>, HostFault> {
        let runtime = runtime::Handle::current();
        let cores = cores.map(Some).chain(iter::repeat(None));
        thread::scope(|scope| {
            let start = |(&seat, core)| {
                let runtime = runtime.clone();
                thread::Builder::new().spawn_scoped(scope, move || {
                    let _inside = runtime.enter();
                    self.start_program(job, seat, core)
                })
            };
            let starts: Vec<_> = seats.iter().zip(cores).map(start).collect();
            let started = starts.into_iter().map(|start| {
                let start = start.map_err(HostFault::Io)?;
                // A start that panics gives no result.
                start.join().unwrap_or(Err(HostFault::NoResult))
            });
            started.collect()
        })
    }

    fn start_program(
        &self,
        job: &Job,
        seat: &JobSeat,
        core: Option<u32>,
    ) -> Result<Player, HostFault> {
        let Program::Command(command) = &seat.program else {
            return Ok(Player::NotStarted(Note::new(
                "it plays on another machine",
                "il joue sur une autre machine",
            )));
        };
        match self.runner.start(command, seat.package.as_deref(), &job.limits, core, &seat.name) {
            Ok(process) => Ok(Player::Running(Box::new(process))),
            Err(error @ LaunchError::Program { .. }) => {
                let what = Note::new("its program does not start", "son programme ne démarre pas");
                Ok(Player::NotStarted(what.because(&error.note())))
            }
            Err(error @ LaunchError::Machine { .. }) => Err(HostFault::Start(error)),
        }
    }
}

/// Ends the programs, and returns the outcome of the game and what each program has written.
async fn conclude(
    game: PlayedGame<'_>,
    players: Vec<Player>,
    came: &[bool],
    missed: Vec<Vec<MissedTurn>>,
    cores: &Cores,
    pulse: &Pulse,
) -> Result<(Outcome, Vec<Vec<u8>>), HostFault> {
    // Programs may think about the final state as long as about any other.
    let patience = cores.wall_time(game.job.deadline + FAREWELL);
    let mut starts = Vec::with_capacity(SEATS);
    let mut outputs = Vec::with_capacity(SEATS);
    let ends = players.into_iter().zip(came).zip(missed).map(|((player, &came), missed)| {
        let pulse = pulse.clone();
        tokio::spawn(async move { player.end(came, missed, patience, &pulse).await })
    });
    let ends: Vec<_> = ends.collect();
    for end in ends {
        let (start, output) = end.await.map_err(|_| HostFault::NoResult)?;
        starts.push(start);
        outputs.push(output);
    }
    Ok((game.outcome(&starts, &outputs), outputs))
}

/// Lets a team in through the socket of its program, which no other program can reach if programs are isolated.
fn admit_program(controls: &Controls, team: TeamId, process: &mut Process) -> std::io::Result<()> {
    if let Some(listener) = process.take_listener()? {
        let door = controls.host.for_team(team);
        tokio::spawn(async move { door.listen(listener).await });
    }
    Ok(())
}

impl Player {
    fn meter(&self) -> Option<Meter> {
        match self {
            Self::Running(process) => Some(process.meter()),
            Self::House | Self::NotStarted(_) => None,
        }
    }

    fn recent_output(&self) -> Option<RecentOutput> {
        match self {
            Self::Running(process) => Some(process.recent_output()),
            Self::House | Self::NotStarted(_) => None,
        }
    }

    fn is_house(&self) -> bool {
        matches!(self, Self::House)
    }

    /// Tests if the player may still register: its program runs.
    fn may_come(&self) -> bool {
        matches!(self, Self::Running(process) if !process.has_ended())
    }

    /// Ends the program after `patience`, unless it ends earlier by itself. Returns its start and its output.
    async fn end(
        self,
        came: bool,
        missed: Vec<MissedTurn>,
        patience: Duration,
        pulse: &Pulse,
    ) -> (Start, Vec<u8>) {
        match self {
            Self::House => (Start::House, Vec::new()),
            Self::NotStarted(why) => (Start::Failed(why), Vec::new()),
            Self::Running(mut process) => {
                let lingered = await_end(&mut process, patience, pulse).await;
                let ProcessResult { report, output } = process.finish().await;
                (Start::Running { came, report, missed, lingered }, output)
            }
        }
    }
}

/// Waits at most `patience` for the end of a program, and as much longer as this machine stalled at a time. Returns the whole
/// wait, with the program's resource use, if the program did not end.
async fn await_end(process: &mut Process, patience: Duration, pulse: &Pulse) -> Option<Period> {
    let (meter, start) = (process.meter(), Instant::now());
    let before = meter.read();
    let mut stalled = Duration::ZERO;
    while timeout_at((start + patience + stalled).into(), process.wait()).await.is_err() {
        let longest = pulse.longest_stall_since(start);
        if longest <= stalled {
            let ResourceUse { cpu, waited, .. } = meter.read().since(&before);
            return Some(Period { length: start.elapsed(), cpu, waited });
        }
        stalled = longest;
    }
    None
}

/// Waits at most `patience` for all players that may still register. Returns by seat if the player came.
async fn await_players(
    mut teams: watch::Receiver<Vec<TeamPresence>>,
    players: &mut [Player],
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
            () = any_end(players) => {}
            () = &mut patience => return came,
        }
    }
}

async fn any_end(players: &mut [Player]) {
    poll_fn(|context| {
        let mut ended = false;
        for player in &mut *players {
            if let Player::Running(process) = player
                && !process.has_ended()
            {
                ended |= process.poll_end(context).is_ready();
            }
        }
        if ended { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
}

/// The line above the output of a player in its journal.
fn heading(outcome: &Outcome, seat: &SeatOutcome) -> String {
    let began = humantime::format_rfc3339_seconds(outcome.began);
    let names: Vec<_> = outcome.seats.iter().map(|seat| seat.team.as_str()).collect();
    let Outcome { round, map, elapsed, turns, .. } = outcome;
    let fault = seat.fault.as_deref().map_or_else(String::new, |fault| {
        let Fault { kind, detail, .. } = fault;
        let turn =
            fault.turn().map_or_else(String::new, |turn| said!(", turn {turn}", ", tour {turn}"));
        let detail = detail.say(Language::chosen());
        said!("; {kind}{turn}: {detail}", " ; faute{turn} : {detail}")
    });
    let names = names.join(", ");
    let used =
        seat.usage.as_deref().filter(|_| seat.fault.is_some()).map_or_else(String::new, used);
    let heading = said!(
        "round {round}, {map}, {names}: {elapsed} of {turns} turns",
        "manche {round}, {map}, {names} : {elapsed} tours sur {turns}"
    );
    format!("{began} {heading}{fault}{used}")
}

/// The processor use of a program, in words.
fn used(usage: &Usage) -> String {
    let seconds = |time: Duration| Language::chosen().decimal(time.as_secs_f64(), 2);
    let cpu = usage.cpu.map(|time| {
        let time = seconds(time);
        said!("; {time} s of processor time", " ; {time} s de temps de calcul")
    });
    let waited = usage.cpu_pressure.or(usage.run_delay).map(|time| {
        let time = seconds(time);
        said!("; {time} s waited for processors", " ; {time} s d'attente d'un processeur")
    });
    [cpu, waited].map(Option::unwrap_or_default).concat()
}
