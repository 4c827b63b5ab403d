//! The answers of a turn.

use std::fmt::{self, Write as _};
use std::time::Duration;

use game::pacman::Orders;
use game::pyrat;
use referee::Cause;

use crate::marks::Marks;

/// The answers of a turn, and the marks of the state after it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Turn {
    /// One answer per player, by colour.
    pub answers: Vec<Given>,
    /// The marks of the state after the turn.
    pub marks: Marks,
}

/// A player's answer, with its thinking time, and its remarks if it was flawed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Given {
    /// The answer.
    pub answer: Answer,
    /// Time from the sending of the state to the answer, recorded to 3 %: at most some 30 s, 0 without an answer.
    pub taken: Duration,
    /// The cause of a miss; `None` if an answer came.
    pub cause: Option<Cause>,
    /// The first message of the turn that was malformed or late.
    pub excerpt: Option<Excerpt>,
}

/// The unchanged first bytes of a malformed or late message, up to a thought.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Excerpt {
    /// The flaw of the message.
    pub flaw: Flaw,
    len: u8,
    bytes: [u8; Self::MAX],
}

/// The flaw of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// The message holds no order, or only half of one.
    Malformed,
    /// The message answered an older state than the current one.
    Late,
}

impl Excerpt {
    /// Maximum number of bytes kept of a message.
    pub const MAX: usize = 32;

    /// Makes an excerpt of the first [`MAX`](Self::MAX) bytes.
    #[must_use]
    pub fn new(flaw: Flaw, text: &[u8]) -> Self {
        let mut bytes = [0; Self::MAX];
        let len = text.len().min(Self::MAX);
        bytes[..len].copy_from_slice(&text[..len]);
        Self { flaw, len: len as u8, bytes }
    }

    /// Makes an excerpt of the answer in a message; a [thought](crate::thoughts) after it is not for everybody.
    #[must_use]
    pub fn of_answer(flaw: Flaw, message: &[u8]) -> Self {
        Self::new(flaw, message.split(|&byte| byte == b';').next().unwrap_or_default())
    }

    /// The kept bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..self.len.into()]
    }
}

impl fmt::Debug for Excerpt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {self}", self.flaw)
    }
}

/// Formats the bytes in quotes, safe for a terminal: invisible characters are escaped as in Rust, and `…` follows
/// if the message may have been longer.
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

/// The answer of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Orders for the player's pieces in Pacman; malformed orders have no direction.
    Orders(Orders),
    /// An action in PyRat.
    Action(pyrat::Action),
    /// Nothing came before the deadline.
    Missed,
    /// The player is not asked: its rat is in the mud. A recording keeps this as a miss; [`Replay::judge`](crate::Replay::judge)
    /// tells them apart.
    Unasked,
    /// The player had no connection.
    Disconnected,
}

/// The fault of an answer; its number is that of a [film](crate::film).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AnswerFault {
    /// The message holds no order, or only half of one.
    Malformed = 1,
    /// Nothing came before the deadline.
    Missed,
    /// The player had no connection.
    Disconnected,
}

impl AnswerFault {
    /// The fault in one word: `malformed`, `missed` or `disconnected`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Malformed => "malformed",
            Self::Missed => "missed",
            Self::Disconnected => "disconnected",
        }
    }
}

impl Given {
    /// Makes an answer with a thinking time of 0, such as a miss.
    #[must_use]
    pub fn nothing(answer: Answer) -> Self {
        Self::in_time(answer, Duration::ZERO)
    }

    /// Makes an answer that came in time, `taken` after the state was sent.
    #[must_use]
    pub fn in_time(answer: Answer, taken: Duration) -> Self {
        Self { answer, taken, cause: None, excerpt: None }
    }

    /// The fault of the answer; `None` if it is well-formed and came in time.
    pub fn fault(&self) -> Option<AnswerFault> {
        match self.answer {
            Answer::Orders(Orders { pacman: Some(_), ghost: Some(_) }) => None,
            Answer::Orders(_) | Answer::Action(pyrat::Action::Malformed) => {
                Some(AnswerFault::Malformed)
            }
            Answer::Missed | Answer::Action(pyrat::Action::Missed) => Some(AnswerFault::Missed),
            Answer::Action(_) | Answer::Unasked => None,
            Answer::Disconnected => Some(AnswerFault::Disconnected),
        }
    }

    /// The letters of the answer; `None` for a miss, and for a malformed action of PyRat.
    pub fn letters(&self) -> Option<String> {
        match self.answer {
            Answer::Orders(orders) => Some(String::from_utf8_lossy(&orders.encode()).into_owned()),
            Answer::Action(pyrat::Action::Missed | pyrat::Action::Malformed)
            | Answer::Missed
            | Answer::Unasked
            | Answer::Disconnected => None,
            Answer::Action(action) => Some(char::from(action.encode()).to_string()),
        }
    }

    /// The orders of Pacman that the answer amounts to; without directions if there are none.
    pub fn orders(&self) -> Orders {
        match self.answer {
            Answer::Orders(orders) => orders,
            _ => Orders::default(),
        }
    }

    /// The action of PyRat that the answer amounts to; a miss if there is none.
    pub fn action(&self) -> pyrat::Action {
        match self.answer {
            Answer::Action(action) => action,
            _ => pyrat::Action::Missed,
        }
    }
}
