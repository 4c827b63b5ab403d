//! One seat of a match.

use std::time::{Duration, Instant};

use crate::cause::Cause;
use crate::ledger::Ledger;

/// A seat, and what its player has done in the current turn.
#[derive(Debug)]
pub(crate) struct Seat<M> {
    pub(crate) ledger: Option<Ledger>,
    /// Time that turns may still wait for the seat beyond their deadlines.
    pub(crate) account: Duration,
    /// The cause of the misses since the last message.
    pub(crate) silence: Option<Cause>,
    /// `true` if the current state needs an answer.
    pub(crate) is_asked: bool,
    /// When the turn stops waiting for the seat.
    pub(crate) waited_until: Option<Instant>,
    /// When the seat gave its answer, or stopped being waited for, in this turn.
    pub(crate) released: Option<Instant>,
    /// When its silence proves that it has skipped states.
    pub(crate) write_off: Option<Instant>,
    /// The answer to the current state, and how long it took.
    pub(crate) answer: Option<(M, Duration)>,
    /// When the current state was sent to a player whose debts were written off, and who has answered: the turn waits
    /// for a second message, which would prove that it has not skipped any state.
    pub(crate) probation: Option<Instant>,
    /// Until when the player is sent no state, because a turn could not wait for the proof that it has skipped states.
    pub(crate) withheld_until: Option<Instant>,
    /// The last late message, and the number of the newest state that its author had been sent.
    pub(crate) last: Option<(M, u64)>,
    /// The first late message of the turn.
    pub(crate) late: Option<M>,
    pub(crate) has_spoken: bool,
    /// Turns in a row without any message from the connection that was there last.
    pub(crate) silent_turns: u32,
    /// When the last message came: its author thought about nothing else before.
    pub(crate) last_message: Option<Instant>,
}

impl<M> Seat<M> {
    /// Nobody is there; turns may wait for the seat that long beyond their deadlines.
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

    /// Until when the turn waits for the seat, if it does.
    pub(crate) fn awaited_until(&self) -> Option<Instant> {
        let ledger = self.ledger.as_ref().filter(|ledger| ledger.is_present())?;
        let answers = self.is_asked || ledger.answers_optional != Some(false);
        self.waited_until.filter(|_| answers && self.released.is_none())
    }

    /// Tests if an answer to the final state is still to be expected.
    pub(crate) fn is_settling(&self) -> bool {
        self.ledger.as_ref().is_some_and(|ledger| ledger.owed() > 0 && !ledger.skips_final)
    }
}
