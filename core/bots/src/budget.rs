//! How long a bot may think about a decision.

use std::fmt;

/// The time of a decision: the usual one, or as long as a function returns `true`. A clock may answer, or a count, which makes
/// games reproducible.
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
    /// A budget that lasts while `go_on` returns `true`.
    #[must_use]
    pub fn new(go_on: &'a dyn Fn() -> bool) -> Self {
        Self(Some(go_on))
    }

    /// Tests if there is time for another part of the work, such as a search over the board. A bot asks before each part, and no
    /// more after the first no.
    #[must_use]
    pub fn lasts(self) -> bool {
        self.0.is_none_or(|go_on| go_on())
    }

    /// Tests if this is not the usual time: a bot that gets better with time then thinks while the budget lasts.
    #[must_use]
    pub fn is_limited(self) -> bool {
        self.0.is_some()
    }
}

impl fmt::Debug for Budget<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_limited() { "Budget(limited)" } else { "Budget(usual)" })
    }
}
