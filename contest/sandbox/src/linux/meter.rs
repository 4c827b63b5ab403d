//! Measures of all processes of a program together, from its control groups.

use std::collections::BTreeMap;
use std::time::Duration;

use rustix::process::Pid;

use crate::gap::Protection;
use crate::linux::cgroup::GroupFolder;
use crate::linux::processes;
use crate::program::ResourceUse;

/// Measures the resource usage of all processes of a program so far, without their cooperation. It may outlive the
/// program.
#[derive(Clone, Debug, Default)]
pub struct Meter(pub(crate) BTreeMap<Protection, GroupFolder>);

impl Meter {
    /// The usage so far. Reads some small files.
    pub fn read(&self) -> ResourceUse {
        ResourceUse {
            cpu: self.cpu(),
            waited: self.cpu_pressure().or_else(|| self.run_delay_of_threads()),
            oom_kills: self.oom_kills(),
            failed_forks: self.failed_forks(),
        }
    }

    pub(crate) fn cpu(&self) -> Option<Duration> {
        let folder = self.0.get(&Protection::CpuAccounting)?;
        cpu_in(&folder.read(folder.cpu_file())?)
    }

    /// Time for which processes were ready to run, but all waited for processors that others had; only version 2 measures
    /// it. Processes that wait for each other have none.
    pub(crate) fn cpu_pressure(&self) -> Option<Duration> {
        let folder = self.0.get(&Protection::CpuAccounting).filter(|folder| folder.unified)?;
        waiting_in(&folder.read("cpu.pressure")?)
    }

    /// Time for which the existing threads were ready to run, but waited: the sum of all.
    fn run_delay_of_threads(&self) -> Option<Duration> {
        let folder = self.0.get(&Protection::CpuAccounting)?;
        let threads = folder.read(if folder.unified { "cgroup.threads" } else { "tasks" })?;
        let threads = threads.lines().filter_map(|thread| Pid::from_raw(thread.parse().ok()?));
        Some(threads.filter_map(processes::run_delay).sum())
    }

    /// Peak memory of all processes together, in bytes.
    pub(crate) fn peak_memory(&self) -> Option<u64> {
        let folder = self.0.get(&Protection::TotalMemory)?;
        let file = if folder.unified { "memory.peak" } else { "memory.max_usage_in_bytes" };
        folder.read(file)?.trim().parse().ok()
    }

    /// Number of processes killed for lack of memory.
    pub(crate) fn oom_kills(&self) -> u64 {
        let folder = self.0.get(&Protection::TotalMemory);
        folder.map_or(0, |folder| {
            let file = if folder.unified { "memory.events" } else { "memory.oom_control" };
            count(folder, file, "oom_kill")
        })
    }

    /// Number of processes and threads refused by the limit on their number.
    pub(crate) fn failed_forks(&self) -> u64 {
        let folder = self.0.get(&Protection::ProcessCount);
        folder.map_or(0, |folder| count(folder, "pids.events", "max"))
    }

    /// Kills all processes at once, if the kernel can: version 2 since Linux 5.14.
    pub(crate) fn kill(&self) {
        if let Some(folder) = self.0.values().find(|folder| folder.unified) {
            let _ = folder.write("cgroup.kill", 1);
        }
    }
}

/// The processor time in a file of a control group: `cpu.stat` has a line in microseconds,
/// `cpuacct.usage` is a number of nanoseconds.
pub(crate) fn cpu_in(text: &str) -> Option<Duration> {
    match text.lines().find_map(|line| line.strip_prefix("usage_usec ")) {
        Some(micros) => micros.parse().ok().map(Duration::from_micros),
        None => text.trim().parse().ok().map(Duration::from_nanos),
    }
}

/// The time in `cpu.pressure` of a group: that of all its processes, before Linux 5.13 that of any.
fn waiting_in(pressure: &str) -> Option<Duration> {
    let line = |kind| pressure.lines().find(|line| line.starts_with(kind));
    let total = line("full ").or_else(|| line("some "))?.split_once("total=")?.1;
    total.trim().parse().ok().map(Duration::from_micros)
}

/// A counter in a file with lines `name number`; 0 if it is missing.
fn count(folder: &GroupFolder, file: &str, name: &str) -> u64 {
    let text = folder.read(file).unwrap_or_default();
    let value = |line: &str| line.strip_prefix(name)?.strip_prefix(' ')?.parse().ok();
    text.lines().find_map(value).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_versions_tell_processor_time() {
        let v2 = "usage_usec 1500\nuser_usec 1000\nsystem_usec 500\n";
        assert_eq!(cpu_in(v2), Some(Duration::from_micros(1500)));
        assert_eq!(cpu_in("1500\n"), Some(Duration::from_nanos(1500)));
        assert_eq!(cpu_in(""), None);
    }

    #[test]
    fn processes_that_wait_for_each_other_do_not_wait_for_the_machine() {
        let some = "some avg10=99.00 avg60=0.00 avg300=0.00 total=1500\n";
        let both = format!("{some}full avg10=0.00 avg60=0.00 avg300=0.00 total=20\n");
        assert_eq!(waiting_in(&both), Some(Duration::from_micros(20)));
        assert_eq!(waiting_in(some), Some(Duration::from_micros(1500)));
    }
}
