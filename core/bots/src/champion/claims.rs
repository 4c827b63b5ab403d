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
    rivals: Vec<Rival>,
    distances: Distances,
}

/// Arrivals of one opponent.
#[derive(Debug, Default)]
struct Rival {
    /// Earliest arrival by distance.
    earliest: Vec<u32>,
    /// First arrival on its foreseen walk.
    on_walk: Vec<u32>,
    /// Length of that walk.
    foreseen: u32,
    /// Probability that it is still on that walk, for each turn.
    steady: f32,
}

impl Claims {
    /// Computes the arrivals for a state. When the budget is over, further opponents arrive on their foreseen walks only.
    pub(super) fn fill(&mut self, view: &View, foreseen: &[Foreseen], budget: &mut Allowance<'_>) {
        let board = view.board();
        self.rivals.resize_with(foreseen.len(), Rival::default);
        for (rival, Foreseen { player, walk, steady, .. }) in self.rivals.iter_mut().zip(foreseen) {
            for arrivals in [&mut rival.earliest, &mut rival.on_walk] {
                arrivals.clear();
                arrivals.resize(board.dims().len(), Distances::UNREACHED);
            }
            if budget.affords(board.dims().len().min(NEARBY)) {
                let through_walls = player.powers.wall_pass;
                self.distances.fill_nearest(board, player.pacman, through_walls, NEARBY);
                for &cell in self.distances.reached() {
                    rival.earliest[cell.index()] = self.distances.to(cell);
                }
            }
            for (turn, cell) in (1..).zip(walk) {
                let first = &mut rival.on_walk[cell.index()];
                *first = turn.min(*first);
            }
            // A walk has at most some dozens of cells.
            (rival.foreseen, rival.steady) = (walk.len() as u32, *steady);
        }
    }

    /// Expected fraction of an object that is left for the pacman if it arrives after `turns`.
    pub(super) fn left_for(&self, cell: Cell, turns: u32) -> f32 {
        let (mut by_distance, mut by_walk) = (1.0_f32, 1.0);
        for Rival { earliest, on_walk, foreseen, steady } in &self.rivals {
            // An opponent that keeps to a walk elsewhere does not come.
            let elsewhere = if turns <= *foreseen { steady.powi(turns.cast_signed()) } else { 0.0 };
            let earliest = earliest[cell.index()];
            let left = match turns.cmp(&earliest) {
                Ordering::Less => 1.0,
                Ordering::Equal => TIED,
                // The further away the opponents are, the likelier they go elsewhere.
                Ordering::Greater => {
                    (LEFT_IF_LATE + LEFT_BY_TURN * f32::from(earliest.min(16) as u16)).min(1.0)
                }
            };
            by_distance = by_distance.min(left + elsewhere * (1.0 - left));
            let expected = on_walk[cell.index()];
            by_walk *= match turns.cmp(&expected) {
                Ordering::Less => 1.0,
                Ordering::Equal => 1.0 - 0.5 * steady.powi(expected.cast_signed()),
                Ordering::Greater => 1.0 - steady.powi(expected.cast_signed()),
            };
        }
        by_distance * by_walk
    }
}
