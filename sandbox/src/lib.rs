//! Runs another person's program isolated from this machine, its network and other programs.

mod error;
mod gap;
mod level;
mod program;

#[cfg(target_os = "linux")]
mod linux;

pub use error::{StartError, Unavailable};
pub use gap::{Gap, Protection};
pub use level::{Level, UnknownLevel};
#[cfg(target_os = "linux")]
pub use linux::{Running, Sandbox, launcher_main};
pub use program::{Exceeded, Limits, Program, Report, Settings};
