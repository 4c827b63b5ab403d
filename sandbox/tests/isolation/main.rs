//! Programs in the sandbox: hostile ones do not get out, ordinary ones notice nothing.
#![cfg(target_os = "linux")]

mod escape;
mod programs;
mod world;
