//! The policy that is fitted to the moves of a piece, from turn to turn.

use game::pacman::{Board, Cell};

use super::super::fitted::{Choice, FEATURES, Fitted, STAY};
use super::super::scene::Last;
use super::super::step::Step;

/// Weights with which the fitted policy of a pacman begins, chosen by hand.
#[rustfmt::skip]
pub(super) static PACMAN: [f32; FEATURES] = [
    0.0, 0.0, 0.0, 0.0, 0.2, -0.8, -2.0, 2.0, 0.6, 0.8,
    0.4, 0.4, 0.3, 0.4, 0.4, 0.5, 0.5, 0.5, 0.5, 0.5,
    -1.0, -1.0, -0.5, 0.0, 0.5,
];
/// The same of a ghost.
#[rustfmt::skip]
pub(super) static GHOST: [f32; FEATURES] = [
    0.0, 0.0, 0.0, 0.0, 0.2, -0.5, -2.0, 1.5, 0.5, 1.0,
    0.3, 0.8, 0.2, 0.1, 0.0, 0.0, 0.0, 0.0, -0.2, 0.0,
    0.0, 0.0, 0.0, 0.0, 0.0,
];

/// The policy that is fitted to the moves of a piece, and what it chose from in the last turn.
#[derive(Clone, Debug)]
pub(super) struct Habit {
    pub fitted: Fitted,
    /// Its last step.
    pub last: Last,
    /// Its cell, and the moves that it chooses from.
    pub choice: Option<(Cell, Choice)>,
}

impl Habit {
    pub(super) fn new(prior: &'static [f32; FEATURES]) -> Self {
        Self { fitted: Fitted::new(prior), last: Last::default(), choice: None }
    }

    /// Learns from the cell where the piece is now.
    pub(super) fn observe(&mut self, board: &Board, now: Cell) {
        let Some((from, choice)) = self.choice.take() else { return };
        let heading = board.direction(from, now);
        self.last = Last { heading: heading.or(self.last.heading), stayed: from == now };
        match heading {
            _ if from == now => self.fitted.learn(&choice, STAY),
            Some(heading) => self.fitted.learn(&choice, heading.index()),
            // A teleport teaches nothing.
            None => self.last = Last::default(),
        }
    }

    /// Distribution of the piece's next move.
    pub(super) fn foresee(&mut self, from: Cell, choice: &Choice) -> Step {
        let shares = self.fitted.probabilities(choice);
        self.choice = Some((from, *choice));
        let [north, east, south, west, stays] = shares;
        Step { from, towards: [north, east, south, west], stays }
    }
}
