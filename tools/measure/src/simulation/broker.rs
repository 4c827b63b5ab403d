//! A broker with work queues, with the weaknesses of a real one.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use cluster::{Submission, Token};
use plan::Key;

use super::Place;

/// The state of the broker. A power cut reverts it to the last flush.
#[derive(Clone, Debug, Default)]
pub(super) struct Broker {
    pub(super) matchups: BTreeMap<Key, Message>,
    /// Queue of matchups to be delivered, with their publications; some messages have been deleted since.
    ready: VecDeque<(Key, u64)>,
    /// Results that are not acknowledged, by number.
    pub(super) results: BTreeMap<u64, Submission>,
    next_result: u64,
}

#[derive(Clone, Debug)]
pub(super) struct Message {
    pub(super) publication: u64,
    pub(super) games: Vec<Key>,
    deliveries: u64,
    /// The place that has the message, and the time of its redelivery; `None` if it is in the queue.
    held: Option<(Place, Duration)>,
}

impl Broker {
    /// Number of messages with matchups and results.
    pub(super) fn messages(&self) -> usize {
        self.matchups.len() + self.results.len()
    }

    pub(super) fn publish(&mut self, matchup: Key, publication: u64, games: Vec<Key>) {
        self.ready.push_back((matchup, publication));
        let message = Message { publication, games, deliveries: 0, held: None };
        self.matchups.insert(matchup, message);
    }

    /// Delivers the next matchup to a place, to be redelivered at `until`; `None` if the queue is empty.
    pub(super) fn deliver(&mut self, to: Place, until: Duration) -> Option<(Key, Token, Vec<Key>)> {
        while let Some((matchup, publication)) = self.ready.pop_front() {
            let Some(message) = self.matchups.get_mut(&matchup) else { continue };
            if message.publication == publication && message.held.is_none() {
                message.deliveries += 1;
                message.held = Some((to, until));
                let token = Token { publication, delivery: message.deliveries };
                return Some((matchup, token, message.games.clone()));
            }
        }
        None
    }

    /// Postpones the redelivery of a message.
    pub(super) fn progress(&mut self, matchup: Key, token: Token, until: Duration) {
        if let Some(message) = self.matchups.get_mut(&matchup)
            && message.publication == token.publication
            && let Some((_, held)) = &mut message.held
        {
            *held = until;
        }
    }

    /// Deletes a message, however late the acknowledgement comes: deliveries are not compared.
    pub(super) fn acknowledge(&mut self, matchup: Key, token: Token) {
        if self.matchups.get(&matchup).is_some_and(|it| it.publication == token.publication) {
            self.matchups.remove(&matchup);
        }
    }

    /// Puts a message back into the queue.
    pub(super) fn give_back(&mut self, matchup: Key, token: Token) {
        if let Some(message) = self.matchups.get_mut(&matchup)
            && message.publication == token.publication
            && message.held.take().is_some()
        {
            self.ready.push_back((matchup, token.publication));
        }
    }

    /// Puts the messages back into the queue that are due for redelivery.
    pub(super) fn expire(&mut self, now: Duration) {
        for (matchup, message) in &mut self.matchups {
            if message.held.take_if(|(_, until)| *until <= now).is_some() {
                self.ready.push_back((*matchup, message.publication));
            }
        }
    }

    pub(super) fn keep_result(&mut self, submission: Submission) -> u64 {
        self.next_result += 1;
        self.results.insert(self.next_result, submission);
        self.next_result
    }
}
