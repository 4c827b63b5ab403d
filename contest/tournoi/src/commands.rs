//! The commands: their flags, and their output.

pub(crate) mod add;
mod base;
mod bot_args;
mod broker_args;
mod check_list;
mod cluster;
pub(crate) mod compare;
pub(crate) mod course;
mod display;
mod disqualify;
mod fault_lines;
mod groups;
pub(crate) mod isolation;
pub(crate) mod lan;
pub(crate) mod mark;
mod page;
mod plan_args;
pub(crate) mod play;
mod recording;
pub(crate) mod report;
pub(crate) mod resume;
mod run;
mod session;
pub(crate) mod trial;
pub(crate) mod verify;
pub(crate) mod void;
pub(crate) mod worker;

use anyhow::Context;
use language::said;

/// A number from the system's random source.
fn draw() -> anyhow::Result<u64> {
    let cannot = || said!("cannot draw a number", "aucun nombre ne peut être tiré");
    getrandom::u64().with_context(cannot)
}

/// A random text of 128 bits, which nobody can guess.
fn draw_mark() -> anyhow::Result<String> {
    Ok(format!("{:016x}{:016x}", draw()?, draw()?))
}
