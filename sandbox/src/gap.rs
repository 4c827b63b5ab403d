//! The protections of a sandbox, and the gaps where this system lacks one.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A mechanism of the sandbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Protection {
    /// Namespaces of its own for users, mounts, processes, network, IPC and host name.
    Namespaces,
    /// A `/proc` that shows the program's own processes alone.
    OwnProc,
    /// A limit of the memory of all processes of a program together.
    TotalMemory,
    /// A limit of the number of processes and threads of a program.
    ProcessCount,
    /// An exact measure of the processor time of all processes of a program together.
    CpuAccounting,
    /// Each program has the same share of the processors, however many threads it has.
    CpuShare,
    /// A filter of system calls.
    SystemCalls,
    /// Landlock: a second lock on files, signals and sockets.
    Landlock,
}

/// A protection that a sandbox goes without.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// The protection.
    pub protection: Protection,
    /// Why this system does not have it.
    pub why: String,
}

impl Protection {
    /// All protections.
    pub const ALL: [Self; 8] = [
        Self::Namespaces,
        Self::OwnProc,
        Self::TotalMemory,
        Self::ProcessCount,
        Self::CpuAccounting,
        Self::CpuShare,
        Self::SystemCalls,
        Self::Landlock,
    ];

    /// Whether [`Level::Strict`](crate::Level::Strict) insists on the protection. Landlock repeats what
    /// namespaces already do, and older kernels lack it; shares of processors are not always delegated, and a program
    /// that is bound to a core takes no other one.
    #[must_use]
    pub fn is_required(self) -> bool {
        !matches!(self, Self::Landlock | Self::CpuShare)
    }

    /// Consequence of going without the protection.
    fn consequence(self) -> &'static str {
        match self {
            Self::Namespaces => {
                "programs use the network of this machine and see its processes and its temporary files"
            }
            Self::OwnProc => "programs see the names of all processes of this machine",
            Self::TotalMemory => {
                "memory is limited for each process alone, not for all processes of a program together"
            }
            Self::ProcessCount => "the number of processes of a program is not limited",
            Self::CpuAccounting => {
                "processor time is summed up from /proc; a program can hide that of children it ignores"
            }
            Self::CpuShare => {
                "a program with many threads gets more of the processors than one with few"
            }
            Self::SystemCalls => "programs may make every system call that the user may make",
            Self::Landlock => "there is no second lock behind the namespaces",
        }
    }
}

impl fmt::Display for Gap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.protection.consequence(), self.why)
    }
}
