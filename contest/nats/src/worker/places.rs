//! The places of a worker, which take and play one matchup after the other.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use async_nats::Request;
use async_nats::jetstream::context::PublishErrorKind;
use async_nats::jetstream::{self, AckKind};
use bytes::Bytes;
use cluster::{Claim, Submission, Token, WorkerName};
use language::said;
use plan::{Job, Outcome, Program};
use programs::package::Packages;
use tokio::sync::{Mutex, mpsc};
use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval, sleep, timeout};
use tokio_util::sync::CancellationToken;
use tournament::house_game;
use tournament::venue::{HostFault, LocalVenue, Ticket, Venue};
use tracing::debug;

use super::{BEATS, PATIENCE};
use crate::connection::{BrokerConnection, Refusals};
use crate::engine;
use crate::wire::{
    self, Assignment, ClaimMessage, GivenBack, Heartbeat, MatchupMessage, ResultMessage, Spoilt,
};

/// Number of attempts at a game that this machine spoils each time, before its matchup is given back.
const ATTEMPTS: u32 = 2;
/// Pause before a request that the broker refused is repeated.
pub(super) const PAUSE: Duration = Duration::from_millis(250);

/// The shared state of all places of a worker during a tournament. Clones share it.
#[derive(Clone)]
pub(super) struct WorkerPlaces {
    pub(super) connection: BrokerConnection,
    pub(super) name: WorkerName,
    pub(super) assignment: Arc<Assignment>,
    pub(super) engine: Arc<str>,
    pub(super) venue: LocalVenue,
    pub(super) packages: Packages,
    /// The sizes of the packages that may be fetched, as far as they are known; one is fetched at a time.
    pub(super) packages_known: Arc<Mutex<BTreeMap<String, u64>>>,
    /// The message that asks to play, which also asks for the packages that the coordinator has added.
    pub(super) hello: Bytes,
    /// Token that is cancelled to stop the games in progress.
    pub(super) stop: CancellationToken,
    /// Signals that the coordinator has put this worker aside.
    pub(super) put_aside: mpsc::UnboundedSender<()>,
    pub(super) refusals: Arc<Refusals>,
}

impl WorkerPlaces {
    /// Sends a heartbeat: this machine is alive, or leaves.
    pub(super) async fn beat(&self, places: usize, is_leaving: bool) {
        let (worker, places) = (self.name.clone(), places as u32);
        let heartbeat = Heartbeat { worker, places, load: engine::load(), is_leaving };
        let sent =
            self.connection.client().publish(wire::HEARTBEATS, wire::encode(&heartbeat).into());
        if let Err(error) = sent.await {
            debug!("heartbeat: {error}");
        }
    }

    /// Takes and plays one matchup after the other until `rest` is cancelled.
    pub(super) async fn take_matchups(self, rest: CancellationToken) {
        while !rest.is_cancelled() {
            let mut connections = self.connection.connections();
            connections.mark_unchanged();
            let taken = tokio::select! {
                biased;
                taken = self.connection.next_matchup(&rest) => taken,
                // The broker loses waiting requests with the connection.
                Ok(()) = connections.changed() => continue,
            };
            match taken {
                Ok(Some(message)) if rest.is_cancelled() => {
                    acknowledge(&message, AckKind::Nak(None)).await;
                }
                Ok(message) => {
                    self.refusals.end();
                    if let Some(message) = message {
                        self.play_matchup(message).await;
                    }
                }
                Err(error) => {
                    self.refusals.count(&self.connection, &error);
                    tokio::select! {
                        () = sleep(PAUSE) => {}
                        () = rest.cancelled() => return,
                    }
                }
            }
        }
    }

    async fn play_matchup(&self, message: jetstream::Message) {
        let (matchup, delivery) = match (wire::decode(&message.payload), message.info()) {
            (Ok(matchup), Ok(info)) => (matchup, info.delivered.unsigned_abs()),
            _ => return acknowledge(&message, AckKind::Term).await,
        };
        let MatchupMessage { tournament, publication, jobs } = matchup;
        if tournament != self.assignment.tournament {
            // The tournament of this worker or that of the matchup is over.
            return acknowledge(&message, AckKind::Nak(Some(PATIENCE))).await;
        }
        let Some(first) = jobs.first() else {
            return acknowledge(&message, AckKind::Term).await;
        };
        let token = Token { publication, delivery };
        let claim = ClaimMessage {
            worker: self.name.clone(),
            tournament,
            matchup: first.matchup,
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
            played = self.play_games(&jobs, token, stop.clone()) => Ok(played),
            refused = self.hold(&message, &claim) => Err(refused),
        };
        stop.cancel();
        match end {
            Ok(Ok(())) => acknowledge(&message, AckKind::Ack).await,
            Ok(Err(why)) => self.give_back(&message, claim, why).await,
            Err(Claim::Unwanted) => acknowledge(&message, AckKind::Term).await,
            Err(Claim::PutAside) => {
                acknowledge(&message, AckKind::Nak(None)).await;
                let _ = self.put_aside.send(());
            }
            // Another worker has the message now.
            Err(Claim::Stale | Claim::Granted) => {}
        }
    }

    async fn give_back(&self, message: &jetstream::Message, claim: ClaimMessage, why: GivenBack) {
        let kind = match &why {
            GivenBack::Foreign(why) => {
                cli::tell!(
                    "a matchup is not played: {why}",
                    "une rencontre n'est pas jouée : {why}"
                );
                AckKind::Term
            }
            GivenBack::TooLarge { bytes, allowed } => {
                let fault = HostFault::TooLarge { bytes: *bytes, allowed: *allowed };
                cli::tell!(
                    "a result is not sent: {fault}",
                    "un résultat n'est pas envoyé : {fault}"
                );
                AckKind::Nak(None)
            }
            GivenBack::Stopped | GivenBack::Fault(_) | GivenBack::NoPackage(_) => {
                AckKind::Nak(None)
            }
        };
        self.claim(&ClaimMessage { given_back: Some(why), ..claim }).await;
        acknowledge(message, kind).await;
    }

