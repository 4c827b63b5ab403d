//! The spectators, and what they see when.

use std::collections::VecDeque;
use std::sync::Arc;

use protocol::ServerMessage;
use tokio::time::Instant;

use crate::connection::Link;
use crate::outbox::LIMIT;

/// Sends states to all spectators, at once or at their time. Never waits: a spectator that does not
/// read skips states.
#[derive(Debug, Default)]
pub(crate) struct Relay {
    spectators: Vec<Spectator>,
    /// The states of a turn that are shown later, in order of time.
    due: VecDeque<(Instant, Vec<u8>)>,
    /// The maze of the game with this seed, which is shown once before its states.
    maze: Option<(u64, Vec<u8>)>,
}

#[derive(Debug)]
struct Spectator {
    link: Arc<Link>,
    id: String,
    /// So many of the states that are due are older than the first one it has seen.
    skip: usize,
    /// Whether it has missed the last new state.
    is_behind: bool,
    /// Whether it knows the maze.
    knows_maze: bool,
}

/// How much may wait for a spectator when a state on the way comes: what is left is for new states.
const STEPS: usize = LIMIT / 2;
/// For the state that a game ends with, which nobody shall miss.
const FINAL: usize = 2 * LIMIT;

impl Relay {
    /// How many spectators there are.
    pub(crate) fn len(&self) -> usize {
        self.spectators.len()
    }

    /// Whether nobody looks on.
    pub(crate) fn is_empty(&self) -> bool {
        self.spectators.is_empty()
    }

    /// Adds a spectator of this number, which sees the current state at once.
    pub(crate) fn add(&mut self, link: Arc<Link>, number: u64, state: &[u8]) {
        let id = number.to_string();
        let skip = self.due.len();
        let mut spectator =
            Spectator { link, id, skip, is_behind: false, knows_maze: self.maze.is_none() };
        spectator.show(self.maze.as_ref(), state, LIMIT);
        self.spectators.push(spectator);
    }

    /// From now on the states are of the game with this seed, in this maze if it has one.
    pub(crate) fn set_maze(&mut self, seed: u64, maze: Option<&[u8]>) {
        if self.maze.as_ref().map(|(known, _)| *known) == maze.map(|_| seed) {
            return;
        }
        self.maze = maze.map(|maze| (seed, maze.to_vec()));
        for spectator in &mut self.spectators {
            spectator.knows_maze = self.maze.is_none();
        }
    }

    /// Takes out a spectator that is gone; whether it was one.
    pub(crate) fn remove(&mut self, link: u64) -> bool {
        let before = self.spectators.len();
        self.spectators.retain(|spectator| spectator.link.id != link);
        self.spectators.len() < before
    }

    /// Takes out all spectators.
    pub(crate) fn clear(&mut self) {
        self.spectators.clear();
    }

    /// Shows a new state now.
    pub(crate) fn show(&mut self, state: &[u8]) {
        for spectator in &mut self.spectators {
            spectator.is_behind = !spectator.show(self.maze.as_ref(), state, LIMIT);
        }
    }

    /// Shows a state on the way to a new one now.
    pub(crate) fn show_step(&mut self, state: &[u8]) {
        for spectator in &mut self.spectators {
            spectator.show(self.maze.as_ref(), state, STEPS);
        }
    }

    /// Shows the state that a game ends with to those who have missed it.
    pub(crate) fn show_final(&mut self, state: &[u8]) {
        for spectator in self.spectators.iter_mut().filter(|spectator| spectator.is_behind) {
            spectator.show(self.maze.as_ref(), state, FINAL);
        }
    }

    /// Shows a state later; times come in order.
    pub(crate) fn show_at(&mut self, time: Instant, state: &[u8]) {
        self.due.push_back((time, state.to_vec()));
    }

    /// When the next state is to be shown.
    pub(crate) fn next_due(&self) -> Option<Instant> {
        self.due.front().map(|(time, _)| *time)
    }

    /// Shows what is due at that time.
    pub(crate) fn show_due(&mut self, now: Instant) {
        while self.next_due().is_some_and(|time| time <= now) {
            let Some((_, state)) = self.due.pop_front() else { return };
            for spectator in &mut self.spectators {
                match spectator.skip {
                    0 => spectator.is_behind = !spectator.show(self.maze.as_ref(), &state, LIMIT),
                    _ => spectator.skip -= 1,
                }
            }
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
    /// Whether there was room for it: one that does not keep up skips states, but never the maze that
    /// they are of.
    fn show(&mut self, maze: Option<&(u64, Vec<u8>)>, state: &[u8], room: usize) -> bool {
        let id = &self.id;
        if let Some((_, maze)) = maze.filter(|_| !self.knows_maze) {
            self.knows_maze =
                self.link.outbox.push(ServerMessage::Maze { id, maze }, FINAL).is_ok();
        }
        self.knows_maze && self.link.outbox.push(ServerMessage::State { id, state }, room).is_ok()
    }
}
