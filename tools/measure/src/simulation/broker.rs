//! A broker with work queues, with the weaknesses of a real one.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use cluster::{Submission, Token};
use plan::Key;

use super::Place;

/// The state of the broker. A power cut reverts it to the last flush.
#[derive(Clone, Debug, Default)]
pub(super) struct Broker {
    pub(super) meetings: BTreeMap<Key, Message>,
    /// Queue of meetings to be delivered, with their publications; some messages have been deleted since.
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
    /// Number of messages with meetings and results.
    pub(super) fn messages(&self) -> usize {
        self.meetings.len() + self.results.len()
    }

    pub(super) fn publish(&mut self, meeting: Key, publication: u64, games: Vec<Key>) {
        self.ready.push_back((meeting, publication));
        let message = Message { publication, games, deliveries: 0, held: None };
        self.meetings.insert(meeting, message);
    }

    /// Delivers the next meeting to a place, to be redelivered at `until`; `None` if the queue is empty.
    pub(super) fn deliver(&mut self, to: Place, until: Duration) -> Option<(Key, Token, Vec<Key>)> {
        while let Some((meeting, publication)) = self.ready.pop_front() {
            let Some(message) = self.meetings.get_mut(&meeting) else { continue };
            if message.publication == publication && message.held.is_none() {
                message.deliveries += 1;
                message.held = Some((to, until));
                let token = Token { publication, delivery: message.deliveries };
                return Some((meeting, token, message.games.clone()));
            }
        }
        None
    }

    /// Postpones the redelivery of a message.
    pub(super) fn progress(&mut self, meeting: Key, token: Token, until: Duration) {
        if let Some(message) = self.meetings.get_mut(&meeting)
            && message.publication == token.publication
            && let Some((_, held)) = &mut message.held
        {
            *held = until;
        }
    }

    /// Deletes a message, however late the acknowledgement comes: deliveries are not compared.
    pub(super) fn acknowledge(&mut self, meeting: Key, token: Token) {
        if self.meetings.get(&meeting).is_some_and(|it| it.publication == token.publication) {
            self.meetings.remove(&meeting);
        }
    }

    /// Puts a message back into the queue.
    pub(super) fn give_back(&mut self, meeting: Key, token: Token) {
        if let Some(message) = self.meetings.get_mut(&meeting)
            && message.publication == token.publication
            && message.held.take().is_some()
        {
            self.ready.push_back((meeting, token.publication));
        }
    }

    /// Puts the messages back into the queue that are due for redelivery.
    pub(super) fn expire(&mut self, now: Duration) {
        for (meeting, message) in &mut self.meetings {
            if message.held.take_if(|(_, until)| *until <= now).is_some() {
                self.ready.push_back((*meeting, message.publication));
            }
        }
    }

    pub(super) fn keep_result(&mut self, submission: Submission) -> u64 {
        self.next_result += 1;
        self.results.insert(self.next_result, submission);
        self.next_result
    }
}
