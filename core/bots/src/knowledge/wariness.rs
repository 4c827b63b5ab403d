//! Costs of the cells near ghosts.

use game::pacman::{Colour, View};
use graph::Distances;

use super::others;

/// Extra cost of a cell by its distance from a ghost that bites, from 0.
const NEAR_A_GHOST: [u16; 4] = [40, 25, 8, 2];

/// Cost of each cell for a pacman that keeps away from ghosts: a step, and more near a ghost that bites.
#[derive(Clone, Debug, Default)]
pub struct Wariness {
    costs: Vec<u16>,
    distances: Distances,
}

impl Wariness {
    /// Computes the costs for the pacman of a player, row-major.
    pub fn fill(&mut self, view: &View, prey: Colour) -> &[u16] {
        let board = view.board();
        self.costs.clear();
        self.costs.resize(board.dims().len(), 1);
        if view.player(prey).is_some_and(|player| player.powers.glutton > 0) {
            return &self.costs;
        }
        for (_, other) in others(view, prey) {
            self.distances.fill_within(board, other.ghost, NEAR_A_GHOST.len() as u32 - 1);
            for &cell in self.distances.reached() {
                self.costs[cell.index()] += NEAR_A_GHOST[self.distances.to(cell) as usize];
            }
        }
        &self.costs
    }

    /// Costs that the last search computed, in row-major order.
    pub fn costs(&self) -> &[u16] {
        &self.costs
    }
}
