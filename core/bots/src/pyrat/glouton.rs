//! `glouton`: the nearest cheese, again and again.

use game::pyrat::Direction;
use graph::DistanceTable;

use super::{Bot, Situation};

/// Walks to the cheese that is the fewest turns away.
#[derive(Debug, Default)]
pub(super) struct Glouton {
    table: DistanceTable,
}

impl Bot for Glouton {
    fn play(&mut self, situation: &Situation<'_>) -> Option<Direction> {
        let state = situation.state;
        let here = situation.rat()?.cell;
        let distances = self.table.from(state.maze(), here);
        let nearest = *state.cheese().iter().min_by_key(|&&cheese| distances.to(cheese))?;
        distances.first_step(state.maze(), nearest)
    }
}
