//! A ghost that hunts a pacman.

use game::pacman::{Board, Cell};
use graph::Distances;

/// A ghost of another player, as a threat to a pacman.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hunter {
    /// The ghost's cell.
    pub cell: Cell,
    /// Probability that the ghost hunts this pacman rather than another.
    pub keen: f32,
}

impl Hunter {
    /// The ghost's cell after a step towards a pacman, whose `distances` are given; the same cell if it has no exit.
    #[must_use]
    pub fn step(self, board: &Board, distances: &Distances) -> Cell {
        board
            .exits(self.cell)
            .iter()
            .map(|&exit| board.neighbour(self.cell, exit))
            .min_by_key(|&next| distances.to(next))
            .unwrap_or(self.cell)
    }

    /// Expected number of bites in a turn in which its prey walks to a cell, and the ghost after it. The ghost moves first in half
    /// of the turns, `first` being its step towards the prey's last cell; `distances` are those from the prey's new cell.
    #[must_use]
    pub fn pursue(
        self,
        board: &Board,
        [from, to]: [Cell; 2],
        first: Cell,
        distances: &Distances,
    ) -> (f32, Self) {
        let last = self.step(board, distances);
        let mut bites = 0.0;
        if first == from || first == to {
            bites += 0.5;
        }
        if last == to || self.cell == to {
            bites += 0.5;
        }
        (bites * self.keen, Self { cell: last, ..self })
    }
}
