//! The results that workers send: checked, handed to the dispatcher and acknowledged.

use async_nats::jetstream::{self, AckKind};
use cluster::{Ruling, WorkerName};
use language::{log, said};
use plan::Outcome;
use tournament::store::Attempt;
use tournament::venue::GameEvent;
use tracing::debug;

use super::{CoordinatorTask, Recording};
use crate::check;
use crate::wire::{self, ResultMessage, Spoilt};

impl CoordinatorTask {
    pub(super) async fn take_result(&mut self, message: jetstream::Message) {
        let Some(result) = ResultMessage::decode(&message.payload) else {
            log!(
                warn,
                "a message of {} bytes is no result",
                "un message de {} octets n'est pas un résultat",
                message.payload.len()
            );
            let _ = message.ack_with(AckKind::Term).await;
            return;
        };
        let ResultMessage { tournament, submission, packages, outcome, spoilt, outputs } = result;
        if tournament != self.assignment.tournament
            || submission.game != outcome.key
            || !wire::is_name(&submission.worker)
        {
            return acknowledge(&message).await;
        }
        let (worker, game, token) = (submission.worker.clone(), submission.game, submission.token);
        match self.coordinator.submit(&submission, self.began.elapsed()) {
            Ruling::Commit => {
                let Some(waiting) = self.games.remove(&game) else {
                    self.coordinator.refused(game);
                    return acknowledge(&message).await;
                };
                if let Err(why) = check::check(&waiting.job, &packages, &outcome) {
                    log!(
                        warn,
                        "{worker}: game {game} is refused: {why}",
                        "{worker} : la partie {game} est refusée : {why}"
                    );
                    self.games.insert(game, waiting);
                    self.coordinator.refused(game);
                    let fault = said!("refused from {worker}: {why}", "refusée à {worker} : {why}");
                    return self.tell_evidence(outcome, fault, &message).await;
                }
                let spoilt = spoilt.into_iter().filter(|it| it.game == game).collect();
                self.keep_spoilt(&worker, spoilt);
                self.recording.insert(game, Recording { message, late: Vec::new() });
                // A dispatcher that no longer waits is about to end.
                let outputs = outputs.into_iter().map(String::into_bytes).collect();
                let _ = waiting.reply.send(Ok((outcome, outputs)));
            }
            Ruling::Again | Ruling::Unscheduled => {
                if !self.evidence.admits(game) {
                    acknowledge(&message).await;
                } else if let Some(recording) = self.recording.get_mut(&game) {
                    recording.late.push((message, outcome));
                } else {
                    self.tell(GameEvent::Late(Box::new(outcome)), &message).await;
                }
            }
            ruling @ (Ruling::Stale | Ruling::OtherEngine) => {
                let fault = if ruling == Ruling::Stale {
                    said!(
                        "{worker} has lost the lease {token}",
                        "{worker} n'a plus le bail {token}"
                    )
                } else {
                    said!("{worker} plays by another engine", "{worker} joue avec un autre moteur")
                };
                self.tell_evidence(outcome, fault, &message).await;
            }
        }
    }

    pub(super) fn keep_spoilt(&mut self, worker: &WorkerName, spoilt: Vec<Spoilt>) {
        for Spoilt { game, fault, outcome } in spoilt {
            if !self.evidence.admits(game) {
                continue;
            }
            let attempt = Attempt::new(game, format!("{worker}: {fault}"), outcome);
            if let Some(ticket) = &self.ticket {
                ticket.tell(|_| GameEvent::Evidence(attempt));
            }
        }
    }

    /// Gives the dispatcher a result that does not count, as evidence. Forgets it if there is too much of it.
    async fn tell_evidence(
        &mut self,
        outcome: Outcome,
        fault: String,
        message: &jetstream::Message,
    ) {
        let key = outcome.key;
        if !self.evidence.admits(key) {
            return acknowledge(message).await;
        }
        let attempt = Attempt::new(key, fault, Some(outcome));
        self.tell(GameEvent::Evidence(attempt), message).await;
    }

    /// Gives the dispatcher what a message has brought. Acknowledges the message only if the dispatcher still listens:
    /// otherwise, the broker keeps it.
    pub(super) async fn tell(&mut self, news: GameEvent, message: &jetstream::Message) {
        if self.ticket.as_ref().is_some_and(|ticket| ticket.tell(|_| news)) {
            acknowledge(message).await;
        }
    }
}

/// Acknowledges a result; the broker delivers the result again if the acknowledgement is lost.
pub(super) async fn acknowledge(message: &jetstream::Message) {
    if let Err(error) = message.ack().await {
        debug!("acknowledgement: {error}");
    }
}
