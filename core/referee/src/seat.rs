//! One seat of a match.

use std::time::{Duration, Instant};

use crate::cause::Cause;
use crate::ledger::Ledger;

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
    /// The time at which the player's silence proves that it has skipped states.
    pub(crate) write_off: Option<Instant>,
    /// The answer to the current state, and the time that the player thought about it.
    pub(crate) answer: Option<(M, Duration)>,
    /// The time at which the current state was sent to a player that has answered it after its debts were written off:
    /// the turn waits for a second message, which would prove that the player has not skipped any state.
    pub(crate) probation: Option<Instant>,
    /// The time before which the player is sent no state, because a turn could not wait for the proof of skipped states.
    pub(crate) withheld_until: Option<Instant>,
    /// The last late message, and the number of the newest state that had been sent to its player by then.
    pub(crate) last: Option<(M, u64)>,
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
            write_off: None,
            answer: None,
            probation: None,
            withheld_until: None,
            last: None,
            late: None,
            has_spoken: false,
            silent_turns: 0,
            last_message: None,
        }
    }

    pub(crate) fn is_present(&self) -> bool {
        self.ledger.as_ref().is_some_and(Ledger::is_present)
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
