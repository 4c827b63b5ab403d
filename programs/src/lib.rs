//! The programs of teams: a [`Process`](process::Process) is started, limited, watched, and ended with every process
//! that it has started.
//!
//! - A [`runner`] starts programs, isolated by the crate `sandbox`.
//! - [`interpreter`] finds the programs outside the system that run those of teams.
//! - [`journals`] keeps what programs write.
//! - [`version`] tells one state of a program from another, by its files.

mod end;
pub mod interpreter;
pub mod journals;
pub mod process;
pub mod runner;
pub mod version;
