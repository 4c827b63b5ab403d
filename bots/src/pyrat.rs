//! The players of PyRat.
//!
//! To add one, write its file and name it here.

mod aleatoire;
mod explorer;
mod glouton;
mod ways;

use game::pyrat::{Colour, Direction, Rat, State};

use crate::registry::{Entry, entry, find};

use aleatoire::{Aleatoire1, Aleatoire2};
use explorer::Explorer;
use glouton::Glouton;

/// What a player is asked about: the state of the game, and which rat is its own.
#[derive(Clone, Copy, Debug)]
pub struct Situation<'a> {
    /// The state of the game.
    pub state: &'a State,
    /// The player's colour; the state has a rat of it.
    pub me: Colour,
}

impl Situation<'_> {
    /// The player's own rat; `None` if there is none of its colour.
    #[must_use]
    pub fn rat(&self) -> Option<&Rat> {
        self.state.rats().get(self.me.index())
    }
}

/// A player's mind. It may keep memory between turns.
pub trait Player: Send {
    /// A new game starts, or a running one is joined: whatever is remembered is of no use. This is
    /// the time for preparations.
    fn new_game(&mut self, situation: &Situation<'_>) {
        let _ = situation;
    }

    /// Where to go in this turn; `None` is to stay. It is not asked in the mud.
    fn play(&mut self, situation: &Situation<'_>) -> Option<Direction>;
}

/// Every player, from weak to strong.
#[rustfmt::skip]
pub const ALL: &[Entry<dyn Player>] = &[
    entry("aleatoire1", "any of the five actions, at random", |seed| Box::new(Aleatoire1::new(seed))),
    entry("aleatoire2", "any neighbour, at random", |seed| Box::new(Aleatoire2::new(seed))),
    entry("aleatoire3", "at random, rather where it has not been", |seed| Box::new(Explorer::new(seed))),
    entry("aleatoire4", "as aleatoire3, never into dead ends", |seed| Box::new(Explorer::new(seed).prune())),
    entry("aleatoire5", "as aleatoire3, goes back when it is stuck", |seed| Box::new(Explorer::new(seed).go_back())),
    entry("aleatoire6", "as aleatoire5, never into dead ends", |seed| Box::new(Explorer::new(seed).prune().go_back())),
    entry("aleatoire7", "as aleatoire6, rather towards the cheese", |seed| Box::new(Explorer::new(seed).prune().go_back().head_for_cheese())),
    entry("glouton", "the nearest cheese, again and again", |_| Box::new(Glouton::default())),
];

/// The player of this name.
///
/// # Errors
///
/// When there is none, with the list of those there are.
pub fn by_name(name: &str) -> Result<&'static Entry<dyn Player>, String> {
    find(ALL, name)
}
