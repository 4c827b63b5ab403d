//! What everybody has answered in a turn.

use std::time::Duration;

use game::pacman::Orders;
use game::pyrat;

use crate::marks::Marks;

/// What the players have answered in a turn, by colour.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Turn {
    /// An answer a player.
    pub answers: Vec<Given>,
    /// What the parts of the state came to.
    pub marks: Marks,
}

/// What a player has answered, and how long it took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Given {
    /// What it has answered.
    pub answer: Answer,
    /// How long after the state was sent, to 3 %; 0 when nothing came, and at most some 30 s.
    pub taken: Duration,
}

/// What a player has answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Orders for its pieces in Pacman; those that are malformed name no direction.
    Orders(Orders),
    /// An action in PyRat.
    Action(pyrat::Answer),
    /// Nothing came before the deadline.
    Missed,
    /// It had no connection.
    Disconnected,
}

impl Given {
    /// Nothing, for this reason.
    #[must_use]
    pub fn nothing(answer: Answer) -> Self {
        Self { answer, taken: Duration::ZERO }
    }

    /// Whether it is something that went wrong: nothing came, or it was malformed.
    #[must_use]
    pub fn is_fault(&self) -> bool {
        match self.answer {
            Answer::Orders(orders) => orders.pacman.is_none() || orders.ghost.is_none(),
            Answer::Action(action) => {
                matches!(action, pyrat::Answer::Malformed | pyrat::Answer::Missed)
            }
            Answer::Missed | Answer::Disconnected => true,
        }
    }

    /// The orders of Pacman that it stands for.
    #[must_use]
    pub fn orders(&self) -> Orders {
        match self.answer {
            Answer::Orders(orders) => orders,
            _ => Orders::default(),
        }
    }

    /// The action of PyRat that it stands for.
    #[must_use]
    pub fn action(&self) -> pyrat::Answer {
        match self.answer {
            Answer::Action(action) => action,
            _ => pyrat::Answer::Missed,
        }
    }
}
