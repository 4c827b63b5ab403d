//! Dynamic programming over turns and cells for the ghost, against the walks that are foreseen.
//!
//! Bellman, “Dynamic Programming”, 1957: the value of a cell at a turn follows from the values of its neighbours at the next turn.
#![expect(clippy::cast_precision_loss, reason = "what is expected need not be exact")]

use game::pacman::{Board, Cell, Direction, Player};
use graph::{DistanceTable, Distances};

use super::opponents::Foreseen;
use super::rehearsal::{self, Plan};
use super::step::Step;
use super::{LATER, REHEARSED};
use crate::Situation;

/// Turns that are looked ahead: walks that are not rehearsed are seldom right for longer.
const NEAR: usize = 4;
/// Turns that are looked ahead if enough opponents are rehearsed.
const FAR: usize = rehearsal::TURNS;
/// Discount of points for each turn.
const PATIENCE: f32 = 0.95;
/// Points for a bite.
pub(super) const BITE: f32 = 20.0;
/// Points for a battle with a glutton, and what the glutton gains.
pub(super) const EATEN: f32 = -26.0;
/// Factor of a bite's worth if the prey is the best opponent.
pub(super) const LEADER: f32 = 1.2;
/// Points for meeting a prey at the horizon.
pub(super) const CATCH: f32 = 80.0;
/// Cost of staying, in points, besides its penalty: the false move counts, and the prey gets away.
const STAYING: f32 = 20.0;

/// Plans a ghost's moves.
#[derive(Debug, Default)]
pub(super) struct Hunt {
    near: Distances,
    /// Values of the cells at the turn after the one that is worked out, and at that one.
    next: Vec<f32>,
    now: Vec<f32>,
    /// Best orders by turn and cell, if there are any.
    best: Vec<Vec<Option<Direction>>>,
}

impl Hunt {
    /// The ghost's best orders for the next turns against the foreseen walks; `None` is to stay.
    pub(super) fn plan(
        &mut self,
        situation: &Situation<'_>,
        player: &Player,
        foreseen: &[Foreseen],
        table: &mut DistanceTable,
    ) -> Plan {
        let view = situation.view;
        let board = view.board();
        let preys: Vec<Prey<'_>> = foreseen.iter().map(|prey| Prey::new(prey, foreseen)).collect();
        let left = view.total().saturating_sub(view.elapsed()) as usize;
        let rehearsed = foreseen.iter().filter(|foreseen| foreseen.is_rehearsed).count();
        let horizon = if rehearsed >= REHEARSED { FAR } else { NEAR }.min(left);
        self.best.resize_with(horizon.max(1) + 1, Vec::new);
        self.near.fill_within(board, player.ghost, horizon as u32);
        for values in [&mut self.next, &mut self.now] {
            values.clear();
            values.resize(board.dims().len(), 0.0);
        }
        if left > horizon {
            self.value_horizon(board, &preys, table, horizon);
        }
        for turn in (2..=horizon).rev() {
            self.value_turn(board, &preys, turn);
        }
        let from = player.ghost;
        let worth = |to: Cell| {
            let battles = preys
                .iter()
                .map(|prey| prey.battle(1) * prey.foreseen.pacman.meetings(board, from, to));
            battles.sum::<f32>() + PATIENCE * self.next[to.index()]
        };
        let mut counter = player.false_moves;
        let stay = match situation.rules.false_moves.count(&mut counter) {
            // A teleport takes the ghost off its prey.
            true => f32::MIN,
            false => worth(from) + situation.rules.blocked_ghost as f32 - STAYING,
        };
        let mut best = (stay, None);
        for &exit in board.exits(from) {
            let worth = worth(board.neighbour(from, exit));
            if worth > best.0 {
                best = (worth, Some(exit));
            }
        }
        let mut plan = vec![best.1];
        let mut at = best.1.map_or(from, |exit| board.neighbour(from, exit));
        for best in &self.best[2..=horizon.max(1)] {
            let Some(exit) = best[at.index()] else { break };
            plan.push(Some(exit));
            at = board.neighbour(at, exit);
        }
        plan
    }

    /// Values the cells at the horizon by their distance from the expected cell of a prey.
    fn value_horizon(
        &mut self,
        board: &Board,
        preys: &[Prey<'_>],
        table: &mut DistanceTable,
        horizon: usize,
    ) {
        for &cell in self.near.reached() {
            let mut best: f32 = 0.0;
            for prey in preys.iter().filter(|prey| prey.battle(horizon + 1) > 0.0) {
                let walk = &prey.foreseen.walk;
                let goal = walk.get(horizon - 1).or(walk.last());
                let goal = goal.copied().unwrap_or(prey.foreseen.player.pacman);
                let distance = table.from(board, goal).to(cell);
                if distance < Distances::UNREACHED {
                    best = best.max(CATCH * prey.weight * LATER.powf(distance as f32));
                }
            }
            self.next[cell.index()] = best;
        }
    }

    /// Values the cells before a turn, from their values after it.
    fn value_turn(&mut self, board: &Board, preys: &[Prey<'_>], turn: usize) {
        self.best[turn].resize(board.dims().len(), None);
        for &cell in self.near.reached() {
            if self.near.to(cell) as usize >= turn {
                break;
            }
            let worth = |&exit: &Direction| {
                let to = board.neighbour(cell, exit);
                let battles = preys.iter().map(|prey| prey.expected(board, cell, to, turn));
                battles.sum::<f32>() + PATIENCE * self.next[to.index()]
            };
            let best = board.exits(cell).iter().map(|exit| (worth(exit), *exit));
            let best = best.max_by(|a, b| a.0.total_cmp(&b.0));
            self.best[turn][cell.index()] = best.map(|(_, exit)| exit);
            self.now[cell.index()] = best.map_or(0.0, |(worth, _)| worth);
        }
        std::mem::swap(&mut self.now, &mut self.next);
    }
}

/// A pacman that the ghost may meet.
struct Prey<'a> {
    foreseen: &'a Foreseen,
    /// Worth of a point that it loses, in points of the ghost's owner.
    weight: f32,
}

impl<'a> Prey<'a> {
    fn new(foreseen: &'a Foreseen, all: &[Foreseen]) -> Self {
        let is_best = all.iter().all(|other| other.player.points <= foreseen.player.points);
        Self { foreseen, weight: if is_best { LEADER } else { 1.0 } }
    }

    /// Points for a battle in a turn, counted from 1.
    fn battle(&self, turn: usize) -> f32 {
        match self.foreseen.player.powers.glutton as usize {
            glutton if glutton >= turn => EATEN,
            _ => BITE * self.weight,
        }
    }

    /// Expected points for battles in a turn, from the second one on, in which the ghost walks from one cell to another.
    fn expected(&self, board: &Board, from: Cell, to: Cell, turn: usize) -> f32 {
        let walk = &self.foreseen.walk;
        let (Some(&before), Some(&after)) = (walk.get(turn - 2), walk.get(turn - 1)) else {
            return 0.0;
        };
        if after != to && after != from && before != to {
            return 0.0;
        }
        let sure = self.foreseen.steady.powf(turn as f32);
        self.battle(turn) * sure * Step::towards(board, before, after).meetings(board, from, to)
    }
}
