//! The players of the house, behind the trait that every bot implements. Pure: no I/O, no clock.
//!
//! To add one, write its file and name it in [`registry`]; the crate `mon_ia` in `exemples` is one to begin with. The players of PyRat are in [`pyrat`].

pub mod aleatoire;
mod budgeted;
pub mod champion;
pub mod dijkstra;
pub mod glouton;
mod house_game;
pub mod knowledge;
pub mod observe;
pub mod prudent;
pub mod pyrat;
pub mod registry;

use game::pacman::{Colour, Orders, Rules, View};

pub use budgeted::{Budgeted, GoOn};
pub use house_game::HouseGame;
pub use registry::by_name;

/// A bot of Pacman that can be asked for by name.
pub type Entry = registry::Entry<dyn Bot>;

/// What a bot is asked about: the state that it sees, which player it is, and the rules.
#[derive(Clone, Copy, Debug)]
pub struct Situation<'a> {
    /// The state of the game.
    pub view: &'a View,
    /// The bot's own colour; the view has a player of it.
    pub me: Colour,
    /// The rules that hold.
    pub rules: &'a Rules,
}

/// A player's mind. It may keep memory between turns.
pub trait Bot: Send {
    /// A new game starts, or a running one is joined: whatever is remembered is of no use.
    fn new_game(&mut self, situation: &Situation<'_>) {
        let _ = situation;
    }

    /// What both pieces shall do in this turn.
    fn play(&mut self, situation: &Situation<'_>) -> Orders;

    /// The same by a bot that can make good use of time: it thinks on while `go_on` says so, and asks before each part of its
    /// work, which takes about a millisecond at most. A clock may answer, or a count, which makes games reproducible.
    fn play_within(
        &mut self,
        situation: &Situation<'_>,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Orders {
        let _ = go_on;
        self.play(situation)
    }
}
