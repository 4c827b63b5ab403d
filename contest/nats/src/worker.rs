//! A machine that plays meetings for a coordinator.
//!
//! A worker asks to play ([`Hello`]), takes one meeting for each of its places from the broker, and plays its games one
//! after the other at a [`LocalVenue`]. It renews each lease a few times in the duration of a lease. It sends each result to
//! the broker as soon as the game ends, again until the broker has it, and acknowledges the meeting after its last result.
//! A worker that is told to stop gives its meetings back.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{anyhow, bail};
use async_nats::client::RequestErrorKind;
use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::context::PublishErrorKind;
use async_nats::jetstream::{self, AckKind};
use async_nats::{Request, Subscriber};
use bytes::Bytes;
use cluster::{Capacity, Claim, Refusal, Submission, Token, WorkerName};
use futures_util::StreamExt as _;
use language::{Language, said};
use plan::{Job, Outcome};
use programs::cores::Cores;
use programs::journals::Journals;
use programs::package::Packages;
use sandbox::Level;
use tokio::sync::{Mutex, mpsc};
use tokio::task::JoinSet;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep, timeout};
use tokio_util::sync::CancellationToken;
use tracing::debug;

use super::engine;
use super::files::{self, TransferError};
use super::link::{Link, Refusals};
use super::wire::{
    self, Assignment, ClaimMessage, GivenBack, Heartbeat, Hello, MeetingMessage, ResultMessage,
    Spoilt, Welcome,
};
use programs::isolation;
use tournament::house_game;
use tournament::stage::Stage;
use tournament::venue::{HostFault, LocalVenue, Ticket, Venue};

/// Number of attempts at a game that this machine spoils each time, before its meeting is given back.
const ATTEMPTS: u32 = 2;
/// Heartbeats in the duration of a lease.
const BEATS: u32 = 3;
/// Longest wait for an answer of the coordinator.
const PATIENCE: Duration = Duration::from_secs(2);
/// Pause before a request that the broker refused is repeated.
const PAUSE: Duration = Duration::from_millis(250);
/// Time after which a request for a meeting expires at the broker.
const EXPIRES: Duration = Duration::from_secs(60);
/// Interval of the broker's heartbeats while it has no meetings.
const HEARTBEAT: Duration = Duration::from_secs(5);

/// The settings of a worker.
#[derive(Clone, Debug)]
pub struct WorkerOptions {
    /// The worker's name.
    pub name: WorkerName,
    /// Number of meetings played at a time; `None` for the most that leave each program a core of its own, at least one.
    pub places: Option<usize>,
    /// The least isolation of programs; tournaments may demand more.
    pub isolation: Level,
    /// The folder of packages and of the programs' output.
    pub folder: PathBuf,
    /// Tests if the worker ends with its first tournament.
    pub once: bool,
}

/// The reason why a worker ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkerEnd {
    /// The tournament is over.
    Over,
    /// The worker was stopped.
    Stopped,
}

/// The reason why a worker stops taking meetings.
enum Change {
    /// The coordinator has restarted: the worker asks again to play.
    Again,
    /// The tournament is over.
    Over,
    /// The worker is put aside.
    PutAside,
    Stopped,
}

/// The shared state of all places of a worker during a tournament. Clones share it.
#[derive(Clone)]
struct Crew {
    link: Link,
    name: WorkerName,
    assignment: Arc<Assignment>,
    engine: Arc<str>,
    venue: LocalVenue,
    packages: Packages,
    /// Lock that lets one package be fetched at a time.
    fetching: Arc<Mutex<()>>,
    /// Token that is cancelled to stop the games in progress.
    stop: CancellationToken,
    /// Signals that the coordinator has put this worker aside.
    put_aside: mpsc::UnboundedSender<()>,
    /// The broker's refusals in succession.
    refusals: Arc<Refusals>,
}

/// The end of a meeting at this worker.
enum MeetingEnd {
    /// The broker has all results.
    Played,
    /// The coordinator has refused the lease.
    Lost(Claim),
    /// The games were stopped.
    Stopped,
    /// Host faults of this machine spoil the meeting.
    Fault(Vec<Spoilt>),
    /// The broker delivers no package; the last error.
    NoPackage(String),
    /// The broker refuses a result for its size.
    TooLarge(TooLarge),
    /// The message with the meeting is not the coordinator's.
    Foreign(String),
}

