//! Queries of `/proc`.

use std::time::Duration;

use nix::sys::resource::{Usage, UsageWho, getrusage};
use nix::sys::time::TimeValLike;
use procfs::process::Process;
use rustix::process::Pid;

pub(crate) fn children_of_self() -> Vec<Pid> {
    own_children().into_iter().filter_map(Pid::from_raw).collect()
}

/// Time for which the main thread of a process was ready to run, but waited for a processor.
pub(crate) fn run_delay(process: Pid) -> Option<Duration> {
    let times = Process::new(process.as_raw_pid()).ok()?.schedstat().ok()?;
    Some(Duration::from_nanos(times.run_delay))
}

/// The processor time of the descendants of this process, including those that have been reaped.
pub(crate) fn cpu_of_descendants() -> Duration {
    let mut ticks = 0;
    let mut left = own_children();
    while let Some(process) = left.pop() {
        let Ok(process) = Process::new(process) else { continue };
        ticks += process.stat().map_or(0, |stat| {
            stat.utime + stat.stime + stat.cutime.unsigned_abs() + stat.cstime.unsigned_abs()
        });
        left.extend(children(&process));
    }
    let live = Duration::from_secs(ticks) / procfs::ticks_per_second().max(1) as u32;
    live + getrusage(UsageWho::RUSAGE_CHILDREN).map_or(Duration::ZERO, |usage| cpu_in(&usage))
}

/// The processor time of a usage, user and system.
pub(crate) fn cpu_in(usage: &Usage) -> Duration {
    let micros = usage.user_time().num_microseconds() + usage.system_time().num_microseconds();
    Duration::from_micros(micros.unsigned_abs())
}

fn own_children() -> Vec<i32> {
    Process::myself().as_ref().map_or_else(|_| Vec::new(), children)
}

/// The children of all threads of a process.
fn children(process: &Process) -> Vec<i32> {
    let threads = process.tasks().into_iter().flatten().flatten();
    let children = threads.flat_map(|thread| thread.children().unwrap_or_default());
    children.map(u32::cast_signed).collect()
}
