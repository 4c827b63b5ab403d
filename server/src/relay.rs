//! The spectators, and what they see when.

use std::collections::VecDeque;
use std::sync::Arc;

use protocol::ServerMessage;
use tokio::time::Instant;

use crate::connection::Link;

/// Sends states to all spectators, at once or at their time. Never waits: a spectator that does not
/// read skips states.
#[derive(Debug, Default)]
pub(crate) struct Relay {
    spectators: Vec<Spectator>,
    /// How many spectators there have been.
    numbers: u64,
    /// The states of a turn that are shown later, in order of time.
    due: VecDeque<(Instant, Vec<u8>)>,
}

#[derive(Debug)]
struct Spectator {
    link: Arc<Link>,
    id: String,
}

impl Relay {
    /// How many spectators there are.
    pub(crate) fn len(&self) -> usize {
        self.spectators.len()
    }

    /// Whether nobody looks on.
    pub(crate) fn is_empty(&self) -> bool {
        self.spectators.is_empty()
    }

    /// Adds a spectator, which sees the current state at once.
    pub(crate) fn add(&mut self, link: Arc<Link>, state: &[u8]) {
        self.numbers += 1;
        let spectator = Spectator { link, id: self.numbers.to_string() };
        spectator.show(state);
        self.spectators.push(spectator);
    }

    /// Takes out a spectator that is gone; whether it was one.
    pub(crate) fn remove(&mut self, link: u64) -> bool {
        let before = self.spectators.len();
        self.spectators.retain(|spectator| spectator.link.id != link);
        self.spectators.len() < before
    }

    /// Shows a state now.
    pub(crate) fn show(&self, state: &[u8]) {
        for spectator in &self.spectators {
            spectator.show(state);
        }
    }

    /// Shows a state later; times come in order.
    pub(crate) fn show_at(&mut self, time: Instant, state: &[u8]) {
        if !self.spectators.is_empty() {
            self.due.push_back((time, state.to_vec()));
        }
    }

    /// When the next state is to be shown.
    pub(crate) fn next_due(&self) -> Option<Instant> {
        self.due.front().map(|(time, _)| *time)
    }

    /// Shows what is due at that time.
    pub(crate) fn show_due(&mut self, now: Instant) {
        while self.next_due().is_some_and(|time| time <= now) {
            if let Some((_, state)) = self.due.pop_front() {
                self.show(&state);
            }
        }
    }

    /// Shows all that is still due.
    pub(crate) fn show_rest(&mut self) {
        while let Some((_, state)) = self.due.pop_front() {
            self.show(&state);
        }
    }

    /// Tells everybody that it is over.
    pub(crate) fn quit(&self) {
        for spectator in &self.spectators {
            spectator.link.quit();
        }
    }
}

impl Spectator {
    fn show(&self, state: &[u8]) {
        // One that does not keep up skips this state.
        let _ = self.link.outbox.push(ServerMessage::State { id: &self.id, state });
    }
}
