//! Earliest arrivals of the opponents.

use game::pacman::{Cell, Colour, View};
use graph::{DistanceTable, Distances};

use super::others;

/// Earliest arrival of any other pacman at each cell, in turns from now.
#[derive(Clone, Debug, Default)]
pub struct Arrivals {
    earliest: Vec<u32>,
}

impl Arrivals {
    /// Computes the arrivals for a state, wall-passes included.
    pub fn fill(&mut self, view: &View, me: Colour, table: &mut DistanceTable) {
        let board = view.board();
        self.earliest.clear();
        self.earliest.resize(board.dims().len(), Distances::UNREACHED);
        for (_, other) in others(view, me) {
            let distances = table.through(board, other.pacman, other.powers.wall_pass);
            for &cell in distances.reached() {
                let earliest = &mut self.earliest[cell.index()];
                *earliest = (*earliest).min(distances.to(cell));
            }
        }
    }

    /// Expected fraction of a cell's object that is left for a pacman that arrives after `turns` turns: 1 if it is first, ½ if
    /// tied, and less the nearer the first opponent is.
    pub fn left_for(&self, cell: Cell, turns: u32) -> f32 {
        let earliest = self.earliest[cell.index()];
        match turns.cmp(&earliest) {
            std::cmp::Ordering::Less => 1.0,
            std::cmp::Ordering::Equal => 0.5,
            // The further away the others are, the likelier they go elsewhere.
            std::cmp::Ordering::Greater => f32::from(earliest.min(16) as u16) / 20.0,
        }
    }
}
