//! The processors of this machine, and how long a program has to think where it has none of its own.

use std::num::NonZero;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use parking_lot::Mutex;

/// Hands out the processors of this machine, so that each program that thinks has one of its own, if there are enough.
///
/// Programs of a game think at the same time. Where there are fewer processors than programs, deadlines are longer for
/// all of them alike: by as much as it takes to give each program the processor time that it would have had in time.
/// Clones are the same.
#[derive(Clone, Debug)]
pub struct Cores {
    /// Those that no program has; `None` where there are too few, or programs cannot be bound to them.
    free: Option<Arc<Mutex<Vec<u32>>>>,
    count: usize,
    thinking: usize,
}

/// The processors of the programs of a game, one for each, until this is dropped.
#[derive(Debug)]
pub struct CoresInUse {
    cores: Vec<u32>,
    free: Arc<Mutex<Vec<u32>>>,
}

impl Cores {
    /// Those of this machine, for the programs that think at a time.
    #[must_use]
    pub fn new(thinking: usize) -> Self {
        let cores = system::cores();
        let count = match cores.len() {
            0 => thread::available_parallelism().map_or(1, NonZero::get),
            count => count,
        };
        Self::of(cores, count, thinking)
    }

    fn of(cores: Vec<u32>, count: usize, thinking: usize) -> Self {
        let is_enough = !cores.is_empty() && thinking <= count;
        Self { free: is_enough.then(|| Arc::new(Mutex::new(cores))), count, thinking }
    }

    /// Number of processors.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }

    /// Number of programs that think at a time.
    #[must_use]
    pub fn thinking(&self) -> usize {
        self.thinking
    }

    /// Takes a processor for each program; `None` where programs share them.
    #[must_use]
    pub fn take(&self, programs: usize) -> Option<CoresInUse> {
        let free = self.free.as_ref()?;
        let mut all = free.lock();
        let rest = all.len().checked_sub(programs)?;
        Some(CoresInUse { cores: all.split_off(rest), free: Arc::clone(free) })
    }

    /// The time on a clock in which each program that thinks can have this processor time.
    #[must_use]
    pub fn wall_time(&self, processor_time: Duration) -> Duration {
        // Neither number is anywhere near a limit.
        let (thinking, count) = (self.thinking as u32, self.count.max(1) as u32);
        if thinking <= count { processor_time } else { processor_time * thinking / count }
    }
}

impl CoresInUse {
    /// The processor of each program.
    #[must_use]
    pub fn numbers(&self) -> &[u32] {
        &self.cores
    }
}

impl Drop for CoresInUse {
    fn drop(&mut self) {
        self.free.lock().append(&mut self.cores);
    }
}

#[cfg(target_os = "linux")]
mod system {
    use rustix::thread::{CpuSet, sched_getaffinity};

    /// The processors that this process may use.
    pub(super) fn cores() -> Vec<u32> {
        let Ok(set) = sched_getaffinity(None) else { return Vec::new() };
        // The largest number is below 1024.
        (0..CpuSet::MAX_CPU).filter(|&core| set.is_set(core)).map(|core| core as u32).collect()
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    /// Programs cannot be bound to processors here.
    pub(super) fn cores() -> Vec<u32> {
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn each_program_has_a_processor_of_its_own_if_there_are_enough() {
        let cores = Cores::of(vec![0, 1, 2, 5], 4, 4);
        assert_eq!(cores.wall_time(SECOND), SECOND);
        let (one, other) = (cores.take(2).unwrap(), cores.take(2).unwrap());
        let mut all = [one.numbers(), other.numbers()].concat();
        all.sort_unstable();
        assert_eq!(all, [0, 1, 2, 5]);
        assert!(cores.take(1).is_none());
        drop(one);
        assert_eq!(cores.take(2).unwrap().numbers().len(), 2);
    }

    #[test]
    fn fewer_processors_than_programs_make_deadlines_longer() {
        let cores = Cores::of(vec![0, 1], 2, 4);
        assert!(cores.take(1).is_none());
        assert_eq!(cores.wall_time(SECOND), 2 * SECOND);
        assert_eq!(Cores::of(Vec::new(), 2, 3).wall_time(SECOND), SECOND * 3 / 2);
    }
}
