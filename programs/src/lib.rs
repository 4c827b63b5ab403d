//! The programs of teams: a [`Process`](process::Process) is started, limited, watched, and ended with every process
//! that it has started.
//!
//! - A [`runner`] starts programs, isolated by the crate `sandbox`.
//! - [`cores`] gives each program a processor of its own, or all of them more time.
//! - [`interpreter`] finds the programs outside the system that run those of teams.
//! - [`journals`] keeps what programs write.
//! - [`package`] takes the files of a program, and tells one state of it from another.

pub mod cores;
mod end;
mod imports;
pub mod interpreter;
pub mod journals;
mod output;
pub mod package;
pub mod process;
pub mod runner;
mod sources;
