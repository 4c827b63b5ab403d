//! What it costs to come near a ghost.

use game::pacman::{Colour, View};
use graph::Distances;

use super::others;

/// What a cell costs more when a ghost that bites is at that distance: there, beside it, and so on.
const NEAR_A_GHOST: [u16; 4] = [40, 25, 8, 2];

/// What every cell costs a pacman that keeps away from ghosts: a step, and more near a ghost that
/// bites.
#[derive(Clone, Debug, Default)]
pub struct Wariness {
    costs: Vec<u16>,
    distances: Distances,
}

impl Wariness {
    /// Works it out for the pacman of a player.
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
    #[must_use]
    pub fn costs(&self) -> &[u16] {
        &self.costs
    }
}
