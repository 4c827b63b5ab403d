//! Counts of wrong secrets.

use std::collections::VecDeque;
use std::time::Duration;

use tokio::time::Instant;

use crate::source::Source;

/// Number of failures within [`WINDOW`] after which registrations are refused.
const TOO_MANY: u32 = 5;
/// Lifetime of a count, from its first failure.
const WINDOW: Duration = Duration::from_secs(30);
/// Maximum number of counts; a new count replaces the oldest.
const REMEMBERED: usize = 1024;

/// Wrong secrets by seat and source, to stop a source from trying many secrets. Loopback is exempt.
///
/// Only a source's own failures count against it. When all counts are used, the oldest is forgotten: this lets an
/// attacker with many addresses try a few more secrets, but never locks out others.
#[derive(Debug, Default)]
pub(crate) struct Failures(VecDeque<Count>);

#[derive(Debug)]
struct Count {
    seat: usize,
    source: Source,
    since: Instant,
    failures: u32,
}

impl Failures {
    /// Tests if `source` has to wait before it may try a secret for `seat` again.
    pub(crate) fn are_too_many(&self, seat: usize, source: Source, now: Instant) -> bool {
        let own = |count: &&Count| count.is_of(seat, source) && !count.is_over(now);
        self.0.iter().find(own).is_some_and(|count| count.failures >= TOO_MANY)
    }

    /// Counts one more failure.
    pub(crate) fn count(&mut self, seat: usize, source: Source, now: Instant) {
        if source.is_loopback() {
            return;
        }
        // Counts are sorted by start.
        while self.0.front().is_some_and(|count| count.is_over(now)) {
            self.0.pop_front();
        }
        if let Some(count) = self.0.iter_mut().find(|count| count.is_of(seat, source)) {
            count.failures += 1;
            return;
        }
        if self.0.len() == REMEMBERED {
            self.0.pop_front();
        }
        self.0.push_back(Count { seat, source, since: now, failures: 1 });
    }
}

impl Count {
    fn is_of(&self, seat: usize, source: Source) -> bool {
        (self.seat, self.source) == (seat, source)
    }

    fn is_over(&self, now: Instant) -> bool {
        now.duration_since(self.since) >= WINDOW
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};

    use super::*;

    fn source(address: u32) -> Source {
        IpAddr::from(Ipv4Addr::from(0x0a00_0000 + address)).into()
    }

    #[test]
    fn failures_count_by_seat_and_source_for_a_while() {
        let (a, b) = (source(1), source(2));
        let start = Instant::now();
        let mut failures = Failures::default();
        for _ in 0..TOO_MANY {
            assert!(!failures.are_too_many(0, a, start));
            failures.count(0, a, start);
        }
        assert!(failures.are_too_many(0, a, start));
        assert!(!failures.are_too_many(1, a, start));
        assert!(!failures.are_too_many(0, b, start));
        assert!(!failures.are_too_many(0, a, start + WINDOW));
        // After an expired window, the next failure starts a new count.
        failures.count(0, a, start + WINDOW);
        assert!(!failures.are_too_many(0, a, start + WINDOW));
    }

    #[test]
    fn loopback_is_exempt() {
        let own = IpAddr::from(Ipv4Addr::LOCALHOST).into();
        let mut failures = Failures::default();
        for _ in 0..100 {
            failures.count(0, own, Instant::now());
        }
        assert!(!failures.are_too_many(0, own, Instant::now()));
    }

    #[test]
    fn memory_is_bounded_and_failures_of_others_never_count() {
        let now = Instant::now();
        let mut failures = Failures::default();
        for _ in 0..TOO_MANY {
            for address in 1..5000 {
                assert!(!failures.are_too_many(0, source(0), now));
                failures.count(0, source(address), now);
            }
        }
        assert_eq!(failures.0.len(), REMEMBERED);
    }
}
