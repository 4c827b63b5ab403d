//! The input and the output of a referee: terms of a turn, effects, verdicts and judgements.

use std::time::Duration;

use crate::cause::Cause;

/// An action that the referee asks of the shell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Send the current state to this seat.
    Send(usize),
    /// This seat has been silent for three turns: turns no longer wait for it.
    Absent(usize),
    /// This seat, which was absent, has sent something.
    Present(usize),
    /// This seat has skipped states: its debts are written off.
    WrittenOff(usize),
    /// The turn is over: [`close`](crate::Referee::close) it.
    TurnOver,
    /// The turn is over, and every seat has been absent for three deadlines: close the turn and end the match.
    Deserted,
    /// After [`finish`](crate::Referee::finish): everybody has answered the final state, or the wait for answers is over.
    Settled,
}

/// The classification of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The message answers the current state.
    Current,
    /// The message answers a past state, or came after the deadline.
    Late,
    /// Every state is answered already, or none was sent: the message is dropped and not counted.
    Unasked,
}

/// The terms of a turn.
#[derive(Clone, Copy, Debug, Default)]
pub struct Round {
    /// Time that the answer may take in addition to the deadline.
    pub preparation: Duration,
    /// Minimum length of the turn, unless its deadline comes first.
    pub at_least: Duration,
}

/// The result of a turn for one seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement<M> {
    /// The answer that counts, and the time that the player thought about it.
    pub answer: Option<(M, Duration)>,
    /// The party at fault for a missing answer. `None` with an answer, without a connection, and when no answer was
    /// needed.
    pub cause: Option<Cause>,
    /// Time that the host stalled in the turn.
    pub stalled: Duration,
    /// The first late message of the turn.
    pub late: Option<M>,
    /// True if an answer was needed.
    pub is_asked: bool,
    /// True if the seat has a connection.
    pub is_connected: bool,
}