/// The size of a message and the broker's limit, which it exceeds; in bytes.
#[derive(Clone, Copy, Debug)]
struct TooLarge {
    bytes: usize,
    allowed: usize,
}

/// Plays until `stop` is cancelled, or with `once` until the first tournament is over.
///
/// # Errors
///
/// When the coordinator refuses this machine, or programs cannot be started here.
pub async fn work(
    link: Link,
    options: WorkerOptions,
    stop: CancellationToken,
) -> anyhow::Result<WorkerEnd> {
    if !wire::is_name(&options.name) {
        bail!(said!(
            "the name of this worker has more than {} bytes",
            "le nom de cet ouvrier fait plus de {} octets",
            wire::NAME
        ));
    }
    let places = options.places.unwrap_or(1) as u32;
    let mut capacity = tokio::task::spawn_blocking(move || engine::measure(places)).await??;
    let mut news = link.client().subscribe(wire::NEWS).await?;
    // The identifier of the tournament in progress; `None` if none is known.
    let mut current = None;
    loop {
        let known = current.as_deref();
        let change = match welcome(&link, &options, &capacity, known, &mut news, &stop).await? {
            Ok(assignment) => {
                current = Some(assignment.tournament.clone());
                play(&link, &options, &mut capacity, assignment, &mut news, &stop).await?
            }
            Err(change) => change,
        };
        match change {
            Change::Again => {}
            Change::Over => {
                cli::tell!("the tournament is over", "le tournoi est fini");
                if options.once {
                    return Ok(WorkerEnd::Over);
                }
                current = None;
            }
            Change::PutAside => bail!(refused(&Refusal::PutAside { faults: 0 })),
            Change::Stopped => return Ok(WorkerEnd::Stopped),
        }
    }
}

/// Asks to play; waits for a coordinator until the worker is stopped or the current tournament is over.
async fn welcome(
    link: &Link,
    options: &WorkerOptions,
    capacity: &Capacity,
    current: Option<&str>,
    news: &mut Subscriber,
    stop: &CancellationToken,
) -> anyhow::Result<Result<Assignment, Change>> {
    let hello = Hello { worker: options.name.clone(), capacity: capacity.clone() };
    let hello = Bytes::from(wire::encode(&hello));
    let mut connections = link.connections();
    let mut has_told = false;
    loop {
        let request = Request::new().payload(hello.clone()).timeout(Some(PATIENCE));
        let asked = tokio::select! {
            asked = link.client().send_request(wire::HELLO, request) => asked,
            () = stop.cancelled() => return Ok(Err(Change::Stopped)),
        };
        match asked {
            Ok(answer) => match wire::decode::<Welcome>(&answer.payload) {
                Ok(Welcome::Admitted(assignment)) => {
                    let is_other = current.is_some_and(|known| known != assignment.tournament);
                    return Ok(if is_other { Err(Change::Over) } else { Ok(*assignment) });
                }
                Ok(Welcome::Refused(refusal)) => bail!(refused(&refusal)),
                Err(error) => bail!(said!(
                    "the coordinator is of another version: {error}",
                    "le tournoi est joué par une autre version : {error}"
                )),
            },
            // The coordinator is there, but busy.
            Err(error) if matches!(error.kind(), RequestErrorKind::TimedOut) => continue,
            Err(error) => debug!("hello: {error}"),
        }
        if let Some(current) = current
            && link.last_news().await.is_some_and(|news| news.ends(current))
        {
            return Ok(Err(Change::Over));
        }
        if !std::mem::replace(&mut has_told, true) {
            cli::tell!("waiting for a tournament", "en attente d'un tournoi");
        }
        tokio::select! {
            Some(_) = news.next() => {}
            Ok(()) = connections.changed() => {}
            () = stop.cancelled() => return Ok(Err(Change::Stopped)),
        }
    }
}

