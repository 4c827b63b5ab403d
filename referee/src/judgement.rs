//! Inputs of a referee in a turn, its effects, and the judgement of the turn.

use std::time::Duration;

use crate::cause::Cause;

/// Next action of the shell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Send the current state to this seat.
    Send(usize),
    /// This seat has been silent for three turns: turns no longer wait for it.
    Absent(usize),
    /// This seat, which was absent, has sent something.
    Present(usize),
    /// This seat has skipped states: what it owed is written off.
    WrittenOff(usize),
    /// The turn is over: [`close`](crate::Referee::close) it.
    TurnOver,
    /// The turn is over, and every seat has been absent for three deadlines. The turn is to be closed, and the
    /// match ends.
    Deserted,
    /// After the [`finish`](crate::Referee::finish): everybody has answered the final state, or no more answers are
    /// waited for.
    Settled,
}

/// Verdict on a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It answers the current state.
    Current,
    /// It answers a past state, or came after the deadline.
    Late,
    /// Every state is answered already, or none was sent: the message is dropped and not counted.
    Unasked,
}

/// The terms of a turn.
#[derive(Clone, Copy, Debug, Default)]
pub struct Round {
    /// Time beyond the deadline that the answer may take.
    pub preparation: Duration,
    /// The turn does not end before this time has passed, unless its deadline comes first.
    pub at_least: Duration,
    /// The seats, as bits, that need not answer the state, as a rat in the mud.
    pub excused: u32,
}

/// Judgement of one seat in a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement<M> {
    /// The answer that counts, and how long the player thought about it.
    pub answer: Option<(M, Duration)>,
    /// Whose fault it is that there is no answer. `None` with an answer, without a connection, and when no answer
    /// was needed.
    pub cause: Option<Cause>,
    /// Time for which the host stalled in the turn.
    pub stalled: Duration,
    /// The first late message of the turn.
    pub late: Option<M>,
    /// `true` if an answer was needed.
    pub is_asked: bool,
    /// `true` if the seat has a connection.
    pub is_connected: bool,
}
