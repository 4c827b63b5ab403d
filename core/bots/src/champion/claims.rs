//! Probability that an object is still there when the pacman arrives.

use std::cmp::Ordering;

use game::pacman::{Cell, View};
use graph::Distances;

use super::NEARBY;
use super::allowance::Allowance;
use super::opponents::Foreseen;

/// Expected fraction of an object that is left if the pacman arrives at the same time as the first opponent.
const TIED: f32 = 0.5;
/// Expected fraction that is left if an opponent could be there at once, and the fraction that each turn of its walk adds.
const LEFT_IF_LATE: f32 = 0.3;
const LEFT_BY_TURN: f32 = 0.05;

/// Earliest and expected arrivals of the opponents at each cell, in turns from now.
#[derive(Debug, Default)]
pub(super) struct Claims {
    /// Earliest arrival by distance.
    earliest: Vec<u32>,
    /// First arrival on a foreseen walk: the turn, and its probability.
    expected: Vec<(u32, f32)>,
    distances: Distances,
}

impl Claims {
    /// Computes the arrivals for a state. When the budget is over, further opponents arrive on their foreseen walks only.
    pub(super) fn fill(&mut self, view: &View, foreseen: &[Foreseen], budget: &mut Allowance<'_>) {
        let board = view.board();
        self.earliest.clear();
        self.earliest.resize(board.dims().len(), Distances::UNREACHED);
        self.expected.clear();
        self.expected.resize(board.dims().len(), (Distances::UNREACHED, 0.0));
        for Foreseen { player, walk, steady, .. } in foreseen {
            if budget.affords(board.dims().len().min(NEARBY)) {
                let through_walls = player.powers.wall_pass;
                self.distances.fill_nearest(board, player.pacman, through_walls, NEARBY);
                for &cell in self.distances.reached() {
                    let earliest = &mut self.earliest[cell.index()];
                    *earliest = (*earliest).min(self.distances.to(cell));
                }
            }
            let mut sure = 1.0;
            for (turn, cell) in (1..).zip(walk) {
                sure *= steady;
                let expected = &mut self.expected[cell.index()];
                if turn < expected.0 {
                    *expected = (turn, sure);
                }
            }
        }
    }

    /// Expected fraction of an object that is left for the pacman if it arrives after `turns`.
    pub(super) fn left_for(&self, cell: Cell, turns: u32) -> f32 {
        let earliest = self.earliest[cell.index()];
        let by_distance = match turns.cmp(&earliest) {
            Ordering::Less => return 1.0,
            Ordering::Equal => TIED,
            // The further away the opponents are, the likelier they go elsewhere.
            Ordering::Greater => {
                (LEFT_IF_LATE + LEFT_BY_TURN * f32::from(earliest.min(16) as u16)).min(1.0)
            }
        };
        let (expected, sure) = self.expected[cell.index()];
        let by_walk = match turns.cmp(&expected) {
            Ordering::Less => 1.0,
            Ordering::Equal => 1.0 - 0.5 * sure,
            Ordering::Greater => 1.0 - sure,
        };
        by_distance * by_walk
    }
}
