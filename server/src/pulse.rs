//! Whether this process runs: a beat on a thread of the system and one inside the runtime.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};
use std::thread;
use std::time::{Duration, Instant};

use language::log;
use parking_lot::Mutex;

/// Between two beats.
const BEAT: Duration = Duration::from_millis(10);
/// A beat that comes this much too late was kept from running.
const LATE: Duration = Duration::from_millis(5);
/// The most stalls that are remembered.
const KEPT: usize = 256;

/// Watches whether the host runs: that the process is not stopped or starved, and that the runtime in which the
/// watch was started serves its tasks. A watch that was not started sees no stalls.
#[derive(Clone, Debug, Default)]
pub struct Pulse(Vec<Arc<Beat>>);

/// One source of beats.
#[derive(Debug)]
struct Beat {
    epoch: Instant,
    /// Nanoseconds from the epoch to the last beat.
    last: AtomicU64,
    /// The late beats: when each was due, and when it came.
    late: Mutex<Vec<(Instant, Instant)>>,
}

impl Pulse {
    /// Starts to watch, until the last clone is dropped. To be called within the runtime to be watched.
    #[must_use]
    pub fn start() -> Self {
        let runtime = Arc::new(Beat::new());
        let watched = Arc::downgrade(&runtime);
        tokio::spawn(async move {
            while let Some(beat) = watched.upgrade() {
                drop(beat);
                tokio::time::sleep(BEAT).await;
                beat_once(&watched);
            }
        });
        Self(Beat::of_the_process().into_iter().chain([runtime]).collect())
    }

    /// The intervals since `moment` in which the host did not run, in no order; one may go on.
    pub(crate) fn stalls_since(&self, moment: Instant) -> Vec<(Instant, Instant)> {
        let now = Instant::now();
        self.0.iter().flat_map(|beat| beat.stalls(now)).filter(|(_, to)| *to > moment).collect()
    }

    /// The longest time since `moment` in which the host did not run.
    #[must_use]
    pub fn longest_stall_since(&self, moment: Instant) -> Duration {
        let stalls = self.stalls_since(moment).into_iter();
        stalls.map(|(from, to)| to.duration_since(from.max(moment))).max().unwrap_or_default()
    }
}

fn beat_once(beat: &Weak<Beat>) {
    if let Some(beat) = beat.upgrade() {
        beat.beat();
    }
}

impl Beat {
    fn new() -> Self {
        Self { epoch: Instant::now(), last: AtomicU64::new(0), late: Mutex::default() }
    }

    /// The beat of a thread, which all watches of the process share; `None` when there is no thread for it.
    fn of_the_process() -> Option<Arc<Self>> {
        static BEATS: Mutex<Weak<Beat>> = Mutex::new(Weak::new());
        let mut shared = BEATS.lock();
        if let Some(beat) = shared.upgrade() {
            return Some(beat);
        }
        let beat = Arc::new(Self::new());
        let watched = Arc::downgrade(&beat);
        let run = move || {
            while watched.strong_count() > 0 {
                thread::sleep(BEAT);
                beat_once(&watched);
            }
        };
        if let Err(failure) = thread::Builder::new().name("pulse".to_owned()).spawn(run) {
            log!(
                warn,
                "stalls of this machine go unnoticed: no thread to watch for them: {failure}",
                "les arrêts de cette machine passent inaperçus : pas de fil \
                      d'exécution pour les voir : {failure}"
            );
            return None;
        }
        *shared = Arc::downgrade(&beat);
        Some(beat)
    }

    fn last(&self) -> Instant {
        self.epoch + Duration::from_nanos(self.last.load(Ordering::Acquire))
    }

    fn beat(&self) {
        let now = Instant::now();
        let due = self.last() + BEAT;
        if now > due + LATE {
            let mut late = self.late.lock();
            if late.len() == KEPT {
                late.remove(0);
            }
            late.push((due, now));
        }
        let elapsed = now.duration_since(self.epoch).as_nanos();
        // It fits for 500 years.
        self.last.store(elapsed as u64, Ordering::Release);
    }

    /// The stalls that are over, and the one that goes on.
    fn stalls(&self, now: Instant) -> Vec<(Instant, Instant)> {
        let due = self.last() + BEAT;
        let mut stalls = self.late.lock().clone();
        if now > due + LATE {
            stalls.push((due, now));
        }
        stalls
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_runtime_that_serves_nobody_is_noticed_at_once_and_later() {
        let pulse = Pulse::start();
        let blocked = Duration::from_millis(60);
        tokio::time::sleep(2 * BEAT).await;
        let start = Instant::now();
        while start.elapsed() < blocked {}
        // What is not blocked is found: the next beat is due within this time.
        let found = blocked.saturating_sub(BEAT + LATE);
        assert!(pulse.longest_stall_since(start) >= found, "it goes on");
        tokio::time::sleep(2 * BEAT).await;
        assert!(pulse.longest_stall_since(start) >= found, "it is over");
        let later = Instant::now() + Duration::from_secs(3600);
        assert_eq!(pulse.longest_stall_since(later), Duration::ZERO);
        assert_eq!(Pulse::default().longest_stall_since(start), Duration::ZERO);
    }
}
