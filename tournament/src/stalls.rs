//! Whether this machine stood still: suspended, or busy beyond measure.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Between two looks at the clock.
const LOOK: Duration = Duration::from_millis(20);
/// Whoever comes so much later than it wanted was kept from running; sooner where deadlines are short.
const LATE: Duration = Duration::from_millis(200);

/// Counts how often a thread that should run did not, while this is held.
///
/// A deadline that a player misses meanwhile may be the machine's fault.
#[derive(Debug)]
pub(crate) struct Stalls(Arc<AtomicU64>);

impl Stalls {
    /// Begins to count, for players that have this deadline.
    pub(crate) fn watch(deadline: Duration) -> Self {
        let late = LATE.min(deadline / 4);
        let count = Arc::new(AtomicU64::new(0));
        let watched = Arc::downgrade(&count);
        thread::spawn(move || {
            let mut last = Instant::now();
            while let Some(count) = watched.upgrade() {
                thread::sleep(LOOK);
                let now = Instant::now();
                if now.duration_since(last) > LOOK + late {
                    count.fetch_add(1, Ordering::Relaxed);
                }
                last = now;
            }
        });
        Self(count)
    }

    /// How often, so far.
    pub(crate) fn count(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}
