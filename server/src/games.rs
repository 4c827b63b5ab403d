//! The games that a driver can play.

mod pacman;
mod pyrat;

use std::fmt;
use std::time::Duration;

use game::pacman::Direction;
use replay::{Answer, Marks, Setup};

use crate::results::Standing;

pub use pacman::Pacman;
pub use pyrat::{Mazes, NoGame, PyRat};

/// A game (*jeu*), as far as a driver has to know it. It never waits and never fails.
pub trait Game: fmt::Debug + Send {
    /// Draws the start of a game for these players, by order of colour.
    fn set_up(&mut self, seed: u64, turns: u32, names: Vec<String>);

    /// What everybody is told once before the states: the text of the maze, if there is one.
    fn maze(&self) -> Option<&[u8]> {
        None
    }

    /// How much longer than others the first answer may take.
    fn preparation(&self) -> Duration {
        Duration::ZERO
    }

    /// The text of the current state.
    fn text(&mut self) -> &[u8];

    /// Turns played.
    fn elapsed(&self) -> u32;

    /// Whether there are no more turns.
    fn is_over(&self) -> bool;

    /// Whether the player's answer to the current state counts for anything.
    fn is_asked(&self, player: usize) -> bool {
        let _ = player;
        true
    }

    /// Plays a turn, with an answer for each player; `None` where none came in time. If somebody looks on,
    /// `show` is given the texts of the intermediate states and of the new one. What players did wrong is added to
    /// `slips`; a missing answer is no slip.
    fn play_turn(
        &mut self,
        answers: &[Option<&[u8]>],
        show: Option<&mut Show<'_>>,
        slips: &mut Vec<Slip>,
    );

    /// A game of the same kind, not set up.
    fn another(&self) -> Box<dyn Game>;

    /// How the game that is set up can be played again.
    fn setup(&self) -> Setup;

    /// What a message that came in time stands for.
    fn read(&self, message: &[u8]) -> Answer;

    /// What the parts of the current state come to.
    fn marks(&self) -> Marks;

    /// How the players stand, by order of colour.
    fn standings(&self) -> Vec<Standing>;
}

/// Takes the text of a state, and which of how many states of the turn it is, from 1.
pub type Show<'a> = dyn FnMut(&[u8], Part) + 'a;

/// What a player did wrong in a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slip {
    /// The player's seat, from 0.
    pub player: usize,
    /// What it did wrong.
    pub kind: SlipKind,
}

/// What a player can do wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlipKind {
    /// The rules read no order in the message, or only half of one.
    Malformed,
    /// A wall is in this direction.
    Blocked(Direction),
}

/// A state among those of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Which one, from 1.
    pub number: u32,
    /// How many there are; the last one is the new state.
    pub of: u32,
}

impl Part {
    /// The new state, when there is none on the way.
    pub const ONLY: Self = Self { number: 1, of: 1 };

    /// Whether it is the new state.
    #[must_use]
    pub fn is_last(self) -> bool {
        self.number == self.of
    }
}
