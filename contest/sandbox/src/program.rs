//! Programs, their limits, and the report of their end.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitStatus;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::level::Level;

/// Settings of a sandbox, for all programs that it starts.
#[derive(Clone, Debug, Default)]
pub struct Isolation {
    /// The level of isolation.
    pub level: Level,
    /// Absolute paths of files and folders hidden from programs although they lie in a folder of the system, in a visible
    /// folder or in the program's own, such as the results. Of a hidden path and a folder that a program sees, the inner
    /// one decides. What does not exist when a program starts is not hidden from it; the folder around it may be.
    pub hidden: Vec<PathBuf>,
    /// A second port on 127.0.0.1, to catch programs that ignore the port of the game that they are given.
    pub trap: Option<u16>,
    /// The program whose `main` calls [`launcher_main`](crate::launcher_main); by default, the running program.
    pub launcher: Option<PathBuf>,
}

/// A program to be started.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Invocation {
    /// Its path, or its name in `PATH`. A relative path starts at `folder`.
    pub path: OsString,
    /// Its arguments, without its name.
    pub arguments: Vec<OsString>,
    /// Its folder: seen under the same path, read-only.
    pub folder: PathBuf,
    /// Folders that it alone sees read-only besides the system (`/usr`, `/etc`, `/opt`, …) and its own folder, such as that
    /// of an interpreter installed elsewhere. Entries of `PATH` below these folders are kept.
    #[serde(default)]
    pub visible: Vec<PathBuf>,
    /// Its complete environment, apart from `PATH`, `HOME`, `TMPDIR` and `LANG`.
    pub environment: Vec<(OsString, OsString)>,
}

/// Limits on all processes of a program together. `None` is no limit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Memory in bytes, including the files in the scratch folder.
    pub memory: Option<u64>,
    /// Number of processes and threads. A Java program has about 30.
    pub processes: Option<u32>,
    /// Processor time, user and system. The program is ended after at most 0.1 s more of processor time.
    pub cpu: Option<Duration>,
    /// Size in bytes of the scratch folder, the only folder where the program may write.
    pub scratch: u64,
    /// The numbers of the processors that the program is bound to; empty for all processors of this process.
    pub cores: Vec<u32>,
}

impl Default for Limits {
    /// 2 GiB of memory, 256 processes and threads, unlimited processor time, 64 MiB of scratch.
    fn default() -> Self {
        Self {
            memory: Some(2 << 30),
            processes: Some(256),
            cpu: None,
            scratch: 64 << 20,
            cores: Vec::new(),
        }
    }
}

/// The end of a program and its use of resources.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Report {
    /// Exit status of its first process; `None` if a limit or the organiser ended it.
    pub status: Option<ExitStatus>,
    /// Limits that the program has hit.
    pub exceeded: Exceeded,
    /// Processor time of all its processes, user and system.
    pub cpu: Option<Duration>,
    /// Peak memory of all its processes together, in bytes; without a limit of the total, peak memory of its largest process.
    pub peak_memory: Option<u64>,
    /// Time for which the main thread of its first process was ready to run, but waited for a processor; known if this
    /// process ended by itself.
    pub run_delay: Option<Duration>,
    /// Time for which threads of its were ready to run, but all waited for processors that others had (pressure stall
    /// information, `full`; before Linux 5.13 `some`, which includes waiting for each other).
    pub cpu_pressure: Option<Duration>,
}

/// Resource usage of all processes of a program so far; `None` means unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct ResourceUse {
    /// Processor time, user and system, including the start of the program.
    pub cpu: Option<Duration>,
    /// Time for which threads were ready to run, but all waited for processors that others had; without pressure stall
    /// information, the sum of the waiting of each thread.
    pub waited: Option<Duration>,
    /// Number of processes killed by the kernel for lack of memory.
    pub oom_kills: u64,
    /// Number of processes and threads refused by the limit on their number.
    pub failed_forks: u64,
}

impl ResourceUse {
    /// The usage since an earlier measurement of the same program.
    #[must_use]
    pub fn since(&self, before: &Self) -> Self {
        let used = |before: Option<Duration>, after: Option<Duration>| {
            Some(after?.saturating_sub(before?))
        };
        Self {
            cpu: used(before.cpu, self.cpu),
            waited: used(before.waited, self.waited),
            oom_kills: self.oom_kills.saturating_sub(before.oom_kills),
            failed_forks: self.failed_forks.saturating_sub(before.failed_forks),
        }
    }
}

/// Limits that a program has hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Exceeded {
    /// True if the program was ended because its processor time was used up.
    pub cpu: bool,
    /// Number of processes killed by the kernel for lack of memory.
    pub oom_kills: u64,
    /// Number of processes and threads refused by the limit on their number; 0 without a control group to count them.
    pub failed_forks: u64,
}

impl Exceeded {
    /// Tests if a limit has killed the program or one of its processes.
    pub fn has_killed(&self) -> bool {
        self.cpu || self.oom_kills > 0
    }
}
