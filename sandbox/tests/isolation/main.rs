//! Programs in the sandbox: hostile ones do not get out, ordinary ones notice nothing.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod escape;
mod programs;
mod services;
mod world;
