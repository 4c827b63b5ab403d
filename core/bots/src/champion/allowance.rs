//! The budget of a decision, with a reserve.

use crate::Budget;

/// Cells that searches may visit after the budget is over, so that even a hurried plan looks ahead.
const RESERVE: usize = 100_000;

/// The remaining time of a decision; once over, it stays over.
pub(super) struct Allowance<'a> {
    budget: Budget<'a>,
    is_over: bool,
    reserve: usize,
}

impl<'a> Allowance<'a> {
    /// The whole budget, and a full reserve.
    pub(super) fn new(budget: Budget<'a>) -> Self {
        Self { budget, is_over: false, reserve: RESERVE }
    }

    /// Tests if there is time for another part of the work: a search over the board, or an opponent's policy.
    pub(super) fn lasts(&mut self) -> bool {
        self.is_over = self.is_over || !self.budget.lasts();
        !self.is_over
    }

    /// As [`lasts`](Self::lasts); once the time is over, takes `cells` off the reserve, or returns `false` if too few are left.
    pub(super) fn affords(&mut self, cells: usize) -> bool {
        if self.lasts() {
            return true;
        }
        let left = self.reserve.checked_sub(cells);
        self.reserve = left.unwrap_or(self.reserve);
        left.is_some()
    }

    /// Drops the reserve once orders are ready.
    pub(super) fn drop_reserve(&mut self) {
        self.reserve = 0;
    }

    /// Tests if an earlier question found the time to be over.
    pub(super) fn is_over(&self) -> bool {
        self.is_over
    }
}
