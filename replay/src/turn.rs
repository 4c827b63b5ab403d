//! What everybody has answered in a turn.

use std::fmt::{self, Write as _};
use std::time::Duration;

use game::pacman::Orders;
use game::pyrat;
use referee::Cause;

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
    /// Whose fault it is that nothing came; `None` when something did, and in recordings of version 1.
    pub cause: Option<Cause>,
    /// The first message of the turn that was malformed or late.
    pub excerpt: Option<Excerpt>,
}

/// The beginning of a message that was malformed or late, as it came.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Excerpt {
    /// What was wrong with the message.
    pub flaw: Flaw,
    len: u8,
    bytes: [u8; Self::MAX],
}

/// What was wrong with a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// The rules read no order in it, or only half of one.
    Malformed,
    /// It answered an older state than the current one.
    Late,
}

impl Excerpt {
    /// The most bytes of a message that are kept.
    pub const MAX: usize = 32;

    /// The first [`MAX`](Self::MAX) bytes of a message.
    #[must_use]
    pub fn new(flaw: Flaw, message: &[u8]) -> Self {
        let mut bytes = [0; Self::MAX];
        let len = message.len().min(Self::MAX);
        bytes[..len].copy_from_slice(&message[..len]);
        Self { flaw, len: len as u8, bytes }
    }

    /// The bytes that are kept.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..self.len.into()]
    }
}

impl fmt::Debug for Excerpt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {self}", self.flaw)
    }
}

/// The bytes in quotes, fit for a terminal: what is not seen is escaped as in Rust, and `…` follows when the
/// message may have been longer.
impl fmt::Display for Excerpt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for chunk in self.bytes().utf8_chunks() {
            for letter in chunk.valid().chars() {
                match letter {
                    '\'' => f.write_char(letter)?,
                    _ => write!(f, "{}", letter.escape_debug())?,
                }
            }
            write!(f, "{}", chunk.invalid().escape_ascii())?;
        }
        f.write_char('"')?;
        if self.bytes().len() == Self::MAX { f.write_char('…') } else { Ok(()) }
    }
}

/// What a player has answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Orders for its pieces in Pacman; those that are malformed name no direction.
    Orders(Orders),
    /// An action in PyRat.
    Action(pyrat::Action),
    /// Nothing came before the deadline.
    Missed,
    /// It had no connection.
    Disconnected,
}

impl Given {
    /// Nothing, for this reason.
    #[must_use]
    pub fn nothing(answer: Answer) -> Self {
        Self::in_time(answer, Duration::ZERO)
    }

    /// An answer that came in time, this long after the state was sent.
    #[must_use]
    pub fn in_time(answer: Answer, taken: Duration) -> Self {
        Self { answer, taken, cause: None, excerpt: None }
    }

    /// Whether it is something that went wrong: nothing came, or it was malformed.
    #[must_use]
    pub fn is_fault(&self) -> bool {
        match self.answer {
            Answer::Orders(orders) => orders.pacman.is_none() || orders.ghost.is_none(),
            Answer::Action(action) => {
                matches!(action, pyrat::Action::Malformed | pyrat::Action::Missed)
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
    pub fn action(&self) -> pyrat::Action {
        match self.answer {
            Answer::Action(action) => action,
            _ => pyrat::Action::Missed,
        }
    }
}
