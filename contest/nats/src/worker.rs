//! A machine that plays matchups for a coordinator.
//!
//! A worker asks to play ([`Hello`]), takes one matchup for each of its places from the broker, and plays its games one
//! after the other at a [`LocalVenue`]. It renews each lease a few times in the duration of a lease. It sends each result to
//! the broker as soon as the game ends, again until the broker has it, and acknowledges the matchup after its last result.
//! A worker that is told to stop gives its matchups back.

mod packages;
mod places;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::bail;
use async_nats::client::RequestErrorKind;
use async_nats::{Request, Subscriber};
use bytes::Bytes;
use cluster::{Capacity, Refusal, WorkerName};
use futures_util::StreamExt as _;
use language::{Language, said};
use places::WorkerPlaces;
use programs::cores::Cores;
use programs::isolation;
use programs::journals::Journals;
use programs::package::Packages;
use sandbox::Level;
use tokio::sync::{Mutex, mpsc};
use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval, timeout};
use tokio_util::sync::CancellationToken;
use tournament::featured::FeaturedGame;
use tournament::venue::LocalVenue;
use tracing::debug;

use super::connection::BrokerConnection;
use super::engine;
use super::wire::{self, Assignment, Hello, Welcome};

/// Heartbeats in the duration of a lease.
const BEATS: u32 = 3;
/// Longest wait for an answer of the coordinator.
const PATIENCE: Duration = Duration::from_secs(2);
/// The settings of a worker.
#[derive(Clone, Debug)]
pub struct WorkerOptions {
    /// The worker's name.
    pub name: WorkerName,
    /// Number of matchups played at a time; `None` for the most that leave each program a core of its own, at least one.
    pub places: Option<usize>,
    /// The least isolation of programs; tournaments may demand more.
    pub isolation: Level,
    /// The folder of packages and of the programs' output.
    pub folder: PathBuf,
    /// True if the worker ends with its first tournament.
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

/// The reason why a worker stops taking matchups.
enum Change {
    /// The coordinator has restarted: the worker asks again to play.
    Again,
    Over,
    PutAside,
    Stopped,
}

/// Plays until `stop` is cancelled, or with `once` until the first tournament is over.
///
/// # Errors
///
/// When the coordinator refuses this machine, or programs cannot be started here.
pub async fn work(
    connection: BrokerConnection,
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
    let mut news = connection.client().subscribe(wire::NEWS).await?;
    // The identifier of the tournament in progress; `None` if none is known.
    let mut current = None;
    loop {
        let known = current.as_deref();
        let change =
            match welcome(&connection, &options, &capacity, known, &mut news, &stop).await? {
                Ok(assignment) => {
                    current = Some(assignment.tournament.clone());
                    play(&connection, &options, &mut capacity, assignment, &mut news, &stop).await?
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
    connection: &BrokerConnection,
    options: &WorkerOptions,
    capacity: &Capacity,
    current: Option<&str>,
    news: &mut Subscriber,
    stop: &CancellationToken,
) -> anyhow::Result<Result<Assignment, Change>> {
    let hello = hello(options, capacity);
    let mut connections = connection.connections();
    let mut has_told = false;
    loop {
        let request = Request::new().payload(hello.clone()).timeout(Some(PATIENCE));
        let asked = tokio::select! {
            asked = connection.client().send_request(wire::HELLO, request) => asked,
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
            && connection.last_news().await.is_some_and(|news| news.ends(current))
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

/// The message that asks to play.
fn hello(options: &WorkerOptions, capacity: &Capacity) -> Bytes {
    wire::encode(&Hello { worker: options.name.clone(), capacity: capacity.clone() }).into()
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
            "trop de parties ont échoué sur cette machine : elle n'en reçoit plus"
        ),
    }
}

async fn play(
    connection: &BrokerConnection,
    options: &WorkerOptions,
    capacity: &mut Capacity,
    assignment: Assignment,
    news: &mut Subscriber,
    stop: &CancellationToken,
) -> anyhow::Result<Change> {
    let packages = Packages::new(options.folder.join("packages"));
    let journals = options.folder.join("journals");
    let programs = assignment.programs;
    let level = if assignment.is_strict { Level::Strict } else { options.isolation };
    // Bots of the house need nothing that could be missing.
    let level = if programs > 0 { level } else { Level::None };
    let hidden = assignment.hidden.iter().cloned().chain([journals.clone()]).collect();
    let runner = isolation::runner_of_packages(level, hidden, None, packages.clone())?;
    if programs > 0 {
        for gap in isolation::gaps_of(&runner, level) {
            cli::say!("{gap}");
        }
    }
    let places = options.places.unwrap_or_else(|| isolation::usual_parallel(programs));
    capacity.places = places as u32;
    let name = &assignment.name;
    cli::tell!("{name}: games at a time: {places}", "{name} : parties à la fois : {places}");
    let venue = LocalVenue::new(
        Arc::new(runner),
        Cores::new(places * programs),
        Journals::new(journals),
        FeaturedGame::new(None),
        Duration::ZERO,
    );
    let (put_aside, mut is_put_aside) = mpsc::unbounded_channel();
    let worker_places = WorkerPlaces {
        connection: connection.clone(),
        name: options.name.clone(),
        packages_known: Arc::new(Mutex::new(assignment.packages.clone())),
        hello: hello(options, capacity),
        assignment: Arc::new(assignment),
        engine: capacity.engine.as_str().into(),
        venue,
        packages,
        stop: stop.child_token(),
        put_aside,
        refusals: Arc::default(),
    };
    // Token that is cancelled to take no further matchups.
    let rest = worker_places.stop.child_token();
    let mut all = JoinSet::new();
    for _ in 0..places {
        all.spawn(worker_places.clone().take_matchups(rest.clone()));
    }
    let mut beats = interval(worker_places.assignment.lease / BEATS);
    beats.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut connections = connection.connections();
    connections.mark_unchanged();
    let mut change = Change::Stopped;
    loop {
        let news = tokio::select! {
            ended = all.join_next() => match ended {
                Some(_) => continue,
                None => break,
            },
            _ = beats.tick() => {
                worker_places.beat(places, false).await;
                continue;
            }
            Some(()) = is_put_aside.recv() => {
                change = Change::PutAside;
                rest.cancel();
                continue;
            }
            Some(message) = news.next() => wire::decode(&message.payload).ok(),
            // Fetches news missed without a connection.
            Ok(()) = connections.changed() => connection.last_news().await,
        };
        match news {
            Some(news) if news.ends(&worker_places.assignment.tournament) => {
                change = Change::Over;
                worker_places.stop.cancel();
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
        worker_places.beat(places, true).await;
    }
    let _ = timeout(PATIENCE, connection.client().flush()).await;
    Ok(change)
}
