//! `aleatoire1` and `aleatoire2`: at random.

use game::pyrat::{Direction, Mersenne};

use super::{Bot, Situation};

/// Any of the five actions, all equally likely, walls included.
#[derive(Debug)]
pub(super) struct Aleatoire1(pub Mersenne);

/// Any neighbour, all equally likely.
#[derive(Debug)]
pub(super) struct Aleatoire2(pub Mersenne);

impl Bot for Aleatoire1 {
    fn play(&mut self, _: &Situation<'_>) -> Option<Direction> {
        Direction::ALL.get(self.0.below(5) as usize).copied()
    }
}

impl Bot for Aleatoire2 {
    fn play(&mut self, situation: &Situation<'_>) -> Option<Direction> {
        let exits = situation.state.maze().exits(situation.rat()?.cell);
        exits.get(self.0.below(exits.len().max(1) as u64) as usize).copied()
    }
}
