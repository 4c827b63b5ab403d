//! The programs of teams: a [`Process`](process::Process) is started, limited, watched, and ended with every process
//! that it has started.
//!
//! - [`journals`] keeps what programs write.
//! - [`orphans`] ends the processes that are left of a run that was killed.
//! - [`version`] tells one state of a program from another, by its files.

pub mod journals;
pub mod orphans;
pub mod process;
pub mod version;
