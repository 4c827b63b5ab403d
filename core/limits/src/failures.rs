//! Counts of wrong secrets.

use std::collections::VecDeque;
use std::time::Duration;

use tokio::time::Instant;

/// Number of failures within [`WINDOW`] after which attempts are refused.
const TOO_MANY: u32 = 5;
/// Lifetime of a count, from its first failure.
const WINDOW: Duration = Duration::from_secs(30);
/// Maximum number of counts; a new count replaces the oldest.
const REMEMBERED: usize = 1024;

/// Wrong secrets by key, such as a source, to stop a peer from trying many secrets: 5 within 30 s.
///
/// Only the failures of a key count against it. When all 1024 counts are used, the oldest is forgotten: this lets an
/// attacker with many addresses try a few more secrets, but never locks out others.
#[derive(Debug)]
pub struct Failures<K>(VecDeque<Count<K>>);

#[derive(Debug)]
struct Count<K> {
    key: K,
    since: Instant,
    failures: u32,
}

impl<K> Default for Failures<K> {
    fn default() -> Self {
        Self(VecDeque::new())
    }
}

impl<K: PartialEq> Failures<K> {
    /// Tests if the peer with this key has to wait before its next attempt.
    pub fn are_too_many(&self, key: &K, now: Instant) -> bool {
        let own = |count: &&Count<K>| count.key == *key && !count.is_over(now);
        self.0.iter().find(own).is_some_and(|count| count.failures >= TOO_MANY)
    }

    /// Counts one more failure.
    pub fn count(&mut self, key: K, now: Instant) {
        // Counts are sorted by start.
        while self.0.front().is_some_and(|count| count.is_over(now)) {
            self.0.pop_front();
        }
        if let Some(count) = self.0.iter_mut().find(|count| count.key == key) {
            count.failures += 1;
            return;
        }
        if self.0.len() == REMEMBERED {
            self.0.pop_front();
        }
        self.0.push_back(Count { key, since: now, failures: 1 });
    }
}

impl<K> Count<K> {
    fn is_over(&self, now: Instant) -> bool {
        now.duration_since(self.since) >= WINDOW
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_of_a_key_count_for_a_while() {
        let start = Instant::now();
        let mut failures = Failures::default();
        for _ in 0..TOO_MANY {
            assert!(!failures.are_too_many(&"a", start));
            failures.count("a", start);
        }
        assert!(failures.are_too_many(&"a", start));
        assert!(!failures.are_too_many(&"b", start));
        assert!(!failures.are_too_many(&"a", start + WINDOW));
        // After an expired window, the next failure starts a new count.
        failures.count("a", start + WINDOW);
        assert!(!failures.are_too_many(&"a", start + WINDOW));
    }

    #[test]
    fn memory_is_bounded_and_failures_of_others_never_count() {
        let now = Instant::now();
        let mut failures = Failures::default();
        for _ in 0..TOO_MANY {
            for key in 1..5000 {
                assert!(!failures.are_too_many(&0, now));
                failures.count(key, now);
            }
        }
        assert_eq!(failures.0.len(), REMEMBERED);
    }
}
