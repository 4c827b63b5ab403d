//! Ends the processes that are left of a run that was killed.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use crate::process::MARK;

/// Number of looks for processes that are left, with a pause after each.
const ATTEMPTS: u32 = 400;
const PAUSE: Duration = Duration::from_millis(5);
/// Number of looks in a row without any process after which none is left: while a process executes another program,
/// it has no environment.
const EMPTY_LOOKS: u32 = 3;

/// Kills every process whose environment has a mark that begins so, wherever it has moved to; how many
/// there were.
///
/// Where the system does not show environments in `/proc` there is nothing to be found: there, programs
/// end when their connection does.
#[expect(clippy::must_use_candidate, reason = "few want to know how many")]
pub fn kill(mark: &str) -> usize {
    let wanted = format!("{MARK}={mark}").into_bytes();
    let (mut killed, mut empty_looks) = (BTreeSet::new(), 0);
    // One that is killed may have started another one meanwhile, and takes a moment to end.
    for _ in 0..ATTEMPTS {
        let found = marked(&wanted);
        empty_looks = if found.is_empty() { empty_looks + 1 } else { 0 };
        if empty_looks == EMPTY_LOOKS {
            break;
        }
        for process in found {
            // It may have ended by itself.
            let _ = kill_process(process, Signal::KILL);
            killed.insert(process.as_raw_nonzero());
        }
        thread::sleep(PAUSE);
    }
    killed.len()
}

fn marked(wanted: &[u8]) -> Vec<Pid> {
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    let is_marked = |folder: &Path| {
        // Those of others cannot be read, and those that have ended are empty.
        let environment = fs::read(folder.join("environ")).unwrap_or_default();
        environment.split(|&byte| byte == 0).any(|variable| variable.starts_with(wanted))
    };
    let own = rustix::process::getpid();
    entries
        .flatten()
        .filter_map(|entry| Some((entry.file_name().to_str()?.parse().ok()?, entry.path())))
        .filter(|(_, folder)| is_marked(folder))
        .filter_map(|(id, _)| Pid::from_raw(id))
        .filter(|&process| process != own)
        .collect()
}
