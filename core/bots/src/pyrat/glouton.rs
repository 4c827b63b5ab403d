//! `glouton`: the nearest cheese, again and again.

use game::pyrat::Direction;

use super::ways::Ways;
use super::{Bot, Situation};

/// Walks to the cheese that is the fewest turns away.
#[derive(Debug, Default)]
pub(super) struct Glouton {
    ways: Ways,
}

impl Bot for Glouton {
    fn play(&mut self, situation: &Situation<'_>) -> Option<Direction> {
        let state = situation.state;
        let here = situation.rat()?.cell;
        let turns = |&&cheese: &&_| self.ways.turns(state, here, cheese);
        let nearest = *state.cheese().iter().min_by_key(turns)?;
        self.ways.step(state, here, nearest)
    }
}
