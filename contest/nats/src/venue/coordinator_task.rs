//! The task that connects the coordinator, the broker and the dispatcher.

mod results;
mod streams;

use std::collections::{BTreeMap, BTreeSet};
use std::pin::Pin;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::anyhow;
use async_nats::connection::State;
use async_nats::jetstream;
use async_nats::jetstream::consumer::{PullConsumer, pull};
use async_nats::jetstream::stream::Stream;
use async_nats::{Message, Subscriber};
use cluster::state::ClusterState;
use cluster::{Claim, Coordinator, Directive, Terms};
use futures_util::stream::FuturesUnordered;
use futures_util::{FutureExt as _, StreamExt as _};
use language::log;
use plan::{Job, Key};
use programs::package::Packages;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::{MissedTickBehavior, interval, sleep, timeout};
use tournament::venue::GameEvent;
use tracing::{debug, warn};

use super::evidence::Evidence;
use super::monitor::WorkerMonitor;
use super::publication::{self, Done};
use super::{HostFault, Played, Request, Ticket};
use crate::connection::{BrokerConnection, Refusals};
use crate::engine;
use crate::files::{self, TransferError};
use crate::wire::{
    self, Assignment, ClaimMessage, GivenBack, Heartbeat, Hello, MatchupMessage, TournamentStatus,
    Welcome,
};
use results::acknowledge;

/// Number of host faults in succession after which a worker is put aside.
const FAULTS: u32 = 5;
/// Longest wait for another coordinator, for old results and for the last news; pause before packages are sent again.
const PATIENCE: Duration = Duration::from_secs(2);
/// Interval of the updates of the workers on the live page.
const SEEN: Duration = Duration::from_millis(500);
/// Pause before a request that the broker refused is repeated.
const PAUSE: Duration = Duration::from_millis(500);

type Directing = Pin<Box<dyn Future<Output = Done> + Send>>;

/// The task that has the games of a [`NatsVenue`](super::NatsVenue) played.
pub(super) struct CoordinatorTask {
    connection: BrokerConnection,
    assignment: Assignment,
    coordinator: Coordinator,
    packages: Packages,
    /// True while a round trip to the broker is in flight.
    is_listening: bool,
    is_sending: bool,
    /// Hashes of packages to be sent even if the broker seems to have them.
    anew: BTreeSet<String>,
    /// Time of the next attempt to send packages that the broker did not take.
    packages_due: Option<Duration>,
    /// Time of the next request for the streams of a broker that was not ready.
    restart_due: Option<Duration>,
    /// Origin of the coordinator's time.
    began: Instant,
    requests: mpsc::UnboundedReceiver<Request>,
    matchups: Stream,
    /// `None` while the broker is asked for its streams.
    results: Option<pull::Stream>,
    hellos: Subscriber,
    claims: Subscriber,
    /// The games that the dispatcher waits for.
    games: BTreeMap<Key, Waiting>,
    /// Results that are being recorded: their messages, and further results of the same games.
    recording: BTreeMap<Key, Recording>,
    /// The ticket of the last request, for news of games that nobody waits for.
    ticket: Option<Ticket>,
    directing: FuturesUnordered<Directing>,
    refusals: Refusals,
    evidence: Evidence,
    heartbeats: Subscriber,
    monitor: WorkerMonitor,
    /// The state of the workers for the live page.
    shown: watch::Sender<ClusterState>,
}

struct Waiting {
    job: Job,
    ticket: Ticket,
    reply: oneshot::Sender<Result<Played, HostFault>>,
    has_begun: bool,
    /// The last host fault for which a worker gave the matchup back, if any.
    given_back: Option<String>,
}

struct Recording {
    message: jetstream::Message,
    late: Vec<(jetstream::Message, plan::Outcome)>,
}

