//! Cheapest paths in a maze, from any cell.

use game::pyrat::{Cell, Direction, State};
use graph::DistanceTable;

/// Distances between cells, in turns, computed on first use.
#[derive(Debug, Default)]
pub(super) struct Ways {
    table: DistanceTable,
}

impl Ways {
    /// Length of a cheapest path, in turns.
    pub(super) fn turns(&mut self, state: &State, from: Cell, to: Cell) -> u32 {
        self.table.from(state.maze(), from).to(to)
    }

    /// First step of a cheapest path; `None` if there is no path, or both cells are the same.
    pub(super) fn step(&mut self, state: &State, from: Cell, to: Cell) -> Option<Direction> {
        self.table.from(state.maze(), from).first_step(state.maze(), to)
    }
}
