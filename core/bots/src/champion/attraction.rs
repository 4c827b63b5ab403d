//! Potential field: each cell attracts by the objects around it, and by those that are expected to appear.
//!
//! An object that appears goes to the nearest pacman, so that a cell is worth the part of the board that is nearer to it than to
//! all opponents: its discrete Voronoi cell.
#![expect(clippy::cast_precision_loss, reason = "what is expected need not be exact")]

use game::pacman::{Cell, Object, View};
use graph::{DistanceTable, Distances};

use super::allowance::Allowance;
use super::claims::Claims;
use super::opponents::Foreseen;
use crate::knowledge::Pull;

/// Discount of an object's pull for each step of its distance.
const FADING: f32 = 0.92;
/// Turns for which a place is expected to keep its value.
const HOLDS: f32 = 10.0;
/// Mean points of the objects that appear in a turn: one in five turns, 60 points.
const APPEARING: f32 = 12.0;
/// Turns after which the opponents' expected cells divide the board, for the objects that appear.
const AHEAD: usize = 5;
/// On boards with more cells, objects that may appear do not count: the computation is quadratic in the cells.
const MOST_CELLS: usize = 1200;

/// Points that each cell attracts with.
#[derive(Debug, Default)]
pub(super) struct Attraction {
    pull: Pull,
    /// The part of objects that may appear, by cell.
    appearing: Vec<f32>,
    mean: f32,
}

impl Attraction {
    /// Computes the field for a pacman, from its distances to all cells. When the budget is over, objects that are further away do
    /// not attract, nor do those that may appear.
    pub(super) fn fill(
        &mut self,
        view: &View,
        own: &Distances,
        claims: &Claims,
        foreseen: &[Foreseen],
        table: &mut DistanceTable,
        budget: &mut Allowance<'_>,
    ) {
        self.pull.fill(view, own, table, FADING, |cell, object| {
            let is_afforded = budget.affords(own.reached().len());
            is_afforded.then(|| worth(object) * claims.left_for(cell, own.to(cell)))
        });
        self.add_appearing(view, own, foreseen, table, budget);
        self.mean = self.pull.mean(own.reached());
    }

    pub(super) fn of(&self, cell: Cell) -> f32 {
        self.pull.of(cell)
    }

    /// Mean over all reachable cells: the field at the unknown end of a teleport.
    pub(super) fn mean(&self) -> f32 {
        self.mean
    }

    fn add_appearing(
        &mut self,
        view: &View,
        own: &Distances,
        foreseen: &[Foreseen],
        table: &mut DistanceTable,
        budget: &mut Allowance<'_>,
    ) {
        let board = view.board();
        if own.reached().len() > MOST_CELLS {
            return;
        }
        let ahead = |other: &Foreseen| {
            let cell = other.walk.get(AHEAD - 1).or(other.walk.last()).copied();
            cell.filter(|&cell| !board.is_wall(cell)).unwrap_or(other.player.pacman)
        };
        let rivals: Vec<Cell> = foreseen.iter().map(ahead).collect();
        let left = view.total().saturating_sub(view.elapsed()) as f32;
        let each = HOLDS.min(left / 2.0) * APPEARING / own.reached().len() as f32;
        // Estimate of the cells visited: from each place, those no further away than the nearest rival.
        let visited = own.reached().len() * own.reached().len() / (rivals.len() + 1);
        if !budget.affords(visited) {
            return;
        }
        let is_paid = budget.is_over();
        self.appearing.clear();
        self.appearing.resize(board.dims().len(), 0.0);
        for &place in own.reached().iter().filter(|&&cell| !board.is_wall(cell)) {
            if !is_paid && !budget.lasts() {
                return;
            }
            let distances = table.from(board, place);
            let first = rivals.iter().map(|&rival| distances.to(rival)).min();
            let first = first.unwrap_or(Distances::UNREACHED);
            for &cell in distances.reached() {
                let distance = distances.to(cell);
                if distance > first {
                    break;
                }
                let share = if distance == first { 0.5 } else { 1.0 };
                self.appearing[cell.index()] += each * share;
            }
        }
        self.pull.add(&self.appearing);
    }
}

/// Expected worth of an object to a pacman, in points: its own, and those that its power brings.
pub(super) fn worth(object: Object) -> f32 {
    match object {
        Object::Vitamin => 3.0,
        Object::Teleporter => 50.0,
        Object::Freeze | Object::WallPass => 55.0,
        Object::Glutton => 60.0,
        Object::Cherry => 100.0,
    }
}
