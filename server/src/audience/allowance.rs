//! How much is sent to spectators.

use tokio::time::Instant;

/// The most bytes a second that go to all spectators together. A quick game makes a hundred times as much, and it
/// must not lose the cores and their caches to states that nobody can look at.
const RATE: i64 = 32 * 1024 * 1024;
/// What may be sent at once after little was sent for a while.
const BURST: i64 = 8 * 1024 * 1024;

/// A token bucket: bytes are saved up at a fixed [rate](RATE), at most a [burst](BURST) of them.
#[derive(Debug)]
pub(super) struct Allowance {
    /// Negative after a message that was longer than what was left.
    bytes: i64,
    /// When bytes were last added.
    since: Instant,
}

impl Default for Allowance {
    fn default() -> Self {
        Self { bytes: BURST, since: Instant::now() }
    }
}

impl Allowance {
    /// Whether a state may be sent that takes so many bytes for all spectators together. A step on the way to the next
    /// state may be sent only while more than half of a burst is left.
    pub(super) fn take(&mut self, bytes: usize, is_step: bool) -> bool {
        let now = Instant::now();
        let saved = RATE as f64 * now.duration_since(self.since).as_secs_f64();
        self.since = now;
        self.bytes = BURST.min(self.bytes.saturating_add(saved as i64));
        let is_taken = self.bytes > if is_step { BURST / 2 } else { 0 };
        if is_taken {
            self.bytes -= i64::try_from(bytes).unwrap_or(i64::MAX / 2);
        }
        is_taken
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::advance;

    use super::*;

    const STATE: usize = 64 * 1024;

    #[tokio::test(start_paused = true)]
    async fn a_quick_game_is_shown_at_a_bounded_rate_and_steps_are_skipped_first() {
        let mut allowance = Allowance::default();
        let burst = BURST as usize / STATE;
        assert_eq!((0..burst).filter(|_| allowance.take(STATE, true)).count(), burst / 2);
        assert_eq!((0..burst).filter(|_| allowance.take(STATE, false)).count(), burst / 2);
        let mut seconds = async |seconds, is_step| {
            let mut taken = 0;
            for _ in 0..seconds * 1000 {
                advance(Duration::from_millis(1)).await;
                taken += (0..3).filter(|_| allowance.take(STATE, is_step)).count();
            }
            taken.abs_diff(seconds as usize * RATE as usize / STATE)
        };
        assert!(seconds(4, false).await <= 4);
        // What is left for states is saved up first.
        let saved = BURST as usize / 2 / STATE;
        assert!(seconds(4, true).await.abs_diff(saved) <= 4);
    }

    #[tokio::test(start_paused = true)]
    async fn a_state_that_is_longer_than_a_burst_is_sent_and_paid_for() {
        let mut allowance = Allowance::default();
        assert!(allowance.take(3 * BURST as usize, false));
        let owed = Duration::from_secs_f64(2.0 * BURST as f64 / RATE as f64);
        advance(owed - Duration::from_millis(1)).await;
        assert!(!allowance.take(1, false));
        advance(Duration::from_millis(2)).await;
        assert!(allowance.take(1, false));
        advance(Duration::from_secs(3600)).await;
        assert!(allowance.take(BURST as usize, true), "an hour saves up no more than a burst");
        assert!(!allowance.take(1, false));
    }
}
