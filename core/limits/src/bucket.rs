//! A bounded rate.

use std::time::Duration;

use tokio::time::Instant;

/// The amount that may be spent at once, and per second in the long run (the generic cell rate algorithm of ITU-T I.371).
#[derive(Debug)]
pub struct TokenBucket {
    /// Time in which one unit is gained.
    unit: Duration,
    /// Time in which an empty bucket fills.
    burst: Duration,
    /// The time at which the bucket is full again if nothing more is spent.
    full_at: Instant,
}

impl TokenBucket {
    /// Creates a full bucket, which gains one unit every `unit` and holds what it gains in `burst`.
    #[must_use]
    pub fn new(unit: Duration, burst: Duration) -> Self {
        Self { unit, burst, full_at: Instant::now() }
    }

    /// Spends `amount` units; false if nothing is left. One amount may exceed what is left, and is paid off later.
    pub fn spend(&mut self, amount: usize) -> bool {
        self.spend_above(amount, Duration::ZERO)
    }

    /// Spends `amount` units; false unless more is left than the bucket gains in `reserve`.
    pub fn spend_above(&mut self, amount: usize, reserve: Duration) -> bool {
        let now = Instant::now();
        let start = self.full_at.max(now);
        let is_spent = start - now + reserve < self.burst;
        if is_spent {
            self.full_at = start + self.unit * u32::try_from(amount).unwrap_or(u32::MAX);
        }
        is_spent
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::advance;

    use super::*;

    const BURST: Duration = Duration::from_secs(100);

    fn spent(bucket: &mut TokenBucket, times: usize, reserve: Duration) -> usize {
        (0..times).filter(|_| bucket.spend_above(1, reserve)).count()
    }

    #[tokio::test(start_paused = true)]
    async fn a_rate_is_bounded_and_the_reserve_is_kept() {
        let mut bucket = TokenBucket::new(Duration::from_secs(1), BURST);
        assert_eq!(spent(&mut bucket, 200, BURST / 2), 50);
        assert_eq!(spent(&mut bucket, 200, Duration::ZERO), 50);
        let mut each_second = async |seconds, reserve| {
            let mut all = 0;
            for _ in 0..seconds {
                advance(Duration::from_secs(1)).await;
                all += spent(&mut bucket, 3, reserve);
            }
            all
        };
        assert_eq!(each_second(400, Duration::ZERO).await, 400);
        assert_eq!(each_second(50, BURST / 2).await, 0, "the reserve is filled first");
        assert_eq!(each_second(400, BURST / 2).await, 400);
    }

    #[tokio::test(start_paused = true)]
    async fn more_than_a_burst_is_spent_at_once_and_paid_off() {
        let mut bucket = TokenBucket::new(Duration::from_secs(1), BURST);
        assert!(bucket.spend(300));
        advance(2 * BURST).await;
        assert!(!bucket.spend(1));
        advance(Duration::from_secs(1)).await;
        assert!(bucket.spend(1));
        advance(Duration::from_secs(3600)).await;
        assert_eq!(
            spent(&mut bucket, 200, Duration::ZERO),
            100,
            "no more than a burst is saved up"
        );
    }
}
