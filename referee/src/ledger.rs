//! What one connection owes.

use std::collections::VecDeque;
use std::time::Instant;

/// The debts of one connection: the states that it was sent and has not answered, and what is known of its
/// habits. It outlives a game, because answers to the last states of a game may arrive in the next one.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    /// Oldest first.
    debts: VecDeque<Debt>,
    /// Whether the client answers states that need no answer: unknown until the first one is answered or its
    /// deadline passes.
    pub(crate) answers_optional: Option<bool>,
    /// Whether the client left the final state of a game unanswered.
    pub(crate) skips_final: bool,
    /// Turns in a row without any message.
    pub(crate) silent_turns: u32,
}

/// A state that was sent and is not answered.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Debt {
    /// The number of the state, from 1 in each match.
    pub(crate) state: u64,
    pub(crate) sent: Instant,
    /// Whether the client may leave it unanswered, as in the mud of PyRat.
    pub(crate) is_optional: bool,
}

impl Ledger {
    /// While this many states are unanswered, no state is sent.
    pub(crate) const CREDIT: usize = 4;
    /// After this many turns in a row without any message a seat is absent.
    pub(crate) const ABSENT: u32 = 3;

    /// The number of states that were sent and are not answered.
    #[must_use]
    pub fn owed(&self) -> usize {
        self.debts.len()
    }

    /// Whether turns wait for the player: it has sent something in the last three turns.
    #[must_use]
    pub fn is_present(&self) -> bool {
        self.silent_turns < Self::ABSENT
    }

    /// Takes note of a message that came while nobody kept the ledger.
    pub fn heard(&mut self) {
        self.silent_turns = 0;
    }

    /// Makes a connection that has just taken a seat over present for at least one turn. It is `silent_turns` old
    /// in that seat, so that a player who only ever reconnects is soon absent again.
    #[must_use]
    pub fn resumed(silent_turns: u32) -> Self {
        Self { silent_turns: silent_turns.min(Self::ABSENT - 1), ..Self::default() }
    }

    pub(crate) fn has_credit(&self) -> bool {
        self.debts.len() < Self::CREDIT
    }

    pub(crate) fn owe(&mut self, debt: Debt) {
        self.debts.push_back(debt);
    }

    /// Pays the oldest debt. A client that answers an optional state owes the other ones too.
    pub(crate) fn pay(&mut self) -> Option<Debt> {
        let paid = self.debts.pop_front()?;
        if paid.is_optional {
            self.answers_optional = Some(true);
            for debt in &mut self.debts {
                debt.is_optional = false;
            }
        }
        Some(paid)
    }

    /// Forgets the states that the client chose not to answer.
    pub(crate) fn forget_optional(&mut self) {
        self.debts.retain(|debt| !debt.is_optional);
    }

    pub(crate) fn newest(&self) -> Option<Debt> {
        self.debts.back().copied()
    }

    pub(crate) fn owes(&self, state: u64) -> bool {
        self.newest().is_some_and(|debt| debt.state == state)
    }

    pub(crate) fn clear(&mut self) {
        self.debts.clear();
    }

    /// Clears every debt but the newest.
    pub(crate) fn keep_newest(&mut self) {
        self.debts.drain(..self.debts.len().saturating_sub(1));
    }
}
