//! The policy that a piece follows, of a few: their weights by Bayes' rule, and the step that each foresees.

use game::pacman::{Board, Cell, Direction};

use super::super::step::Step;

/// Policies that an opponent may follow: `dijkstra`, `glouton`, a walk that seldom turns back, standing still, the policy that is
/// fitted to its moves, a family of policies, and that of players that have learned.
pub(super) const POLICIES: usize = 7;
/// Indices of those whose program is known and can be asked.
pub(super) const DIJKSTRA: usize = 0;
pub(super) const GLOUTON: usize = 1;
/// Indices of those that are no single program.
pub(super) const FITTED: usize = 4;
pub(super) const FAMILY: usize = 5;
pub(super) const LEARNED: usize = 6;
/// Share of the moves by which one of these must be right more often than a known program to take its place.
const BEHIND: f32 = 0.03;
/// Probability of each policy before anything is observed.
const PRIOR: [f32; POLICIES] = [0.1, 0.06, 0.03, 0.01, 0.35, 0.35, 0.1];
/// Probability that a policy's prediction is right if the opponent follows that policy.
const RELIABLE: f32 = 0.94;
/// Likelihood that a wandering piece turns back, or stays, beside that of each other direction.
const TURNS_BACK: f32 = 0.15;
const STAYS: f32 = 0.1;
/// That share before anything is observed, and the weight of each new prediction in it.
const FIRST_HIT_RATE: f32 = 0.9;
const HIT_RATE_UPDATE: f32 = 0.05;
/// Fraction of the evidence that is kept from turn to turn.
const MEMORY: f32 = 0.95;
/// Least likelihood of a move, so that one surprise does not rule a policy out.
const SURPRISE: f32 = 0.01;
/// Weights of the policies that a piece may follow.
#[derive(Clone, Debug)]
pub(super) struct Belief {
    log_weights: [f32; POLICIES],
    /// Share of each policy's predictions that came true, of late.
    pub right: [f32; POLICIES],
    /// Last cell of the piece, and each policy's prediction of its move.
    pub last: Option<(Cell, [Step; POLICIES])>,
    /// Direction of the piece's last step, if it has walked.
    pub heading: Option<Direction>,
}

impl Default for Belief {
    fn default() -> Self {
        Self {
            log_weights: PRIOR.map(f32::ln),
            right: [FIRST_HIT_RATE; POLICIES],
            last: None,
            heading: None,
        }
    }
}

impl Belief {
    /// Updates the weights by the piece's move.
    pub(super) fn observe(&mut self, board: &Board, now: Cell) {
        self.heading = None;
        let Some((from, steps)) = self.last.take() else { return };
        let heading = board.direction(from, now);
        if now != from && heading.is_none() {
            // A teleport is no evidence for any policy.
            return;
        }
        self.heading = heading;
        for (right, step) in self.right.iter_mut().zip(&steps) {
            let came_true = if step.likeliest(board) == now { 1.0 } else { 0.0 };
            *right += HIT_RATE_UPDATE * (came_true - *right);
        }
        for (weight, step) in self.log_weights.iter_mut().zip(&steps) {
            let likelihood = if now == from { step.stays } else { step.enters(board, now) };
            *weight = *weight * MEMORY + libm::logf(likelihood.max(SURPRISE));
        }
    }

    pub(super) fn weights(&self) -> [f32; POLICIES] {
        let most = self.log_weights.iter().copied().fold(f32::MIN, f32::max);
        let weights = self.log_weights.map(|weight| libm::expf(weight - most));
        let sum: f32 = weights.iter().sum();
        weights.map(|weight| weight / sum)
    }

    /// Weights of the policies whose program is known, among themselves; 0 for those that are less often right than another one,
    /// which may have learned to follow them.
    pub(super) fn known(&self) -> [f32; POLICIES] {
        let mut weights = self.weights();
        weights[FITTED..].fill(0.0);
        let sum: f32 = weights.iter().sum();
        let others = self.right[FITTED..].iter().copied().fold(0.0, f32::max);
        let is_behind = |right: f32| right + BEHIND < others;
        for (weight, right) in weights.iter_mut().zip(self.right) {
            *weight = if sum <= 0.0 || is_behind(right) { 0.0 } else { *weight / sum };
        }
        weights
    }

    /// Mixes the policies' predictions by their weights.
    pub(super) fn mix(&mut self, from: Cell, steps: [Step; POLICIES]) -> Step {
        let mut mixed = Step { from, towards: [0.0; 4], stays: 0.0 };
        for (weight, step) in self.weights().into_iter().zip(&steps) {
            for (towards, share) in mixed.towards.iter_mut().zip(step.towards) {
                *towards += weight * share;
            }
            mixed.stays += weight * step.stays;
        }
        self.last = Some((from, steps));
        mixed
    }
}

/// Distribution with most weight on a policy's order, the rest spread over the piece's other moves.
pub(super) fn ordered(
    board: &Board,
    from: Cell,
    order: Option<Direction>,
    through_walls: bool,
) -> Step {
    let exits = board.exits(from);
    // At most four exits.
    let rest = (1.0 - RELIABLE) / f32::from(exits.len() as u8 + 1);
    let mut step = Step { from, towards: [0.0; 4], stays: rest };
    for exit in exits {
        step.towards[exit.index()] = rest;
    }
    match order {
        Some(direction) if through_walls || board.is_open(from, direction) => {
            step.towards[direction.index()] += RELIABLE;
        }
        _ => step.stays += RELIABLE,
    }
    step
}

/// Distribution of a piece that walks along the corridors and seldom turns back.
pub(super) fn wanders(board: &Board, from: Cell, heading: Option<Direction>) -> Step {
    let back = heading.map(Direction::opposite);
    let exits = board.exits(from);
    let share = |exit: Direction| if Some(exit) == back { TURNS_BACK } else { 1.0 };
    let sum = exits.iter().map(|&exit| share(exit)).sum::<f32>() + STAYS;
    let mut step = Step { from, towards: [0.0; 4], stays: STAYS / sum };
    for &exit in exits {
        step.towards[exit.index()] = share(exit) / sum;
    }
    step
}