/// The reason of a refusal, in words for the machine.
pub(crate) fn refused(refusal: &Refusal) -> String {
    match refusal {
        Refusal::OtherEngine { expected } => said!(
            "this worker plays by another engine than the coordinator ({expected}): install the same version on both",
            "cette machine joue avec un autre moteur que le tournoi ({expected}) : installez la même version partout"
        ),
        Refusal::TooLate { lateness, allowed } => said!(
            "this machine is too slow or too busy for the deadline of this tournament: late by {}, expected \
             at most {}; it may play for tournaments of bots of the house",
            "cette machine est trop lente ou trop chargée pour le délai de ce tournoi : {} de retard, au plus \
             {} attendus ; elle peut jouer pour des tournois de bots de la maison",
            Language::chosen().duration(*lateness),
            Language::chosen().duration(*allowed)
        ),
        Refusal::PutAside { .. } => said!(
            "this machine has spoilt too many games, and is put aside",
            "cette machine a gâché trop de parties, et est mise à l'écart"
        ),
    }
}

async fn play(
    link: &Link,
    options: &WorkerOptions,
    capacity: &mut Capacity,
    assignment: Assignment,
    news: &mut Subscriber,
    stop: &CancellationToken,
) -> anyhow::Result<Change> {
    let packages = Packages::new(options.folder.join("packages"));
    let journals = options.folder.join("journals");
    let level = if assignment.is_strict { Level::Strict } else { options.isolation };
    let teams = &assignment.teams;
    let runner = isolation::runner(level, teams, vec![journals.clone()], None, packages.clone())?;
    for gap in isolation::gaps(&runner, level, teams) {
        cli::say!("{gap}");
    }
    let programs = isolation::programs_per_game(teams);
    let places = options.places.unwrap_or_else(|| isolation::usual_parallel(programs));
    capacity.places = places as u32;
    let name = &assignment.name;
    cli::tell!("{name}: games at a time: {places}", "{name} : parties à la fois : {places}");
    let venue = LocalVenue::new(
        Arc::new(runner),
        Cores::new(places * programs),
        Journals::new(journals),
        Stage::new(None),
        Duration::ZERO,
    );
    let (put_aside, mut is_put_aside) = mpsc::unbounded_channel();
    let crew = Crew {
        link: link.clone(),
        name: options.name.clone(),
        assignment: Arc::new(assignment),
        engine: capacity.engine.as_str().into(),
        venue,
        packages,
        fetching: Arc::default(),
        stop: stop.child_token(),
        put_aside,
        refusals: Arc::default(),
    };
    // Token that is cancelled to take no further meetings.
    let rest = crew.stop.child_token();
    let mut all = JoinSet::new();
    for _ in 0..places {
        all.spawn(crew.clone().take_meetings(rest.clone()));
    }
    let mut beats = interval(crew.assignment.lease / BEATS);
    beats.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut connections = link.connections();
    connections.mark_unchanged();
    let mut change = Change::Stopped;
    loop {
        let news = tokio::select! {
            ended = all.join_next() => match ended {
                Some(_) => continue,
                None => break,
            },
            _ = beats.tick() => {
                crew.beat(places, false).await;
                continue;
            }
            Some(()) = is_put_aside.recv() => {
                change = Change::PutAside;
                rest.cancel();
                continue;
            }
            Some(message) = news.next() => wire::decode(&message.payload).ok(),
            // Fetches news missed without a connection.
            Ok(()) = connections.changed() => link.last_news().await,
        };
        match news {
            Some(news) if news.ends(&crew.assignment.tournament) => {
                change = Change::Over;
                crew.stop.cancel();
            }
            // Games in progress are finished first.
            Some(_) if matches!(change, Change::Stopped) => {
                change = Change::Again;
                rest.cancel();
            }
            _ => {}
        }
    }
    if stop.is_cancelled() {
        change = Change::Stopped;
    }
    if !matches!(change, Change::Again) {
        crew.beat(places, true).await;
    }
    let _ = timeout(PATIENCE, link.client().flush()).await;
    Ok(change)
}

impl Crew {
    /// Sends a heartbeat: this machine is alive, or leaves.
    async fn beat(&self, places: usize, is_leaving: bool) {
        let (worker, places) = (self.name.clone(), places as u32);
        let heartbeat = Heartbeat { worker, places, load: engine::load(), is_leaving };
        let sent = self.link.client().publish(wire::HEARTBEATS, wire::encode(&heartbeat).into());
        if let Err(error) = sent.await {
            debug!("heartbeat: {error}");
        }
    }

