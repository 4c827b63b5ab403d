//! A machine that plays meetings for a coordinator.
//!
//! A worker asks to play ([`Hello`]), takes one meeting for each of its places from the broker, and plays its games one
//! after the other at a [`LocalVenue`]. It says a few times in the duration of a lease that it still plays. Each result goes
//! to the broker as soon as it is there, until the broker has it; then the meeting is acknowledged. A worker that is told
//! to stop gives its meetings back.

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
use language::said;
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
use crate::commands::isolation;
use crate::stage::Stage;
use crate::venue::{HostFault, LocalVenue, Ticket, Venue};

/// Most attempts at a game here if this machine spoils it every time; then its meeting is given back.
const ATTEMPTS: u32 = 2;
/// Heartbeats in the duration of a lease.
const BEATS: u32 = 3;
/// For the coordinator to answer.
const PATIENCE: Duration = Duration::from_secs(2);
/// Before it is tried again what the broker did not take.
const PAUSE: Duration = Duration::from_millis(250);
/// A request for a meeting waits that long at the broker.
const EXPIRES: Duration = Duration::from_secs(60);
/// Heartbeats of the broker while it has no meetings.
const HEARTBEAT: Duration = Duration::from_secs(5);

/// Options of a worker.
#[derive(Clone, Debug)]
pub struct WorkerOptions {
    /// Its name.
    pub name: WorkerName,
    /// Meetings at a time; when missing, as many as leave each program a core of its own.
    pub places: Option<usize>,
    /// Least level of isolation of programs.
    pub isolation: Level,
    /// Path where packages and the output of programs are kept.
    pub folder: PathBuf,
    /// `true` if it ends with the first tournament.
    pub once: bool,
}

/// End of a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkerEnd {
    /// The tournament is over.
    Over,
    /// It was stopped.
    Stopped,
}

/// Why games are no longer played.
enum Change {
    /// The coordinator has started again: ask it.
    Again,
    /// The tournament is over.
    Over,
    /// The worker is put aside.
    PutAside,
    Stopped,
}

/// Resources that play the meetings of a tournament. Clones are the same.
#[derive(Clone)]
struct Crew {
    link: Link,
    name: WorkerName,
    assignment: Arc<Assignment>,
    engine: Arc<str>,
    venue: LocalVenue,
    packages: Packages,
    /// One package is fetched at a time.
    fetching: Arc<Mutex<()>>,
    /// Cancelled when games are to be given up.
    stop: CancellationToken,
    /// Says that this worker is put aside.
    put_aside: mpsc::UnboundedSender<()>,
    /// Refusals of the broker.
    refusals: Arc<Refusals>,
}

/// End of a meeting.
enum MeetingEnd {
    /// All its results are at the broker.
    Played,
    /// It is somebody else's, or nobody's.
    Lost(Claim),
    /// It was to be given up.
    Stopped,
    /// This machine cannot play it.
    Fault(Vec<Spoilt>),
    /// The broker does not give it a package, and why.
    NoPackage(String),
    /// The broker takes no result of it.
    TooLarge(TooLarge),
}

/// The broker takes no message of this size.
#[derive(Clone, Copy, Debug)]
struct TooLarge {
    bytes: usize,
    allowed: usize,
}

/// Plays until it is stopped, or the first tournament is over if that is asked for.
///
/// # Errors
///
/// When the coordinator refuses this machine, or programs cannot be started here.
pub async fn work(
    link: Link,
    options: WorkerOptions,
    stop: CancellationToken,
) -> anyhow::Result<WorkerEnd> {
    let places = options.places.unwrap_or(1) as u32;
    let mut capacity = tokio::task::spawn_blocking(move || engine::measure(places)).await??;
    let mut news = link.client().subscribe(wire::NEWS).await?;
    // The tournament that is played, as far as is known.
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
                tell!("the tournament is over", "le tournoi est fini");
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

/// Asks to play, and waits for a coordinator if there is none; unless it is stopped, or the current tournament is over.
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
            // A coordinator that is busy answers later.
            Err(error) if matches!(error.kind(), RequestErrorKind::TimedOut) => continue,
            Err(error) => debug!("hello: {error}"),
        }
        if let Some(current) = current
            && link.last_news().await.is_some_and(|news| news.ends(current))
        {
            return Ok(Err(Change::Over));
        }
        if !std::mem::replace(&mut has_told, true) {
            tell!("waiting for a tournament", "en attente d'un tournoi");
        }
        tokio::select! {
            Some(_) = news.next() => {}
            Ok(()) = connections.changed() => {}
            () = stop.cancelled() => return Ok(Err(Change::Stopped)),
        }
    }
}

