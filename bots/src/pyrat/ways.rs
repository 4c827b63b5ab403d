//! Cheapest ways in a maze, from any cell.

use game::pyrat::{Cell, Direction, State};
use graph::DistanceTable;

/// Distances in turns between cells, worked out when they are first asked for.
#[derive(Debug, Default)]
pub(super) struct Ways {
    table: DistanceTable,
}

impl Ways {
    /// Forgets everything, for a new game.
    pub(super) fn clear(&mut self) {
        self.table.clear();
    }

    /// Turns from one cell to another.
    pub(super) fn turns(&mut self, state: &State, from: Cell, to: Cell) -> u32 {
        self.table.from(state.maze(), from).to(to)
    }

    /// The first step of a cheapest way.
    pub(super) fn step(&mut self, state: &State, from: Cell, to: Cell) -> Option<Direction> {
        self.table.from(state.maze(), from).first_step(state.maze(), to)
    }
}
