//! One seat of a match.

use std::time::{Duration, Instant};

use crate::cause::Cause;
use crate::ledger::Ledger;

/// Which of the states sent to a player it has answered, and what follows for the next one.
#[derive(Debug, Default)]
pub(crate) enum SeatState<M> {
    /// The player answers each state before the next one is sent, as far as is known.
    #[default]
    InStep,
    /// The player has answered an older state than the current one.
    CatchingUp {
        /// The time at which its silence proves that it has skipped states.
        write_off: Instant,
        /// Its last late message, and the number of the newest state that it had been sent by then.
        last: Option<(M, u64)>,
    },
    /// The player has answered the current state after its debts were written off: the turn waits for a second message, which
    /// would prove that the player has not skipped any state.
    Probation {
        /// The time at which the current state was sent.
        sent: Instant,
    },
    /// The player is sent no state before this time: the turn closed while the player was on probation.
    Held {
        /// The time at which its silence proves that it has skipped states.
        until: Instant,
    },
}

/// A seat, and the actions of its player in the current turn.
#[derive(Debug)]
pub(crate) struct Seat<M> {
    pub(crate) ledger: Option<Ledger>,
    /// Remaining time that turns may wait for the seat beyond their deadlines.
    pub(crate) account: Duration,
    /// The cause of the misses since the last message.
    pub(crate) silence: Option<Cause>,
    /// True if the current state needs an answer.
    pub(crate) is_asked: bool,
    /// The time at which the turn stops waiting for the seat.
    pub(crate) waited_until: Option<Instant>,
    /// The time in this turn at which the seat gave its answer, or the turn stopped waiting for the seat.
    pub(crate) released: Option<Instant>,
    pub(crate) standing: SeatState<M>,
    /// The answer to the current state, and the time that the player thought about it.
    pub(crate) answer: Option<(M, Duration)>,
    /// The first late message of the turn.
    pub(crate) late: Option<M>,
    pub(crate) has_spoken: bool,
    /// Turns in a row without any message from the seat's last connection.
    pub(crate) silent_turns: u32,
    /// Arrival time of the last message; the player starts to think about its next state no earlier.
    pub(crate) last_message: Option<Instant>,
}

impl<M> Seat<M> {
    /// An empty seat; turns may wait for it this long in total beyond their deadlines.
    pub(crate) fn new(account: Duration) -> Self {
        Self {
            ledger: None,
            account,
            silence: None,
            is_asked: true,
            waited_until: None,
            released: None,
            standing: SeatState::InStep,
            answer: None,
            late: None,
            has_spoken: false,
            silent_turns: 0,
            last_message: None,
        }
    }

    pub(crate) fn is_present(&self) -> bool {
        self.ledger.as_ref().is_some_and(Ledger::is_present)
    }

    /// The time at which the debts of a player that catches up are written off.
    pub(crate) fn write_off_at(&self) -> Option<Instant> {
        match self.standing {
            SeatState::CatchingUp { write_off, .. } => Some(write_off),
            _ => None,
        }
    }

    /// The time before which the player is sent no state.
    pub(crate) fn held_until(&self) -> Option<Instant> {
        match self.standing {
            SeatState::Held { until } => Some(until),
            _ => None,
        }
    }

    /// The time until which the turn waits for the seat; `None` if it does not wait.
    pub(crate) fn awaited_until(&self) -> Option<Instant> {
        let ledger = self.ledger.as_ref().filter(|ledger| ledger.is_present())?;
        let answers = self.is_asked || ledger.answers_optional != Some(false);
        self.waited_until.filter(|_| answers && self.released.is_none())
    }

    /// Tests if the end of the match waits for an answer of the player.
    pub(crate) fn is_settling(&self) -> bool {
        self.ledger.as_ref().is_some_and(|own| own.is_present() && own.is_awaited_at_the_end())
    }
}
