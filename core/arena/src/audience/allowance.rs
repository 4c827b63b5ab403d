//! The rate of bytes sent to spectators.

use std::time::Duration;

use tokio::time::Instant;

/// Time per byte sent to any spectator: 33 MB/s for all together. A quick game produces 100 times more, and must not
/// lose cores and caches to states that nobody can follow.
const BYTE: Duration = Duration::from_nanos(30);
/// Burst allowed ahead of the rate: 250 ms, or 8 MB.
const BURST: Duration = Duration::from_millis(250);

/// Bounds the rate of bytes (the generic cell rate algorithm of ITU-T I.371).
#[derive(Debug)]
pub(super) struct Allowance {
    /// The time at which all bytes so far would have been sent at the fixed rate.
    paid_until: Instant,
}

impl Default for Allowance {
    fn default() -> Self {
        Self { paid_until: Instant::now() }
    }
}

impl Allowance {
    /// Tests if a state of `bytes` bytes, summed over all spectators, may be sent, and spends the bytes if so. An
    /// intermediate state (`is_step`) may be sent only while half of the burst is left.
    pub(super) fn take(&mut self, bytes: usize, is_step: bool) -> bool {
        let now = Instant::now();
        let start = self.paid_until.max(now);
        let is_taken = start - now < if is_step { BURST / 2 } else { BURST };
        if is_taken {
            self.paid_until = start + BYTE * u32::try_from(bytes).unwrap_or(u32::MAX);
        }
        is_taken
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::advance;

    use super::*;

    /// Bytes of a state that takes 1/100 of a burst.
    const STATE: usize = 83_334;
    const TIME: Duration = Duration::from_micros(2500);

    fn taken(allowance: &mut Allowance, states: usize, is_step: bool) -> usize {
        (0..states).filter(|_| allowance.take(STATE, is_step)).count()
    }

    #[tokio::test(start_paused = true)]
    async fn a_quick_game_is_shown_at_a_bounded_rate_and_steps_are_skipped_first() {
        let mut allowance = Allowance::default();
        assert_eq!(taken(&mut allowance, 200, true), 50);
        assert_eq!(taken(&mut allowance, 200, false), 50);
        let mut while_it_goes_on = async |times, is_step| {
            let mut shown = 0;
            for _ in 0..times {
                advance(TIME).await;
                shown += taken(&mut allowance, 3, is_step);
            }
            shown
        };
        assert_eq!(while_it_goes_on(400, false).await, 400);
        assert_eq!(
            while_it_goes_on(50, true).await,
            0,
            "what is left for states is saved up first"
        );
        assert_eq!(while_it_goes_on(400, true).await, 400);
    }

    #[tokio::test(start_paused = true)]
    async fn a_state_that_is_longer_than_a_burst_is_sent_and_paid_for() {
        let mut allowance = Allowance::default();
        assert!(allowance.take(300 * STATE, false));
        advance(2 * BURST).await;
        assert!(!allowance.take(1, false));
        advance(TIME).await;
        assert!(allowance.take(1, false));
        advance(Duration::from_secs(3600)).await;
        assert_eq!(taken(&mut allowance, 200, false), 100, "an hour saves up no more than a burst");
    }
}