/// Why a worker is refused, in words.
fn refused(refusal: &Refusal) -> String {
    match refusal {
        Refusal::OtherEngine { expected } => said!(
            "this worker plays by another engine than the coordinator ({expected}): install the same version on both",
            "cette machine joue avec un autre moteur que le tournoi ({expected}) : installez la même version partout"
        ),
        Refusal::TooLate { lateness, allowed } => said!(
            "this machine is too slow or too busy for the deadline of this tournament: late by {lateness:.1?}, expected \
             at most {allowed:.1?}; it may play for tournaments of bots of the house",
            "cette machine est trop lente ou trop chargée pour le délai de ce tournoi : {lateness:.1?} de retard, au plus \
             {allowed:.1?} attendus ; elle peut jouer pour des tournois de bots de la maison"
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
    isolation::say(&isolation::gaps(&runner, level, teams));
    let programs = isolation::programs_per_game(teams);
    let places = options.places.unwrap_or_else(|| isolation::usual_parallel(programs));
    capacity.places = places as u32;
    let name = &assignment.name;
    tell!("{name}: games at a time: {places}", "{name} : parties à la fois : {places}");
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
    // Cancelled when no further meetings are to be taken.
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
            // News of the time without a connection.
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
    /// Says that this machine is there, or leaves.
    async fn beat(&self, places: usize, is_leaving: bool) {
        let (worker, places) = (self.name.clone(), places as u32);
        let heartbeat = Heartbeat { worker, places, load: engine::load(), is_leaving };
        let sent = self.link.client().publish(wire::HEARTBEATS, wire::encode(&heartbeat).into());
        if let Err(error) = sent.await {
            debug!("heartbeat: {error}");
        }
    }

    /// Takes one meeting after the other.
    async fn take_meetings(self, rest: CancellationToken) {
        while !rest.is_cancelled() {
            let mut connections = self.link.connections();
            connections.mark_unchanged();
            let taken = tokio::select! {
                taken = self.take() => taken,
                // A request that waited at the broker is gone with it.
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

    /// Waits for a meeting; `None` if there was none for a while.
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
            // This worker or the meeting is of a tournament that is over.
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
            // The message is another worker's now.
            MeetingEnd::Lost(_) => {}
            MeetingEnd::Stopped => self.give_back(&message, claim, GivenBack::Stopped).await,
            MeetingEnd::NoPackage(why) => {
                self.give_back(&message, claim, GivenBack::NoPackage(why)).await;
            }
            MeetingEnd::TooLarge(TooLarge { bytes, allowed }) => {
                let fault = HostFault::TooLarge { bytes, allowed };
                tell!("a result is not sent: {fault}", "un résultat n'est pas envoyé : {fault}");
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

    /// Says that it plays a meeting, again and again; ends when the coordinator says that it is not to.
    async fn hold(&self, message: &jetstream::Message, claim: &ClaimMessage) -> Claim {
        let mut beats = interval(self.assignment.lease / BEATS);
        beats.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            beats.tick().await;
            acknowledge(message, AckKind::Progress).await;
            match self.claim(claim).await {
                // Without a coordinator, games are played: their results wait for it at the broker.
                None | Some(Claim::Granted) => {}
                Some(refused) => return refused,
            }
        }
    }

    /// Answer of the coordinator to a claim, if it answers.
    async fn claim(&self, claim: &ClaimMessage) -> Option<Claim> {
        let request = Request::new().payload(wire::encode(claim).into()).timeout(Some(PATIENCE));
        let answer = self.link.client().send_request(wire::CLAIMS, request).await.ok()?;
        wire::decode(&answer.payload).ok()
    }

    async fn play_games(&self, jobs: &[Job], token: Token, stop: CancellationToken) -> MeetingEnd {
        let unfit = match jobs.iter().find(|job| !self.assignment.has(&job.map)) {
            None => self.fetch_packages(jobs, &stop).await.err(),
            Some(job) => Some(Unfit::Here(said!(
                "the map {} that has arrived is not the tournament's",
                "la carte {} qui est arrivée n'est pas celle du tournoi",
                job.map.name
            ))),
        };
        match unfit {
            None => {}
            Some(Unfit::AtBroker(why)) => return MeetingEnd::NoPackage(why),
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
                    // The broker may still take what was played.
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

    /// Plays a game, again if this machine spoils it; what was spoilt. Without an outcome, `None` says that it was
    /// stopped.
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
                    tell!("a game is spoilt: {words}", "une partie est gâchée : {words}");
                    let outcome = fault.outcome().ok();
                    let outcome = outcome.map(|it| Outcome { recording: Vec::new(), ..it });
                    spoilt.push(Spoilt { game: job.key, fault: words, outcome });
                }
            }
        }
        Err(Some(spoilt))
    }

    /// Fetches the packages of these games that are not here. A broker that has been emptied is given them again by the
    /// coordinator, which is waited for.
    async fn fetch_packages(&self, jobs: &[Job], stop: &CancellationToken) -> Result<(), Unfit> {
        let seats = jobs.iter().take(1).flat_map(|job| &job.seats);
        let give_up = Instant::now() + self.assignment.lease;
        for hash in seats.filter_map(|seat| seat.package.as_deref()) {
            let _alone = self.fetching.lock().await;
            loop {
                let (packages, own) = (self.packages.clone(), hash.to_owned());
                let is_here = tokio::task::spawn_blocking(move || packages.has(&own)).await;
                if is_here.unwrap_or(false) {
                    break;
                }
                let fetched = tokio::select! {
                    fetched = files::fetch_package(&self.link, hash, &self.packages) => fetched,
                    () = stop.cancelled() => return Ok(()),
                };
                match fetched {
                    Ok(()) => self.refusals.end(),
                    Err(TransferError::Package(error)) => {
                        return Err(Unfit::Here(format!("{error:#}")));
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

/// Why a meeting cannot be played.
enum Unfit {
    /// The package that has arrived here is wrong.
    Here(String),
    /// The broker does not give what is needed.
    AtBroker(String),
}

/// Waits until the broker has all results, or says that it never takes one of them.
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
