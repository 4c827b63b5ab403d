//! The sandbox on Linux.

mod allowed;
mod cgroup;
mod copy;
mod domain;
mod filter;
mod guard;
mod hierarchy;
mod launcher;
mod loopback;
mod meter;
mod privileges;
mod processes;
mod running;
mod start;
mod supervisor;
mod surroundings;
mod users;
mod view;
mod wire;

pub use launcher::launcher_main;
pub use meter::Meter;
pub use running::Running;
pub use start::Sandbox;
