//! The games that a driver can play.

mod pacman;
mod pyrat;

use std::fmt;
use std::time::Duration;

use game::pacman::Direction;
use replay::{Answer, Marks, Setup};

use crate::results::Standing;

pub use pacman::Pacman;
pub use pyrat::{Mazes, PyRat};

/// The interface of a game (*jeu*) to its driver. No method blocks or fails.
pub trait Game: fmt::Debug + Send {
    /// Draws the start of a game for these players, in order of colour.
    fn set_up(&mut self, seed: u64, turns: u32, names: Vec<String>);

    /// The text of the maze, which is sent once before the states; `None` for a game without a maze.
    fn maze(&self) -> Option<&[u8]> {
        None
    }

    /// Extra time for the first answer.
    fn preparation(&self) -> Duration {
        Duration::ZERO
    }

    /// The text of the current state.
    fn text(&mut self) -> &[u8];

    /// The number of turns played.
    fn elapsed(&self) -> u32;

    /// Tests if the game is over.
    fn is_over(&self) -> bool;

    /// Tests if the player's answer to the current state matters.
    fn is_asked(&self, player: usize) -> bool {
        let _ = player;
        true
    }

    /// Plays a turn with the players' answers, `None` for a missing one. Passes the texts of the intermediate states and
    /// of the new state to `show`, which is `None` without spectators. Adds the players' mistakes to `slips`; a missing
    /// answer is no slip.
    fn play_turn(
        &mut self,
        answers: &[Option<&[u8]>],
        show: Option<&mut Show<'_>>,
        slips: &mut Vec<Slip>,
    );

    /// A copy of the game that is not set up.
    fn another(&self) -> Box<dyn Game>;

    /// The setup from which the current game can be replayed.
    fn setup(&self) -> Setup;

    /// The meaning of a message that arrived in time.
    fn read(&self, message: &[u8]) -> Answer;

    /// The hashes of the parts of the current state.
    fn marks(&self) -> Marks;

    /// The players' standings, in order of colour.
    fn standings(&self) -> Vec<Standing>;
}

/// A callback for the text of a state and its position in the turn.
pub type Show<'a> = dyn FnMut(&[u8], StatePosition) + 'a;

/// A mistake of a player in a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slip {
    /// The player's seat, from 0.
    pub player: usize,
    /// The kind of mistake.
    pub kind: SlipKind,
}

/// The kinds of mistakes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlipKind {
    /// The message holds no valid order, or only half of one.
    Malformed,
    /// The order leads into a wall in this direction.
    Blocked(Direction),
}

/// The position of a state among the states of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StatePosition {
    /// The number of the state, from 1.
    pub number: u32,
    /// The number of states of the turn; the last one is the new state.
    pub of: u32,
}

impl StatePosition {
    /// The new state of a turn without intermediate states.
    pub const ONLY: Self = Self { number: 1, of: 1 };

    /// Tests if the state is the new state of the turn.
    pub fn is_last(self) -> bool {
        self.number == self.of
    }
}
