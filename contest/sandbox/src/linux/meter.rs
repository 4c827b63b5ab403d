//! Measures of a program while it runs.

use std::fs;
use std::time::Duration;

use rustix::process::Pid;

use crate::linux::cgroup::{self, Place};
use crate::linux::processes;
use crate::program::ResourceUse;

/// Measures the resource usage of all processes of a program so far, without their cooperation. It may outlive the
/// program.
#[derive(Clone, Debug, Default)]
pub struct Meter {
    pub(crate) cpu: Option<Place>,
    pub(crate) memory: Option<Place>,
    pub(crate) pids: Option<Place>,
}

impl Meter {
    /// The usage so far. Reads some small files.
    #[must_use]
    pub fn read(&self) -> ResourceUse {
        ResourceUse {
            cpu: self.cpu.as_ref().and_then(cgroup::cpu),
            waited: self.cpu.as_ref().and_then(waited),
            oom_kills: self.memory.as_ref().map_or(0, cgroup::oom_kills),
            failed_forks: self.pids.as_ref().map_or(0, cgroup::failed_forks),
        }
    }

    /// Kills all processes of the program at once, if the kernel can.
    pub(crate) fn kill(&self) {
        self.cpu.iter().for_each(cgroup::kill);
    }
}

/// Time for which threads of a group were ready to run, but all waited for processors that others had. Without pressure stall information,
/// the sum over the existing threads.
fn waited(place: &Place) -> Option<Duration> {
    cgroup::cpu_pressure(place).or_else(|| {
        let file = if place.unified { "cgroup.threads" } else { "tasks" };
        let threads = fs::read_to_string(place.folder.join(file)).ok()?;
        let threads = threads.lines().filter_map(|thread| Pid::from_raw(thread.parse().ok()?));
        Some(Duration::from_nanos(threads.filter_map(processes::run_delay).sum()))
    })
}
