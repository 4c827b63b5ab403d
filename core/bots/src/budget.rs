//! Thinking time of a decision.

use std::fmt;

/// Thinking time of one decision.
///
/// The default budget has no limit: a bot does its usual amount of work, so that games are reproducible. A limited budget ends
/// as soon as its function returns `false`; the function may read a clock, or count its calls to keep games reproducible.
///
/// ```
/// use std::cell::Cell;
///
/// use bots::Budget;
///
/// let parts = Cell::new(0..2);
/// let go_on = || {
///     let mut left = parts.take();
///     let lasts = left.next().is_some();
///     parts.set(left);
///     lasts
/// };
/// let budget = Budget::new(&go_on);
/// assert_eq!([budget.lasts(), budget.lasts(), budget.lasts()], [true, true, false]);
/// assert!(Budget::default().lasts());
/// ```
#[derive(Clone, Copy, Default)]
pub struct Budget<'a>(Option<&'a dyn Fn() -> bool>);

impl<'a> Budget<'a> {
    /// A limited budget, which ends when `go_on` returns `false`.
    #[must_use]
    pub fn new(go_on: &'a dyn Fn() -> bool) -> Self {
        Self(Some(go_on))
    }

    /// Tests if a bot may start another part of its work, such as a search over the board. A bot asks before each part, and
    /// never again after the first `false`.
    pub fn lasts(self) -> bool {
        self.0.is_none_or(|go_on| go_on())
    }

    /// Tests if the budget is limited: a bot whose plans get better with time then thinks until it ends.
    pub fn is_limited(self) -> bool {
        self.0.is_some()
    }
}

impl fmt::Debug for Budget<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_limited() { "Budget(limited)" } else { "Budget(usual)" })
    }
}
