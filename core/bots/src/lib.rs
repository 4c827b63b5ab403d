//! The players of the house, behind the trait that every bot implements. Pure: no I/O, no clock.
//!
//! A bot decides the same on each system, and in a browser: exponentials, logarithms and powers come from `libm`, for those of the
//! standard library differ in the last bit.
//!
//! To add a bot, write its file and list it in [`registry`]; the crate `mon_ia` in `exemples` is a starting point. The players
//! of PyRat are in [`pyrat`].

pub mod aleatoire;
mod beam;
mod budget;
pub mod champion;
pub mod dijkstra;
mod evaluation;
pub mod glouton;
mod house_game;
pub mod knowledge;
mod last_turn;
pub mod observe;
pub mod prudent;
pub mod pyrat;
pub mod registry;
mod situation;
pub mod students;
mod think_aloud;

use game::pacman::Orders;

pub use budget::Budget;
pub use evaluation::Evaluation;
pub use house_game::HouseGame;
pub use registry::by_name;
pub use situation::Situation;
pub use think_aloud::ThinkAloud;

/// A Pacman bot with a name.
pub type Entry = registry::Entry<dyn Bot>;

/// Decisions of a player. An implementation may keep memory between turns.
///
/// ```
/// use bots::{Bot, HouseGame, Situation, by_name};
/// use game::pacman::{Map, Orders, Piece, Rules};
///
/// /// Turns as far to the right as it can.
/// struct RightHand;
///
/// impl Bot for RightHand {
///     fn play(&mut self, situation: &Situation<'_>) -> Orders {
///         let last = |piece| situation.state().moves(piece).last().copied();
///         Orders { pacman: last(Piece::pacman(situation.me)), ghost: last(Piece::ghost(situation.me)) }
///     }
/// }
///
/// let map: Map = "3;6\n#    #\n  &.  \n#    #\n".parse()?;
/// let bots: Vec<Box<dyn Bot>> = vec![Box::new(RightHand), by_name("glouton").unwrap().make(1)];
/// let mut game = HouseGame::start(&map, Rules::SUJET, 20, 7, bots);
/// while !game.state().view().is_over() {
///     game.play_turn(|_, _| {});
/// }
/// # Ok::<(), game::pacman::MapError>(())
/// ```
pub trait Bot: Send {
    /// Prepares for a new game, or for a running one that is joined; memory of earlier games is stale. The first game of a bot may
    /// begin without it.
    fn new_game(&mut self, situation: &Situation<'_>) {
        let _ = situation;
    }

    /// Orders for both pieces in this turn. A bot that gets better with time thinks while the budget of the situation lasts.
    fn play(&mut self, situation: &Situation<'_>) -> Orders;

    /// The thought of the bot about the decision that it has just made, for people to read, as a [`ThinkAloud`] writes it.
    fn thought(&mut self) -> Option<String> {
        None
    }

    /// A bot with the same memory, which plays on as this one would; `None` if the bot cannot be copied. To show the whole game to a
    /// new bot of the same kind leads to the same memory, but takes longer.
    fn fork(&self) -> Option<Box<dyn Bot>> {
        None
    }

    /// The points that the bot expects of the decision that it has just made; `None` if it does not value moves in points.
    fn evaluation(&self, situation: &Situation<'_>) -> Option<Evaluation> {
        let _ = situation;
        None
    }
}