    /// Renews the lease of a matchup until the coordinator refuses; returns the refusal.
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
        let answer = self.connection.client().send_request(wire::CLAIMS, request).await.ok()?;
        wire::decode(&answer.payload).ok()
    }

    /// Plays the games of a matchup, until the broker has all results.
    ///
    /// # Errors
    ///
    /// When the matchup is to be given back, with the reason.
    async fn play_games(
        &self,
        jobs: &[Job],
        token: Token,
        stop: CancellationToken,
    ) -> Result<(), GivenBack> {
        if let Some(job) = jobs.iter().find(|job| !self.assignment.has(&job.map)) {
            return Err(GivenBack::Foreign(said!(
                "the map {} that has arrived is not the tournament's",
                "la carte {} qui est arrivée n'est pas celle du tournoi",
                job.map.name
            )));
        }
        let mut seats = jobs.iter().flat_map(|job| &job.seats);
        if let Some(unknown) = seats.find_map(|seat| house_game::bot_of(seat).err()) {
            return Err(GivenBack::Foreign(unknown));
        }
        self.fetch_packages(jobs, &stop).await?;
        // Results that the broker does not have yet.
        let mut sending = JoinSet::new();
        for job in jobs {
            let (outcome, outputs, spoilt) = match self.play_game(job, &stop).await {
                Ok(played) => played,
                Err(why) => {
                    // The broker may still take the results of earlier games.
                    let _ = timeout(PATIENCE, all_sent(&mut sending)).await;
                    return Err(why);
                }
            };
            let message = ResultMessage {
                tournament: self.assignment.tournament.clone(),
                submission: Submission {
                    worker: self.name.clone(),
                    engine: self.engine.to_string(),
                    matchup: job.matchup,
                    game: job.key,
                    token,
                },
                packages: job.seats.iter().map(|seat| seat.package.clone()).collect(),
                outcome,
                spoilt,
                outputs,
            };
            let worker_places = self.clone();
            sending.spawn(async move { worker_places.send(message.encode().into()).await });
        }
        tokio::select! {
            sent = all_sent(&mut sending) => sent,
            () = async { stop.cancelled().await; sleep(PATIENCE).await } => Err(GivenBack::Stopped),
        }
    }

    /// Sends a result, until the broker has it.
    ///
    /// # Errors
    ///
    /// When the broker never takes a message of that size.
    async fn send(&self, payload: Bytes) -> Result<(), GivenBack> {
        let (bytes, allowed) = (payload.len(), self.connection.client().max_payload());
        loop {
            let (jetstream, payload) = (self.connection.jetstream(), payload.clone());
            let sent = async { jetstream.publish(wire::RESULT, payload).await?.await };
            let Err(error) = sent.await else {
                self.refusals.end();
                return Ok(());
            };
            if error.kind() == PublishErrorKind::MaxPayloadExceeded || bytes > allowed {
                return Err(GivenBack::TooLarge { bytes, allowed });
            }
            self.refusals.count(&self.connection, &error);
            sleep(PAUSE).await;
        }
    }

    /// Plays a game, again if this machine spoils it. Returns the outcome, the outputs that the result carries, and the spoilt
    /// attempts.
    async fn play_game(
        &self,
        job: &Job,
        stop: &CancellationToken,
    ) -> Result<(Outcome, Vec<String>, Vec<Spoilt>), GivenBack> {
        let mut spoilt = Vec::new();
        for attempt in 0..ATTEMPTS {
            if attempt > 0 {
                sleep(LocalVenue::PAUSE).await;
            }
            let ticket = Ticket::silent(stop.clone());
            match self.play_and_read(job.clone(), ticket).await {
                Ok((outcome, outputs)) => return Ok((outcome, outputs, spoilt)),
                Err(HostFault::Stopped) => return Err(GivenBack::Stopped),
                Err(fault) => {
                    let words = fault.to_string();
                    cli::tell!("a game is spoilt: {words}", "une partie a échoué : {words}");
                    let outcome = fault.spoilt().cloned();
                    let outcome = outcome.map(|it| Outcome { recording: Vec::new(), ..it });
                    spoilt.push(Spoilt { game: job.key, fault: words, outcome });
                }
            }
        }
        Err(GivenBack::Fault(spoilt))
    }

    /// Plays a game. Returns the outcome and the outputs that its result carries; without any, this machine keeps them.
    async fn play_and_read(
        &self,
        mut job: Job,
        ticket: Ticket,
    ) -> Result<(Outcome, Vec<String>), HostFault> {
        let most = self.assignment.output;
        if most == 0 {
            return Ok((self.venue.clone().play(job, ticket).await?, Vec::new()));
        }
        for seat in &mut job.seats {
            if let (Program::Command(command), Some(hash)) = (&mut seat.program, &seat.package) {
                *command = self.packages.in_place(command.clone(), hash);
            }
        }
        let (outcome, outputs) = self.venue.play_and_read(job, ticket).await?;
        let end = |output: &Vec<u8>| {
            let end = &output[output.len().saturating_sub(most)..];
            String::from_utf8_lossy(end).into_owned()
        };
        Ok((outcome, outputs.iter().map(end).collect()))
    }
}

/// Waits until the broker has taken each result, or refused it for its size.
async fn all_sent(sending: &mut JoinSet<Result<(), GivenBack>>) -> Result<(), GivenBack> {
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
