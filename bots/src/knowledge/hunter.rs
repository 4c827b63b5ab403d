//! A ghost that comes after a pacman.

use game::pacman::{Board, Cell};
use graph::DistanceTable;

/// A ghost of somebody else, as a pacman fears it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hunter {
    /// Where it is.
    pub cell: Cell,
    /// How likely it is after this pacman and no other, 0 to 1.
    pub keen: f32,
}

impl Hunter {
    /// Where it is after a step towards a pacman; where it was if there is no way.
    #[must_use]
    pub fn step(self, board: &Board, prey: Cell, table: &mut DistanceTable) -> Cell {
        let distances = table.from(board, prey);
        board
            .exits(self.cell)
            .iter()
            .map(|&exit| board.neighbour(self.cell, exit))
            .min_by_key(|&next| distances.to(next))
            .unwrap_or(self.cell)
    }

    /// How many bites are to be expected in a turn in which its prey walks from one cell to another,
    /// and where it is then. Half of the time the ghost moves first.
    #[must_use]
    pub fn pursue(
        self,
        board: &Board,
        from: Cell,
        to: Cell,
        table: &mut DistanceTable,
    ) -> (f32, Self) {
        let first = self.step(board, from, table);
        let last = self.step(board, to, table);
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