    /// Takes and plays one meeting after the other until `rest` is cancelled.
    async fn take_meetings(self, rest: CancellationToken) {
        while !rest.is_cancelled() {
            let mut connections = self.link.connections();
            connections.mark_unchanged();
            let taken = tokio::select! {
                taken = self.take() => taken,
                // The broker loses waiting requests with the connection.
                Ok(()) = connections.changed() => continue,
                () = rest.cancelled() => return,
            };
            match taken {
                Ok(message) => {
                    self.refusals.end();
                    if let Some(message) = message {
                        self.play_meeting(message).await;
                    }
                }
                Err(error) => {
                    self.refusals.count(&self.link, &error);
                    tokio::select! {
                        () = sleep(PAUSE) => {}
                        () = rest.cancelled() => return,
                    }
                }
            }
        }
    }

    /// Waits for a meeting; `None` if the request expires.
    async fn take(&self) -> anyhow::Result<Option<jetstream::Message>> {
        let consumer: PullConsumer =
            self.link.jetstream().get_consumer_from_stream(wire::WORKERS, wire::MEETINGS).await?;
        let batch = consumer.batch().max_messages(1).expires(EXPIRES).heartbeat(HEARTBEAT);
        let mut batch = batch.messages().await?;
        batch.next().await.transpose().map_err(|error| anyhow!(error))
    }

    async fn play_meeting(&self, message: jetstream::Message) {
        let (meeting, delivery) = match (wire::decode(&message.payload), message.info()) {
            (Ok(meeting), Ok(info)) => (meeting, info.delivered.unsigned_abs()),
            _ => return acknowledge(&message, AckKind::Term).await,
        };
        let MeetingMessage { tournament, publication, jobs } = meeting;
        if tournament != self.assignment.tournament {
            // The tournament of this worker or that of the meeting is over.
            return acknowledge(&message, AckKind::Nak(Some(PATIENCE))).await;
        }
        let Some(first) = jobs.first() else {
            return acknowledge(&message, AckKind::Term).await;
        };
        let token = Token { publication, delivery };
        let claim = ClaimMessage {
            worker: self.name.clone(),
            tournament,
            meeting: first.matchup,
            token,
            given_back: None,
        };
        if delivery > u64::from(self.assignment.deliveries)
            && self.claim(&claim).await != Some(Claim::Granted)
        {
            return acknowledge(&message, AckKind::Nak(Some(self.assignment.lease))).await;
        }
        let stop = self.stop.child_token();
        let end = tokio::select! {
            end = self.play_games(&jobs, token, stop.clone()) => end,
            refused = self.hold(&message, &claim) => MeetingEnd::Lost(refused),
        };
        stop.cancel();
        match end {
            MeetingEnd::Played => acknowledge(&message, AckKind::Ack).await,
            MeetingEnd::Lost(Claim::Unwanted) => acknowledge(&message, AckKind::Term).await,
            MeetingEnd::Lost(Claim::PutAside) => {
                acknowledge(&message, AckKind::Nak(None)).await;
                let _ = self.put_aside.send(());
            }
            // Another worker has the message now.
            MeetingEnd::Lost(_) => {}
            MeetingEnd::Stopped => self.give_back(&message, claim, GivenBack::Stopped).await,
            MeetingEnd::Foreign(why) => {
                cli::tell!(
                    "a meeting is not played: {why}",
                    "une rencontre n'est pas jouée : {why}"
                );
                self.claim(&ClaimMessage { given_back: Some(GivenBack::Foreign(why)), ..claim })
                    .await;
                acknowledge(&message, AckKind::Term).await;
            }
            MeetingEnd::NoPackage(why) => {
                self.give_back(&message, claim, GivenBack::NoPackage(why)).await;
            }
            MeetingEnd::TooLarge(TooLarge { bytes, allowed }) => {
                let fault = HostFault::TooLarge { bytes, allowed };
                cli::tell!(
                    "a result is not sent: {fault}",
                    "un résultat n'est pas envoyé : {fault}"
                );
                self.give_back(&message, claim, GivenBack::TooLarge { bytes, allowed }).await;
            }
            MeetingEnd::Fault(spoilt) => {
                self.give_back(&message, claim, GivenBack::Fault(spoilt)).await;
            }
        }
    }

