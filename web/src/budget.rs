//! The limit of a peer's sending.

use tokio::time::Instant;

/// A token bucket: the amount that a peer may send at once, and per second in the long run.
#[derive(Debug)]
pub(crate) struct Budget {
    burst: f64,
    per_second: f64,
    left: f64,
    filled: Instant,
}

impl Budget {
    pub(crate) fn new(burst: u32, per_second: u32) -> Self {
        let burst = f64::from(burst);
        Self { burst, per_second: f64::from(per_second), left: burst, filled: Instant::now() }
    }

    /// Spends an amount; `false` if it exceeds the rest of the budget.
    pub(crate) fn spend(&mut self, amount: u32) -> bool {
        let now = Instant::now();
        let gained = self.per_second * now.duration_since(self.filled).as_secs_f64();
        self.filled = now;
        self.left = (self.left + gained).min(self.burst) - f64::from(amount);
        self.left >= 0.0
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::advance;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_budget_is_spent_and_refilled() {
        let mut budget = Budget::new(10, 2);
        assert!(budget.spend(10));
        advance(Duration::from_secs(1)).await;
        assert!(budget.spend(2));
        assert!(!budget.spend(1));
        // The budget never exceeds a burst.
        advance(Duration::from_secs(1000)).await;
        assert!(budget.spend(10));
        assert!(!budget.spend(1));
    }
}
