//! Intervals in which the host did not run.

use std::time::{Duration, Instant};

/// Intervals in which the host did not run, reported by several watchers in any order. Overlapping reports
/// count once.
#[derive(Clone, Debug, Default)]
pub struct Stalls {
    /// Disjoint intervals in order of time; the oldest ones are dropped.
    intervals: Vec<(Instant, Instant)>,
}

impl Stalls {
    const KEPT: usize = 64;

    /// Adds a stall; merges it with those that it overlaps.
    pub fn add(&mut self, from: Instant, to: Instant) {
        if from >= to {
            return;
        }
        let (mut from, mut to) = (from, to);
        self.intervals.retain(|&(start, end)| {
            let overlaps = start <= to && from <= end;
            if overlaps {
                from = from.min(start);
                to = to.max(end);
            }
            !overlaps
        });
        let at = self.intervals.partition_point(|&(start, _)| start < from);
        self.intervals.insert(at, (from, to));
        if self.intervals.len() > Self::KEPT {
            self.intervals.remove(0);
        }
    }

    /// The time since `moment` in which the host did not run.
    pub fn since(&self, moment: Instant) -> Duration {
        let after =
            |&(from, to): &(Instant, Instant)| to.saturating_duration_since(from.max(moment));
        self.intervals.iter().map(after).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_that_overlap_count_once() {
        let start = Instant::now();
        let at = |ms| start + Duration::from_millis(ms);
        let mut stalls = Stalls::default();
        for (from, to) in
            [(100, 200), (150, 250), (400, 500), (420, 430), (10, 20), (250, 260), (9, 9)]
        {
            stalls.add(at(from), at(to));
        }
        let since = |ms| stalls.since(at(ms)).as_millis();
        assert_eq!(
            (since(0), since(50), since(220), since(450), since(500)),
            (270, 260, 140, 50, 0)
        );
    }

    #[test]
    fn memory_is_bounded_and_the_newest_are_kept() {
        let start = Instant::now();
        let mut stalls = Stalls::default();
        for second in 0..1000 {
            let from = start + Duration::from_secs(second);
            stalls.add(from, from + Duration::from_millis(10));
        }
        assert_eq!(stalls.since(start), Duration::from_millis(10) * Stalls::KEPT as u32);
        assert_eq!(stalls.since(start + Duration::from_secs(999)), Duration::from_millis(10));
    }
}
