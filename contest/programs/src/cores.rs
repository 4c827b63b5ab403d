//! The processors of this machine, and longer deadlines if there are too few for all programs.

use std::num::NonZero;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use parking_lot::Mutex;

/// Hands out the processors of this machine: each program that thinks gets one of its own, if there are enough.
///
/// Programs of a game think at the same time. If there are fewer processors than programs, deadlines are longer for
/// all of them alike, so that each program still gets the processor time that it would have had on its own processor.
/// Clones share the same processors.
#[derive(Clone, Debug)]
pub struct Cores {
    /// Processors that no program uses; `None` if there are too few, or programs cannot be bound to processors.
    free: Option<Arc<Mutex<Vec<u32>>>>,
    count: usize,
    thinking: usize,
}

/// The processors of the programs of a game, one for each; they are free again when this is dropped.
#[derive(Debug)]
pub struct CoresInUse {
    cores: Vec<u32>,
    free: Arc<Mutex<Vec<u32>>>,
}

impl Cores {
    /// Creates a pool of this machine's processors, for this number of programs that think at a time.
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
    pub fn count(&self) -> usize {
        self.count
    }

    /// Number of programs that think at a time.
    pub fn thinking(&self) -> usize {
        self.thinking
    }

    /// Takes a processor for each program; `None` if programs have to share them.
    pub fn take(&self, programs: usize) -> Option<CoresInUse> {
        let free = self.free.as_ref()?;
        let mut all = free.lock();
        let rest = all.len().checked_sub(programs)?;
        Some(CoresInUse { cores: all.split_off(rest), free: Arc::clone(free) })
    }

    /// The wall-clock time in which each program that thinks can get this processor time.
    pub fn wall_time(&self, processor_time: Duration) -> Duration {
        // Both numbers are far below 2³².
        let (thinking, count) = (self.thinking as u32, self.count.max(1) as u32);
        if thinking <= count { processor_time } else { processor_time * thinking / count }
    }

    /// The processor time that each program that thinks can get in this wall-clock time.
    pub fn processor_time(&self, wall_time: Duration) -> Duration {
        let (thinking, count) = (self.thinking as u32, self.count.max(1) as u32);
        if thinking <= count { wall_time } else { wall_time * count / thinking }
    }
}

impl CoresInUse {
    /// The processor of each program.
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

    /// The numbers of the processors that this process may use.
    pub(super) fn cores() -> Vec<u32> {
        let Ok(set) = sched_getaffinity(None) else { return Vec::new() };
        // All numbers are below 1024.
        (0..CpuSet::MAX_CPU).filter(|&core| set.is_set(core)).map(|core| core as u32).collect()
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    /// Empty: programs cannot be bound to processors on this system.
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
        assert_eq!((cores.wall_time(SECOND), cores.processor_time(SECOND)), (SECOND, SECOND));
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
        assert_eq!(cores.processor_time(SECOND), SECOND / 2);
        assert_eq!(Cores::of(Vec::new(), 2, 3).wall_time(SECOND), SECOND * 3 / 2);
    }
}
