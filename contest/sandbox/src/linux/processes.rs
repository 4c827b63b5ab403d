//! Queries of `/proc`.

use std::fs;
use std::time::Duration;

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;
use rustix::process::Pid;

/// The children of this process.
pub(crate) fn children_of_self() -> Vec<Pid> {
    children("self").into_iter().filter_map(Pid::from_raw).collect()
}

/// Time in nanoseconds for which the main thread of a process was ready to run, but waited for a processor.
pub(crate) fn run_delay(process: Pid) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{}/schedstat", process.as_raw_nonzero())).ok()?;
    // Time on a processor, time waiting for one, number of times.
    text.split_whitespace().nth(1)?.parse().ok()
}

/// The processor time of the descendants of this process, including those that have been reaped.
pub(crate) fn cpu_of_descendants() -> Duration {
    let ticks_per_second = rustix::param::clock_ticks_per_second().max(1);
    let mut ticks = 0;
    let mut left = children("self");
    while let Some(process) = left.pop() {
        ticks += cpu_ticks(process).unwrap_or(0);
        left.extend(children(&process.to_string()));
    }
    let live = Duration::from_secs(ticks) / u32::try_from(ticks_per_second).unwrap_or(100);
    let ended = getrusage(UsageWho::RUSAGE_CHILDREN).map_or(0, |usage| {
        usage.user_time().num_microseconds() + usage.system_time().num_microseconds()
    });
    live + Duration::from_micros(u64::try_from(ended).unwrap_or(0))
}

/// The children of all threads of a process.
fn children(process: &str) -> Vec<i32> {
    let Ok(threads) = fs::read_dir(format!("/proc/{process}/task")) else { return Vec::new() };
    let mut found = Vec::new();
    for thread in threads.flatten() {
        let text = fs::read_to_string(thread.path().join("children")).unwrap_or_default();
        found.extend(text.split_whitespace().filter_map(|number| number.parse::<i32>().ok()));
    }
    found
}

/// The processor time of a process and of its reaped children, in clock ticks.
fn cpu_ticks(process: i32) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name stands in brackets, and may contain brackets.
    let fields = text.rsplit_once(')')?.1.split_whitespace();
    // The state is the third field; the times are the 14th to the 17th.
    Some(fields.skip(11).take(4).filter_map(|field| field.parse::<u64>().ok()).sum())
}
