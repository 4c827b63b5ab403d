//! The commands: flags, and what they print.

pub(crate) mod add;
mod bot_args;
mod check_list;
mod display;
mod fault_lines;
pub(crate) mod lan;
mod page;
mod plan_args;
pub(crate) mod play;
pub(crate) mod report;
pub(crate) mod resume;
mod run;
pub(crate) mod trial;
pub(crate) mod verify;
