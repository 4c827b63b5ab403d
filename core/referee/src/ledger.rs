//! The unanswered states of one connection.

use std::collections::VecDeque;
use std::time::Instant;

/// The debts of one connection: the states that it was sent and has not answered, and the known habits of the client.
/// A ledger outlives a game, because answers to the last states of a game may arrive in the next one.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    /// The unanswered states, oldest first.
    debts: VecDeque<Debt>,
    /// Debts written off because the client seems to have skipped the states, until this is certain.
    doubtful: VecDeque<Debt>,
    /// True if the client answers states that need no answer, false if it has certainly skipped some; `None` if unknown.
    pub(crate) answers_optional: Option<bool>,
    /// True if the client has certainly skipped the last final state that it has not answered: the end of a match does not
    /// wait for such an answer.
    skips_final: bool,
    /// Turns in a row without any message.
    pub(crate) silent_turns: u32,
}

/// A state that was sent and not answered.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Debt {
    /// The number of the state, from 1 in each match.
    pub(crate) state: u64,
    pub(crate) sent: Instant,
    pub(crate) duty: Duty,
}

/// The duty to answer a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Duty {
    /// The state needs an answer.
    Mandatory,
    /// The client may leave the state unanswered, as in the mud of PyRat.
    Optional,
    /// The final state of a match: it needs an answer, which nothing depends on.
    Final {
        /// True if the client had answered all other states when it was sent this one.
        in_step: bool,
    },
}

impl Ledger {
    /// A connection is sent no state while it owes this many mandatory answers.
    pub(crate) const CREDIT: usize = 4;
    /// Turns in a row without any message after which a seat is absent.
    pub(crate) const ABSENT: u32 = 3;

    pub(crate) fn owed(&self) -> usize {
        self.debts.len()
    }

    /// Tests if turns wait for the player: it has sent a message in the last three turns.
    pub fn is_present(&self) -> bool {
        self.silent_turns < Self::ABSENT
    }

    /// Resets the count of silent turns, because a message has arrived.
    pub fn heard(&mut self) {
        self.silent_turns = 0;
    }

    pub(crate) fn has_credit(&self) -> bool {
        self.debts.iter().filter(|debt| debt.duty != Duty::Optional).count() < Self::CREDIT
    }

    /// Adds a sent state to the debts, and drops the oldest one if it is optional and there are too many.
    pub(crate) fn owe(&mut self, state: u64, sent: Instant, needs_answer: bool) {
        let is_optional = !needs_answer && self.answers_optional != Some(true);
        let is_surplus = self.debts.len() > Self::CREDIT && self.debts[0].duty == Duty::Optional;
        if is_surplus {
            self.debts.pop_front();
        }
        let duty = if is_optional { Duty::Optional } else { Duty::Mandatory };
        self.debts.push_back(Debt { state, sent, duty });
    }

    /// Adds the final state of a match to the debts.
    pub(crate) fn owe_final(&mut self, state: u64, sent: Instant) {
        let in_step = self.debts.is_empty() && self.doubtful.is_empty();
        self.debts.push_back(Debt { state, sent, duty: Duty::Final { in_step } });
    }

    /// Pays the oldest debt. A client that answers an optional state must then answer the others too.
    pub(crate) fn pay(&mut self) -> Option<Debt> {
        let paid = self.debts.pop_front()?;
        match paid.duty {
            Duty::Mandatory => {}
            Duty::Optional => {
                self.answers_optional = Some(true);
                for debt in self.debts.iter_mut().filter(|debt| debt.duty == Duty::Optional) {
                    debt.duty = Duty::Mandatory;
                }
            }
            Duty::Final { .. } => self.skips_final = false,
        }
        Some(paid)
    }

    /// Writes off the states that needed no answer. Returns true if some are doubtful: it is unknown whether the client
    /// skips such states.
    pub(crate) fn write_off_optional(&mut self) -> bool {
        if self.debts.iter().all(|debt| debt.duty != Duty::Optional) {
            return false;
        }
        let (optional, due): (VecDeque<_>, _) =
            self.debts.drain(..).partition(|debt| debt.duty == Duty::Optional);
        self.debts = due;
        let is_doubtful = self.answers_optional.is_none();
        if is_doubtful {
            self.doubtful = optional;
        }
        is_doubtful
    }

    pub(crate) fn newest(&self) -> Option<Debt> {
        self.debts.back().copied()
    }

    pub(crate) fn owes(&self, state: u64) -> bool {
        self.newest().is_some_and(|debt| debt.state == state)
    }

    /// Writes off every debt, or every debt but the newest. These debts are doubtful until the client answers one
    /// state with exactly one message, which proves that it has skipped the others.
    pub(crate) fn write_off(&mut self, keeps_newest: bool) {
        let written_off = self.debts.len().saturating_sub(usize::from(keeps_newest));
        self.doubtful.extend(self.debts.drain(..written_off));
        let surplus = self.doubtful.len().saturating_sub(Self::CREDIT);
        self.doubtful.drain(..surplus);
    }

    /// Tests if there are written-off debts that the client may still pay.
    pub(crate) fn is_doubtful(&self) -> bool {
        !self.doubtful.is_empty()
    }

    /// Drops the doubtful debts: the client has certainly skipped as many states. If it was in step when it was sent the
    /// final state of the last match, and answers the first state of this one in time, it has skipped that final state.
    pub(crate) fn confirm(&mut self, is_first_turn: bool) {
        for debt in self.doubtful.drain(..) {
            match debt.duty {
                Duty::Optional => self.answers_optional = Some(false),
                Duty::Final { in_step } => self.skips_final |= in_step && is_first_turn,
                Duty::Mandatory => {}
            }
        }
    }

    /// Puts the doubtful debts back before all others: the client answers their states after all.
    pub(crate) fn reinstate(&mut self) {
        self.doubtful.append(&mut self.debts);
        std::mem::swap(&mut self.debts, &mut self.doubtful);
    }

    /// Tests if the end of a match waits for an answer: a state is unanswered that the client usually answers.
    pub(crate) fn is_awaited_at_the_end(&self) -> bool {
        self.debts.iter().any(|debt| !(self.skips_final && matches!(debt.duty, Duty::Final { .. })))
    }

    /// Ends the match: writes off every debt. All of them are doubtful, because their answers may arrive in the next match.
    /// Returns true if there were any.
    pub(crate) fn settle(&mut self) -> bool {
        // A count of messages cannot tell the states skipped in this match from those skipped before.
        for debt in &mut self.doubtful {
            debt.duty = Duty::Mandatory;
        }
        let is_owing = !self.debts.is_empty();
        self.write_off(false);
        is_owing
    }
}
