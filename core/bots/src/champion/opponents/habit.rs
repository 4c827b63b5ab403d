//! The policy that is fitted to the moves of a piece, from turn to turn.

use game::pacman::{Board, Cell};

use super::super::fitted::{Choice, Fitted, Prior, STAY};
use super::super::scene::Last;
use super::super::step::Step;

/// The policy with which that of a pacman begins: the weights of greatest likelihood for the moves of the first twenty students.
#[rustfmt::skip]
pub(super) static PACMAN: Prior = Prior {
    weights: [
        -0.16, -0.14, -0.18, -0.15, 0.87, -0.09, -1.37, 4.01, 0.06, 0.07,
        0.31, 0.75, -0.25, 0.50, 0.22, 0.41, -0.31, 1.80, -0.71, -1.04,
        -1.37, -1.43, -1.91, -0.70, -1.01, 0.0, 0.0, 0.0, 0.0,
    ],
    rate: 0.15,
};
/// The same of a ghost.
#[rustfmt::skip]
pub(super) static GHOST: Prior = Prior {
    weights: [
        -0.12, -0.05, -0.02, -0.11, 0.84, -0.64, -1.69, 3.27, 0.01, 0.08,
        -0.09, 0.10, 0.10, 0.02, 0.19, -0.11, -0.10, -0.06, -0.06, 0.09,
        -0.01, 0.06, -0.09, 0.05, 0.10, 0.10, 0.27, 0.16, 1.96,
    ],
    rate: 0.04,
};

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
    pub(super) fn new(prior: &'static Prior) -> Self {
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