    async fn give_back(&self, message: &jetstream::Message, claim: ClaimMessage, why: GivenBack) {
        self.claim(&ClaimMessage { given_back: Some(why), ..claim }).await;
        acknowledge(message, AckKind::Nak(None)).await;
    }

    /// Renews the lease of a meeting until the coordinator refuses; returns the refusal.
    async fn hold(&self, message: &jetstream::Message, claim: &ClaimMessage) -> Claim {
        let mut beats = interval(self.assignment.lease / BEATS);
        beats.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            beats.tick().await;
            acknowledge(message, AckKind::Progress).await;
            match self.claim(claim).await {
                // Games go on without a coordinator: their results wait at the broker.
                None | Some(Claim::Granted) => {}
                Some(refused) => return refused,
            }
        }
    }

    /// Sends a claim and returns the coordinator's answer; `None` if it does not answer.
    async fn claim(&self, claim: &ClaimMessage) -> Option<Claim> {
        let request = Request::new().payload(wire::encode(claim).into()).timeout(Some(PATIENCE));
        let answer = self.link.client().send_request(wire::CLAIMS, request).await.ok()?;
        wire::decode(&answer.payload).ok()
    }

    async fn play_games(&self, jobs: &[Job], token: Token, stop: CancellationToken) -> MeetingEnd {
        let foreign_map = jobs.iter().find(|job| !self.assignment.has(&job.map)).map(|job| {
            said!(
                "the map {} that has arrived is not the tournament's",
                "la carte {} qui est arrivée n'est pas celle du tournoi",
                job.map.name
            )
        });
        let mut seats = jobs.iter().flat_map(|job| &job.seats);
        let foreign = foreign_map.or_else(|| seats.find_map(|seat| house_game::bot_of(seat).err()));
        let unfit = match foreign {
            None => self.fetch_packages(jobs, &stop).await.err(),
            Some(why) => Some(Unfit::Foreign(why)),
        };
        match unfit {
            None => {}
            Some(Unfit::AtBroker(why)) => return MeetingEnd::NoPackage(why),
            Some(Unfit::Foreign(why)) => return MeetingEnd::Foreign(why),
            Some(Unfit::Here(fault)) => {
                let game = jobs.first().map(|job| job.key);
                let spoilt = game.map(|game| Spoilt { game, fault, outcome: None });
                return MeetingEnd::Fault(spoilt.into_iter().collect());
            }
        }
        // Results that the broker does not have yet.
        let mut sending = JoinSet::new();
        for job in jobs {
            let (outcome, spoilt) = match self.play_game(job, &stop).await {
                Ok(played) => played,
                Err(spoilt) => {
                    // The broker may still take the results of earlier games.
                    let _ = timeout(PATIENCE, all_sent(&mut sending)).await;
                    return spoilt.map_or(MeetingEnd::Stopped, MeetingEnd::Fault);
                }
            };
            let message = ResultMessage {
                tournament: self.assignment.tournament.clone(),
                submission: Submission {
                    worker: self.name.clone(),
                    engine: self.engine.to_string(),
                    meeting: job.matchup,
                    game: job.key,
                    token,
                },
                packages: job.seats.iter().map(|seat| seat.package.clone()).collect(),
                outcome,
                spoilt,
            };
            let crew = self.clone();
            sending.spawn(async move { crew.send(message.encode().into()).await });
        }
        tokio::select! {
            sent = all_sent(&mut sending) => match sent {
                Ok(()) => MeetingEnd::Played,
                Err(too_large) => MeetingEnd::TooLarge(too_large),
            },
            () = async { stop.cancelled().await; sleep(PATIENCE).await } => MeetingEnd::Stopped,
        }
    }

    /// Sends a result, until the broker has it.
    ///
    /// # Errors
    ///
    /// When the broker never takes a message of that size.
    async fn send(&self, payload: Bytes) -> Result<(), TooLarge> {
        let (bytes, allowed) = (payload.len(), self.link.client().max_payload());
        loop {
            let sent = self.link.jetstream().publish(wire::RESULT, payload.clone()).await;
            let error = match sent {
                Ok(acknowledged) => match acknowledged.await {
                    Ok(_) => {
                        self.refusals.end();
                        return Ok(());
                    }
                    Err(error) => error,
                },
                Err(error) => error,
            };
            if error.kind() == PublishErrorKind::MaxPayloadExceeded || bytes > allowed {
                return Err(TooLarge { bytes, allowed });
            }
            self.refusals.count(&self.link, &error);
            sleep(PAUSE).await;
        }
    }

    /// Plays a game, again if this machine spoils it. Returns the outcome and the spoilt attempts; without an outcome, only
    /// these, or `None` if the game was stopped.
    async fn play_game(
        &self,
        job: &Job,
        stop: &CancellationToken,
    ) -> Result<(Outcome, Vec<Spoilt>), Option<Vec<Spoilt>>> {
        let mut spoilt = Vec::new();
        for attempt in 0..ATTEMPTS {
            if attempt > 0 {
                sleep(LocalVenue::PAUSE).await;
            }
            let ticket = Ticket::silent(stop.clone());
            match self.venue.clone().play(job.clone(), ticket).await {
                Ok(outcome) => return Ok((outcome, spoilt)),
                Err(HostFault::Stopped) => return Err(None),
                Err(fault) => {
                    let words = fault.to_string();
                    cli::tell!("a game is spoilt: {words}", "une partie est gâchée : {words}");
                    let outcome = fault.outcome().ok();
                    let outcome = outcome.map(|it| Outcome { recording: Vec::new(), ..it });
                    spoilt.push(Spoilt { game: job.key, fault: words, outcome });
                }
            }
        }
        Err(Some(spoilt))
    }

    /// Fetches the packages of these games that this machine lacks. Waits for the duration of a lease for the coordinator
    /// to restore packages that the broker has lost.
    async fn fetch_packages(&self, jobs: &[Job], stop: &CancellationToken) -> Result<(), Unfit> {
        let seats = jobs.iter().take(1).flat_map(|job| &job.seats);
        let give_up = Instant::now() + self.assignment.lease;
        for hash in seats.filter_map(|seat| seat.package.as_deref()) {
            let Some(&size) = self.assignment.packages.get(hash) else {
                return Err(Unfit::Foreign(said!(
                    "the package {hash} is of no team of the tournament",
                    "le paquet {hash} n'est celui d'aucune équipe du tournoi"
                )));
            };
            let _alone = self.fetching.lock().await;
            loop {
                let (packages, own) = (self.packages.clone(), hash.to_owned());
                let is_here = tokio::task::spawn_blocking(move || packages.has(&own)).await;
                if is_here.unwrap_or(false) {
                    break;
                }
                let fetched = tokio::select! {
                    fetched = files::fetch_package(&self.link, hash, size, &self.packages) => fetched,
                    () = stop.cancelled() => return Ok(()),
                };
                match fetched {
                    Ok(()) => self.refusals.end(),
                    Err(TransferError::Package(error)) => {
                        return Err(Unfit::Here(format!("{error:#}")));
                    }
                    Err(TransferError::Replaced(error)) => {
                        return Err(Unfit::AtBroker(format!("{error:#}")));
                    }
                    Err(TransferError::Broker(error)) => {
                        self.refusals.count(&self.link, &error);
                        if Instant::now() > give_up {
                            return Err(Unfit::AtBroker(format!("{error:#}")));
                        }
                        sleep(PAUSE).await;
                    }
                }
            }
        }
        Ok(())
    }
}

/// The reason why a meeting cannot be played.
enum Unfit {
    /// A package cannot be kept on this machine.
    Here(String),
    /// The broker does not deliver a package, or another one.
    AtBroker(String),
    /// The meeting is not one of the tournament's.
    Foreign(String),
}

/// Waits until the broker has taken each result, or refused it for its size.
async fn all_sent(sending: &mut JoinSet<Result<(), TooLarge>>) -> Result<(), TooLarge> {
    let mut all = Ok(());
    while let Some(sent) = sending.join_next().await {
        all = all.and(sent.unwrap_or(Ok(())));
    }
    all
}

async fn acknowledge(message: &jetstream::Message, kind: AckKind) {
    if let Err(error) = message.ack_with(kind).await {
        debug!("acknowledgement: {error}");
    }
}