impl CoordinatorTask {
    pub(super) async fn open(
        connection: BrokerConnection,
        assignment: Assignment,
        packages: Packages,
        deadline: Option<Duration>,
        requests: mpsc::UnboundedReceiver<Request>,
        shown: watch::Sender<ClusterState>,
    ) -> anyhow::Result<Self> {
        streams::ensure_alone(&connection).await?;
        let engine = engine::fingerprint();
        let (lease, deliveries) = (assignment.lease, assignment.deliveries);
        let terms = Terms { engine, lease, deliveries, faults: FAULTS, deadline };
        // Microseconds: no tournament publishes more than a million matchups a second.
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_micros();
        let coordinator = Coordinator::new(terms, u64::try_from(now).unwrap_or(1));
        let hellos = connection.client().subscribe(wire::HELLO).await?;
        let claims = connection.client().subscribe(wire::CLAIMS).await?;
        let heartbeats = connection.client().subscribe(wire::HEARTBEATS).await?;
        let (matchups, results) = streams::prepare(&connection, &assignment, &packages).await?;
        Ok(Self {
            connection,
            assignment,
            coordinator,
            packages,
            is_listening: false,
            is_sending: false,
            anew: BTreeSet::new(),
            packages_due: None,
            restart_due: None,
            began: Instant::now(),
            requests,
            matchups,
            results: Some(results),
            hellos,
            claims,
            games: BTreeMap::new(),
            recording: BTreeMap::new(),
            ticket: None,
            directing: FuturesUnordered::new(),
            refusals: Refusals::default(),
            evidence: Evidence::default(),
            heartbeats,
            monitor: WorkerMonitor::default(),
            shown,
        })
    }

