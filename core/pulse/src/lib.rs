//! Detection of stalls of this process, by a heartbeat on a system thread and one inside the runtime.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};
use std::thread;
use std::time::{Duration, Instant};

use language::log;
use parking_lot::Mutex;

/// Interval between two heartbeats.
const BEAT: Duration = Duration::from_millis(10);
/// Delay of a heartbeat from which it counts as a stall.
const LATE: Duration = Duration::from_millis(5);
/// Maximum number of stalls remembered per source.
const KEPT: usize = 256;

/// Detects stalls of the host: the process is stopped or starved, or the runtime in which the watch was started does
/// not serve its tasks. A watch that was not started sees no stalls.
#[derive(Clone, Debug, Default)]
pub struct Pulse(Vec<Arc<Beat>>);

/// One source of heartbeats.
#[derive(Debug)]
struct Beat {
    epoch: Instant,
    /// Nanoseconds from the epoch to the last heartbeat.
    last: AtomicU64,
    /// The late heartbeats: the time when each was due, and the time when it came.
    late: Mutex<Vec<(Instant, Instant)>>,
}

impl Pulse {
    /// Starts a watch, which ends when its last clone is dropped. To be called within the runtime to be watched.
    #[must_use]
    pub fn start() -> Self {
        let runtime = Arc::new(Beat::new());
        let watched = Arc::downgrade(&runtime);
        tokio::spawn(async move {
            while watched.strong_count() > 0 {
                tokio::time::sleep(BEAT).await;
                if let Some(beat) = watched.upgrade() {
                    beat.beat();
                }
            }
        });
        Self(Beat::of_the_process().into_iter().chain([runtime]).collect())
    }

    /// The intervals since `moment` in which the host did not run, unordered; a stall that is not over ends now.
    pub fn stalls_since(&self, moment: Instant) -> Vec<(Instant, Instant)> {
        let now = Instant::now();
        self.0.iter().flat_map(|beat| beat.stalls(now)).filter(|(_, to)| *to > moment).collect()
    }

    /// The longest time since `moment` in which the host did not run.
    pub fn longest_stall_since(&self, moment: Instant) -> Duration {
        let stalls = self.stalls_since(moment).into_iter();
        stalls.map(|(from, to)| to.duration_since(from.max(moment))).max().unwrap_or_default()
    }
}

impl Beat {
    fn new() -> Self {
        Self { epoch: Instant::now(), last: AtomicU64::new(0), late: Mutex::default() }
    }

    /// The heartbeat of a thread, shared by all watches of the process; `None` if the thread cannot be started.
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
                if let Some(beat) = watched.upgrade() {
                    beat.beat();
                }
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
        // The nanoseconds fit for 500 years.
        self.last.store(elapsed as u64, Ordering::Release);
    }

    /// The past stalls, and the current one if there is one.
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
    async fn blocked_runtime_is_a_stall_during_and_after_the_block() {
        let pulse = Pulse::start();
        let blocked = Duration::from_millis(60);
        tokio::time::sleep(2 * BEAT).await;
        let start = Instant::now();
        while start.elapsed() < blocked {}
        // At least this much of the stall is found: the first missed heartbeat is due after at most `BEAT + LATE`.
        let found = blocked.saturating_sub(BEAT + LATE);
        assert!(pulse.longest_stall_since(start) >= found, "it goes on");
        tokio::time::sleep(2 * BEAT).await;
        assert!(pulse.longest_stall_since(start) >= found, "it is over");
        let later = Instant::now() + Duration::from_secs(3600);
        assert_eq!(pulse.longest_stall_since(later), Duration::ZERO);
        assert_eq!(Pulse::default().longest_stall_since(start), Duration::ZERO);
    }
}
