//! Errors of setting up a sandbox, and of starting a program in one.

use std::io;
use std::path::PathBuf;

use crate::gap::Gap;

/// A sandbox could not be set up.
#[derive(Debug, thiserror::Error)]
pub enum SandboxError {
    /// The level is strict, and this system lacks protections. At least one.
    #[error("this system cannot isolate programs strictly: {}", list(.0))]
    Gaps(Vec<Gap>),
    /// A folder of [`Isolation::visible`](crate::Isolation::visible) is not there.
    #[error("{folder}: {source}", folder = .folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// What is wrong with it.
        source: io::Error,
    },
    /// The launcher does not run.
    #[error("the launcher of programs does not run: {0}")]
    Launcher(io::Error),
}

/// A program was not started.
#[derive(Debug, thiserror::Error)]
pub enum LaunchError {
    /// The program is missing, not executable, or its folder cannot be read.
    #[error("{what}: {source}")]
    Program {
        /// The program, or its folder.
        what: String,
        /// What is wrong with it.
        source: io::Error,
    },
    /// This machine cannot start one more program now.
    #[error("{what}: {source}")]
    Machine {
        /// What was to be done.
        what: String,
        /// Why it was not done.
        source: io::Error,
    },
}

fn list(gaps: &[Gap]) -> String {
    gaps.iter().map(Gap::to_string).collect::<Vec<_>>().join("; ")
}