    /// Works until the venue is dropped.
    pub(super) async fn run(mut self) {
        let mut connections = self.connection.connections();
        connections.mark_unchanged();
        let Some(first) = self.requests.recv().await else { return self.close().await };
        self.take_requests(first).await;
        if let Err(error) = self.take_backlog().await {
            debug!("results that wait at the broker: {error}");
        }
        self.announce_start();
        let mut seen = interval(SEEN);
        seen.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            self.direct();
            let packages_due = self.packages_due.filter(|_| !self.is_sending);
            if packages_due.is_some_and(|due| due <= self.began.elapsed()) {
                self.send_packages();
            }
            if self.restart_due.is_some_and(|due| due <= self.began.elapsed()) {
                self.restart();
            }
            let mut lease_due = self.coordinator.next_timeout().filter(|_| !self.is_listening);
            if lease_due.is_some_and(|due| due <= self.began.elapsed()) {
                self.listen();
                lease_due = None;
            }
            let packages_due = self.packages_due.filter(|_| !self.is_sending);
            let due = [lease_due, packages_due, self.restart_due];
            let due = due.into_iter().flatten().min().unwrap_or(Duration::MAX);
            let wait = due.saturating_sub(self.began.elapsed());
            tokio::select! {
                request = self.requests.recv() => match request {
                    Some(request) => self.take_requests(request).await,
                    None => return self.close().await,
                },
                result = streams::next_result(&mut self.results) => match result {
                    Ok(message) => self.take_result(message).await,
                    Err(error) => {
                        self.refusals.count(&self.connection, &error);
                        self.results = None;
                        self.restart_due = Some(self.began.elapsed() + PAUSE);
                    }
                },
                Some(claim) = self.claims.next() => self.take_claim(&claim).await,
                Some(hello) = self.hellos.next() => self.take_hello(&hello).await,
                Some(heartbeat) = self.heartbeats.next() => self.take_heartbeat(&heartbeat),
                _ = seen.tick(), if self.shown.receiver_count() > 0 => self.show(),
                Some(done) = self.directing.next() => self.take_done(done).await,
                Ok(()) = connections.changed() => {
                    self.restart();
                    self.announce_start();
                }
                () = sleep(wait) => {}
            }
        }
    }

    /// Tells the workers that nothing more is to be played.
    async fn close(mut self) {
        while let Ok(request) = self.requests.try_recv() {
            self.take_request(request).await;
        }
        let _ = timeout(PATIENCE, async { self.matchups.purge().await }).await;
        if self.games.is_empty() {
            // The remaining results are too late; the next coordinator deletes any that arrive after this.
            let purge = async {
                let results = self.connection.jetstream().get_stream_no_info(wire::RESULTS).await;
                if let Ok(results) = results {
                    let _ = results.purge().await;
                }
            };
            let _ = timeout(PATIENCE, purge).await;
        }
        let over = TournamentStatus::Over(self.assignment.tournament.clone());
        let _ = timeout(PATIENCE, self.connection.announce(&over)).await;
        let _ = timeout(PATIENCE, self.connection.client().flush()).await;
    }

    fn announce_start(&mut self) {
        let (connection, tournament) =
            (self.connection.clone(), self.assignment.tournament.clone());
        self.directing.push(Box::pin(async move {
            if let Err(error) = connection.announce(&TournamentStatus::Started(tournament)).await {
                debug!("news: {error:#}");
            }
            Done::Nothing
        }));
    }

    /// Asks the broker for its streams: an empty broker may have replaced it.
    fn restart(&mut self) {
        self.restart_due = None;
        let (connection, assignment) = (self.connection.clone(), self.assignment.clone());
        self.directing.push(Box::pin(async move {
            Done::Streams(streams::open(&connection, &assignment, false).await.map(Box::new))
        }));
    }

    /// Starts a round trip to the broker. At its end all earlier claims have arrived, even if the coordinator was stopped
    /// or busy.
    fn listen(&mut self) {
        self.is_listening = true;
        let (connection, asked) = (self.connection.clone(), self.began.elapsed());
        self.directing.push(Box::pin(async move {
            let is_answered = connection.round_trip().await.is_ok();
            if !is_answered {
                sleep(PAUSE).await;
            }
            Done::Heard(is_answered.then_some(asked))
        }));
    }

    /// Sends the packages that the broker lacks, one sender at a time: after it, if there is one, the next begins.
    fn send_packages(&mut self) {
        if std::mem::replace(&mut self.is_sending, true) {
            self.packages_due = Some(self.began.elapsed());
            return;
        }
        self.packages_due = None;
        let (connection, packages) = (self.connection.clone(), self.packages.clone());
        let sizes = self.assignment.packages.clone();
        let anew = std::mem::take(&mut self.anew);
        self.directing.push(Box::pin(async move {
            Done::Packages(files::send_packages(&connection, &sizes, &packages, &anew).await)
        }));
    }

    /// Takes this request and all that wait, so that matchups are published whole.
    async fn take_requests(&mut self, first: Request) {
        let mut offered: BTreeMap<Key, Vec<Key>> = BTreeMap::new();
        let mut request = Some(first);
        while let Some(next) = request {
            if let Some((matchup, game)) = self.take_request(next).await {
                offered.entry(matchup).or_default().push(game);
            }
            request = self.requests.try_recv().ok();
        }
        for (matchup, games) in offered {
            self.coordinator.offer(matchup, games);
        }
    }

    /// Handles a request; returns the matchup and the game if the request is to play one.
    async fn take_request(&mut self, request: Request) -> Option<(Key, Key)> {
        match request {
            Request::Play(job, ticket, reply) => {
                let (matchup, game) = (job.matchup, job.key);
                self.ticket = Some(ticket.clone());
                let waiting =
                    Waiting { job: *job, ticket, reply, has_begun: false, given_back: None };
                self.games.insert(game, waiting);
                Some((matchup, game))
            }
            Request::Recorded(game) => {
                self.coordinator.committed(game);
                if let Some(Recording { message, late }) = self.recording.remove(&game) {
                    acknowledge(&message).await;
                    for (message, outcome) in late {
                        self.tell(GameEvent::Late(Box::new(outcome)), &message).await;
                    }
                }
                None
            }
            Request::Packages(sizes) => {
                if !sizes.is_empty() {
                    self.assignment.packages.extend(sizes);
                    self.send_packages();
                }
                None
            }
            Request::Cancel(game) => {
                if let Some(waiting) = self.games.get(&game) {
                    let matchup = waiting.job.matchup;
                    self.coordinator.forget(matchup);
                    self.fail(matchup, |_| HostFault::Stopped);
                    let withdrawn = publication::withdraw(self.matchups.clone(), matchup);
                    self.directing.push(Box::pin(withdrawn));
                }
                None
            }
        }
    }

    /// Takes the results that have waited for a coordinator, before their games are published again.
    async fn take_backlog(&mut self) -> anyhow::Result<()> {
        let mut consumer: PullConsumer = self
            .connection
            .jetstream()
            .get_consumer_from_stream(wire::COORDINATOR, wire::RESULTS)
            .await
            .map_err(|error| anyhow!(error))?;
        let info = consumer.info().await.map_err(|error| anyhow!(error))?;
        // Results in flight to `self.results` count as pending acknowledgement.
        let waiting = info.num_pending + info.num_ack_pending as u64;
        for _ in 0..waiting {
            match timeout(PATIENCE, streams::next_result(&mut self.results)).await {
                Ok(Ok(message)) => self.take_result(message).await,
                _ => break,
            }
        }
        Ok(())
    }

    /// Carries out the coordinator's directives at the broker.
    fn direct(&mut self) {
        while let Some(directive) = self.coordinator.poll(self.began.elapsed()) {
            let stream = self.matchups.clone();
            let directing: Directing = match directive {
                Directive::Publish { matchup, publication, at_least } => {
                    let jobs = self.games.values().filter(|it| it.job.matchup == matchup);
                    let jobs = jobs.map(|it| it.job.clone()).collect();
                    let tournament = self.assignment.tournament.clone();
                    let message = MatchupMessage { tournament, publication, jobs };
                    let connection = self.connection.clone();
                    Box::pin(publication::publish(connection, stream, matchup, message, at_least))
                }
                Directive::Check(matchup) => Box::pin(publication::check(stream, matchup)),
                Directive::Withdraw(matchup) => Box::pin(publication::withdraw(stream, matchup)),
                Directive::GiveUp(matchup) => {
                    self.fail(matchup, |waiting| HostFault::Abandoned(waiting.given_back.clone()));
                    Box::pin(publication::withdraw(stream, matchup))
                }
            };
            self.directing.push(directing);
        }
    }

    async fn take_done(&mut self, done: Done) {
        if matches!(done, Done::Nothing | Done::Found(..) | Done::Lost(..)) {
            self.refusals.end();
        }
        match done {
            Done::Nothing => {}
            Done::Found(matchup, publication) => self.coordinator.found(matchup, publication),
            Done::Lost(matchup) => self.coordinator.lost(matchup),
            Done::Unknown(matchup, why) => {
                self.refusals.count(&self.connection, &why);
                let check = publication::check(self.matchups.clone(), matchup);
                self.directing.push(Box::pin(check));
            }
            Done::Streams(Ok(streams)) => {
                let (matchups, results) = *streams;
                (self.matchups, self.results) = (matchups, Some(results));
                self.send_packages();
                self.coordinator.reconnected(self.began.elapsed());
            }
            Done::Streams(Err(error)) => {
                self.refusals.count(&self.connection, &error);
                self.restart_due = Some(self.began.elapsed() + PAUSE);
            }
            Done::Heard(until) => {
                self.is_listening = false;
                while let Some(Some(claim)) = self.claims.next().now_or_never() {
                    self.take_claim(&claim).await;
                }
                for worker in until.map_or_else(Vec::new, |until| self.coordinator.expire(until)) {
                    log!(
                        warn,
                        "{worker} is silent: its matchup is for others",
                        "{worker} ne répond plus : sa rencontre est confiée à d'autres"
                    );
                }
            }
            Done::Packages(sent) => {
                self.is_sending = false;
                match sent {
                    Ok(()) => {}
                    Err(TransferError::Broker(error) | TransferError::Replaced(error)) => {
                        self.refusals.count(&self.connection, &error);
                        self.packages_due = Some(self.began.elapsed() + PATIENCE);
                    }
                    // A worker that needs the package reports that it is missing again.
                    Err(TransferError::Package(error)) => warn!("{error:#}"),
                }
            }
            Done::TooLarge(matchup, bytes) => {
                let allowed = self.connection.client().max_payload();
                self.coordinator.forget(matchup);
                self.fail(matchup, |_| HostFault::TooLarge { bytes, allowed });
            }
        }
    }

    /// Replies with a host fault to all games of a matchup that have no result.
    fn fail(&mut self, matchup: Key, fault: impl Fn(&Waiting) -> HostFault) {
        let of_matchup = self.games.iter().filter(|(_, it)| it.job.matchup == matchup);
        let games: Vec<Key> = of_matchup.map(|(game, _)| *game).collect();
        for game in games {
            if let Some(waiting) = self.games.remove(&game) {
                let fault = fault(&waiting);
                let _ = waiting.reply.send(Err(fault));
            }
        }
    }

    /// Shows the workers on the live page.
    fn show(&mut self) {
        let is_connected = self.connection.client().connection_state() == State::Connected;
        let now = self.began.elapsed();
        self.shown.send_replace(self.monitor.state(&self.coordinator, is_connected, now));
    }

    fn take_heartbeat(&mut self, message: &Message) {
        // Workers that have not asked to play have nothing to be shown.
        if let Ok(heartbeat) = wire::decode::<Heartbeat>(&message.payload)
            && self.coordinator.workers().contains_key(&heartbeat.worker)
        {
            self.monitor.beat(&heartbeat, self.began.elapsed());
        }
    }

    async fn take_hello(&mut self, message: &Message) {
        let Ok(Hello { worker, capacity }) = wire::decode(&message.payload) else { return };
        if !wire::is_name(&worker) {
            return;
        }
        debug!("{worker} has {capacity:?}");
        let admitted = self.coordinator.admit(&worker, capacity);
        self.monitor.admitted(&worker, admitted.as_ref().err(), self.began.elapsed());
        let welcome = match admitted {
            Ok(()) => Welcome::Admitted(Box::new(self.assignment.clone())),
            Err(refusal) => {
                log!(
                    warn,
                    "{worker} is refused: {}",
                    "machine refusée, {worker} : {}",
                    crate::worker::refused(&refusal)
                );
                Welcome::Refused(refusal)
            }
        };
        self.answer(message, &welcome).await;
    }

    async fn answer(&mut self, message: &Message, answer: &impl serde::Serialize) {
        if let Some(reply) = message.reply.clone() {
            let _ = self.connection.client().publish(reply, wire::encode(answer).into()).await;
        }
    }

    async fn take_claim(&mut self, message: &Message) {
        // An empty message is the probe of another coordinator.
        let claim: ClaimMessage = match wire::decode(&message.payload) {
            Ok(claim) => claim,
            Err(_) => return self.answer(message, &()).await,
        };
        let ClaimMessage { worker, tournament, matchup, token, given_back } = claim;
        if tournament != self.assignment.tournament || !wire::is_name(&worker) {
            return self.answer(message, &Claim::Unwanted).await;
        }
        let now = self.began.elapsed();
        self.monitor.hear(&worker, now);
        if let Some(why) = given_back {
            let is_fault = matches!(why, GivenBack::Fault(_));
            if !self.coordinator.give_back(&worker, matchup, token, is_fault, now) {
                // Only the worker that has the lease can give the matchup back.
                return self.answer(message, &Claim::Stale).await;
            }
            match why {
                GivenBack::Stopped => {}
                GivenBack::Foreign(why) => log!(
                    warn,
                    "{worker}: a matchup of somebody else: {why}",
                    "{worker} : cette rencontre était confiée à un autre : {why}"
                ),
                GivenBack::NoPackage(why) => {
                    log!(
                        warn,
                        "{worker}: a package is missing: {why}",
                        "{worker} : il manque un paquet : {why}"
                    );
                    let of_matchup = self.games.values().filter(|it| it.job.matchup == matchup);
                    let seats = of_matchup.flat_map(|waiting| &waiting.job.seats);
                    self.anew.extend(seats.filter_map(|seat| seat.package.clone()));
                    self.send_packages();
                }
                GivenBack::Fault(mut spoilt) => {
                    spoilt.retain(|it| self.is_of(it.game, matchup));
                    let last = spoilt.last().map(|spoilt| format!("{worker}: {}", spoilt.fault));
                    for waiting in self.games.values_mut().filter(|it| it.job.matchup == matchup) {
                        waiting.given_back.clone_from(&last);
                    }
                    self.keep_spoilt(&worker, spoilt);
                }
                GivenBack::TooLarge { bytes, allowed } => {
                    self.coordinator.forget(matchup);
                    self.fail(matchup, |_| HostFault::TooLarge { bytes, allowed });
                }
            }
            return self.answer(message, &Claim::Granted).await;
        }
        let claim = self.coordinator.claim(&worker, matchup, token, now);
        if claim == Claim::Granted {
            let games = self.games.values_mut().filter(|it| it.job.matchup == matchup);
            for waiting in games {
                if !std::mem::replace(&mut waiting.has_begun, true) {
                    waiting.ticket.begun();
                }
            }
        }
        self.answer(message, &claim).await;
    }

    /// Tests if a game without a result is one of this matchup.
    fn is_of(&self, game: Key, matchup: Key) -> bool {
        self.games.get(&game).is_some_and(|waiting| waiting.job.matchup == matchup)
    }
}
