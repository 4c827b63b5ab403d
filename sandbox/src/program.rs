//! Programs, their limits, and the report of their end.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitStatus;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::level::Level;

/// Isolation of all programs that a sandbox starts.
#[derive(Clone, Debug, Default)]
pub struct Isolation {
    /// Level of isolation.
    pub level: Level,
    /// Folders that programs see read-only besides the system (`/usr`, `/etc`, `/opt`, …) and their
    /// own, such as that of an interpreter installed elsewhere. Entries of `PATH` below them are kept.
    pub visible: Vec<PathBuf>,
    /// Files and folders that programs do not see although they lie in a visible one, such as the
    /// results. Absolute paths.
    pub hidden: Vec<PathBuf>,
    /// A port on 127.0.0.1 besides that of the game, where programs can be awaited that do not look at
    /// the one they are told.
    pub trap: Option<u16>,
    /// The program whose `main` calls [`launcher_main`](crate::launcher_main); by default, the one
    /// that runs.
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
    /// Its environment, besides `PATH`, `HOME`, `TMPDIR` and `LANG`. There is nothing else in it.
    pub environment: Vec<(OsString, OsString)>,
}

/// Limits on all processes of a program together. `None` is no limit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Bytes of memory, with the files in the scratch folder.
    pub memory: Option<u64>,
    /// Processes and threads. A Java program has about 30.
    pub processes: Option<u32>,
    /// Processor time, user and system. The program ends at most 0.1 s of it later.
    pub cpu: Option<Duration>,
    /// Bytes of the scratch folder, the only place where it may write.
    pub scratch: u64,
    /// The processors that it runs on, by their numbers; it cannot choose others. Empty for all of this process.
    pub cores: Vec<u32>,
}

impl Default for Limits {
    /// 2 GiB of memory, 256 processes and threads, any processor time, 64 MiB of scratch.
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
    /// Exit status of its first process; `None` when it was still running at the end.
    pub status: Option<ExitStatus>,
    /// Limits that it has hit.
    pub exceeded: Exceeded,
    /// Processor time of all its processes, user and system.
    pub cpu: Option<Duration>,
    /// The most memory that its processes had at a time, in bytes; without a limit of the total, that
    /// of its largest process.
    pub peak_memory: Option<u64>,
    /// Time that the main thread of its first process was ready to run, and waited for a processor;
    /// known if that process ended by itself.
    pub run_delay: Option<Duration>,
    /// Time during which at least one of its threads was ready to run, and waited for a processor
    /// (pressure stall information, `some`).
    pub cpu_pressure: Option<Duration>,
}

/// Resources that all processes of a program have used so far; `None` is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct ResourceUse {
    /// Processor time, user and system, with that of its start.
    pub cpu: Option<Duration>,
    /// Time in which threads were ready to run, and waited for a processor.
    pub waited: Option<Duration>,
    /// Processes that the kernel killed because memory was used up.
    pub oom_kills: u64,
}

/// Limits that a program has hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Exceeded {
    /// It was ended because its processor time was used up.
    pub cpu: bool,
    /// Processes that the kernel killed because memory was used up.
    pub oom_kills: u64,
    /// Processes and threads that were not started because there were too many; 0 without a control
    /// group, which counts them.
    pub failed_forks: u64,
}

impl Exceeded {
    /// Tests if one of the limits ended the program or one of its processes.
    #[must_use]
    pub fn has_killed(&self) -> bool {
        self.cpu || self.oom_kills > 0
    }
}
