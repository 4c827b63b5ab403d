//! The points that a bot expected of its moves.

use game::pacman::{Cell, Direction};

/// The moves that a bot compared in a decision, and its plan.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evaluation {
    /// Points that the pacman is expected to gain with each first move; `None` is a false move.
    pub pacman: Vec<(Option<Direction>, f32)>,
    /// Points that the ghost is expected to gain with each first move, losses of the preys included; `None` is to stay.
    pub ghost: Vec<(Option<Direction>, f32)>,
    /// The cells that the pacman plans to walk to, one for each turn, the next turn first.
    pub line: Vec<Cell>,
}

impl Evaluation {
    /// Adds a move to a list, or raises its points if it is there with fewer.
    pub(crate) fn weigh(
        moves: &mut Vec<(Option<Direction>, f32)>,
        order: Option<Direction>,
        points: f32,
    ) {
        match moves.iter_mut().find(|(other, _)| *other == order) {
            Some((_, most)) => *most = most.max(points),
            None => moves.push((order, points)),
        }
    }
}
