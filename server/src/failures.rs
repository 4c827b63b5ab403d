//! How often somebody failed to take a seat.

use std::net::IpAddr;
use std::time::Duration;

use tokio::time::Instant;

/// So many failures within [`WINDOW`] are too many.
const TOO_MANY: u32 = 5;
/// Failures are forgotten after that long.
const WINDOW: Duration = Duration::from_secs(30);
/// The most pairs of seat and address that are remembered.
const REMEMBERED: usize = 1024;

/// Counts failures by seat and address, so that nobody can try out secrets. Loopback is exempt.
#[derive(Debug, Default)]
pub(crate) struct Failures(Vec<Failure>);

#[derive(Debug)]
struct Failure {
    seat: usize,
    address: IpAddr,
    since: Instant,
    count: u32,
}

impl Failures {
    /// Whether this address has to wait before it may try that seat again.
    pub(crate) fn are_too_many(&self, seat: usize, address: IpAddr, now: Instant) -> bool {
        let here = |f: &&Failure| f.seat == seat && f.address == address && f.is_fresh(now);
        let full = self.0.len() >= REMEMBERED && !address.is_loopback();
        self.0.iter().find(here).map_or(full, |failure| failure.count >= TOO_MANY)
    }

    /// Counts one more.
    pub(crate) fn count(&mut self, seat: usize, address: IpAddr, now: Instant) {
        if address.is_loopback() {
            return;
        }
        self.0.retain(|failure| failure.is_fresh(now));
        match self.0.iter_mut().find(|f| f.seat == seat && f.address == address) {
            Some(failure) => failure.count += 1,
            None => self.0.push(Failure { seat, address, since: now, count: 1 }),
        }
    }
}

impl Failure {
    fn is_fresh(&self, now: Instant) -> bool {
        now.duration_since(self.since) < WINDOW
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_count_by_seat_and_address_for_a_while() {
        let (a, b): (IpAddr, IpAddr) = ([10, 0, 0, 1].into(), [10, 0, 0, 2].into());
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
    }

    #[test]
    fn loopback_is_exempt() {
        let own: IpAddr = [127, 0, 0, 1].into();
        let mut failures = Failures::default();
        for _ in 0..100 {
            failures.count(0, own, Instant::now());
        }
        assert!(!failures.are_too_many(0, own, Instant::now()));
    }

    #[test]
    fn memory_is_bounded() {
        let now = Instant::now();
        let mut failures = Failures::default();
        for host in 0..5000_u32 {
            let address: IpAddr = std::net::Ipv4Addr::from(0x0a00_0000 + host).into();
            if !failures.are_too_many(0, address, now) {
                failures.count(0, address, now);
            }
        }
        assert_eq!(failures.0.len(), REMEMBERED);
    }
}
