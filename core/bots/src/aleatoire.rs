//! `aleatoire`: any direction, at random.

use game::pacman::{Chance, Direction, Orders, Quick};

use crate::{Bot, Situation};

/// Draws both directions uniformly, walls included.
#[derive(Debug)]
pub struct Aleatoire(Quick);

impl Aleatoire {
    /// The same seed gives the same draws.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(Quick::new(seed))
    }
}

impl Bot for Aleatoire {
    fn play(&mut self, _: &Situation<'_>) -> Orders {
        let mut any = || Some(Direction::ALL[self.0.below(4) as usize]);
        Orders { pacman: any(), ghost: any() }
    }
}
