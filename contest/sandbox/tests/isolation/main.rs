//! Programs in the sandbox: hostile programs cannot escape, ordinary programs notice nothing.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod escape;
mod programs;
mod services;
mod world;
