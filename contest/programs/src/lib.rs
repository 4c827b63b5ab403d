//! The programs of teams: each [`Process`](process::Process) is started, limited, watched, and ended together with all
//! its child processes.
//!
//! - A [`runner`] starts programs, isolated by the crate `sandbox`.
//! - [`cores`] gives each program a processor of its own, or longer deadlines to all programs.
//! - [`build`] builds programs before, in the same isolation.
//! - [`interpreter`] finds the interpreters outside the system that run programs of teams.
//! - [`journals`] keeps the output of programs.
//! - [`package`] copies the files of a program, and computes its version from them.
//! - [`fn@texts`] reads sources, to be looked at.

pub mod build;
mod build_archive;
mod build_fault;
pub mod cores;
mod end;
mod imports;
pub mod interpreter;
pub mod isolation;
pub mod journals;
mod output;
pub mod package;
mod package_error;
pub mod process;
pub mod runner;
mod sources;
mod team_files;
mod texts;

pub use output::RecentOutput;
pub use texts::texts;
