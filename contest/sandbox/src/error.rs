//! Errors of setting up a sandbox and of starting a program in a sandbox.

use std::io;

use language::{Note, said};

use crate::gap::Gap;

/// A sandbox could not be set up.
#[derive(Debug, thiserror::Error)]
pub enum SandboxError {
    /// The level is strict, and this system lacks protections: these, at least one.
    #[error("{}", said!(
        "this system cannot isolate programs strictly: {}",
        "ce système ne peut pas isoler les programmes entièrement : {}",
        list(_0)
    ))]
    Gaps(Vec<Gap>),
    /// The launcher does not run.
    #[error("{}", said!(
        "the launcher of programs does not run: {_0}",
        "le lanceur de programmes ne fonctionne pas : {_0}"
    ))]
    Launcher(io::Error),
}

/// A program was not started.
#[derive(Debug, thiserror::Error)]
pub enum LaunchError {
    /// The program is missing, not executable, or its folder cannot be read.
    #[error("{}", self.note())]
    Program {
        /// The program, or its folder.
        what: String,
        /// The error of the system.
        source: io::Error,
    },
    /// This machine cannot start another program now.
    #[error("{}", self.note())]
    Machine {
        /// The step that failed.
        what: Note,
        /// The error of the system.
        source: io::Error,
    },
}

impl LaunchError {
    /// The program or the step, and the reason of the failure.
    pub fn note(&self) -> Note {
        match self {
            Self::Program { what, source } => Note::same(what).because(&source.into()),
            Self::Machine { what, source } => what.because(&source.into()),
        }
    }
}

fn list(gaps: &[Gap]) -> String {
    gaps.iter().map(Gap::to_string).collect::<Vec<_>>().join("; ")
}
