//! Runs another person's program isolated from this machine, its network and other programs.
//!
//! The program is unmodified: it finds its game on a port of 127.0.0.1, as without the sandbox. That
//! port is in a network of its own. The organiser accepts the program's connections on a socket that was opened in
//! that network and handed out of it ([`Running::take_listener`]).
//!
//! A [`Sandbox`] finds out once which protections this system has. [`Sandbox::start`] starts a [program](Invocation)
//! with [`Limits`], and [`Running::finish`] ends everything that it started and gives a [`Report`].
//!
//! ```no_run
//! use sandbox::{Level, Limits, Invocation, Sandbox, Isolation};
//!
//! fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     // The sandbox starts this program again, to start the other one.
//!     sandbox::launcher_main();
//!     let sandbox = Sandbox::new(Isolation { level: Level::Auto, ..Isolation::default() })?;
//!     for gap in sandbox.gaps() {
//!         eprintln!("not protected: {gap}");
//!     }
//!     let (output, writer) = std::io::pipe()?;
//!     let mut bot = sandbox.start(&Limits::default(), writer.into(), |port| Invocation {
//!         path: "python3".into(),
//!         arguments: vec!["bot.py".into(), port.to_string().into()],
//!         folder: "/home/teams/blue".into(),
//!         environment: Vec::new(),
//!     })?;
//!     let seat = bot.take_listener().ok_or("the seat was taken")?;
//!     let (connection, _) = seat.accept()?;
//!     let report = bot.finish();
//!     println!("{:?} of processor time", report.cpu);
//!     Ok(())
//! }
//! ```
//!
//! # Threats
//!
//! The program is hostile, and has the rights of the organiser, or of nobody where the organiser is root.
//! The kernel has no holes: the filter of system calls only leaves fewer places for them.
//!
//! | threat | mechanism | without it |
//! | --- | --- | --- |
//! | connects to other seats, to services of this machine, to the Internet | a network namespace with a loopback interface alone; no families of sockets but UNIX, IP and routes | plays for others, asks others for moves |
//! | another program takes its seat | the listening socket is in its network namespace | plays under its name |
//! | reads the organiser's files, results, other teams' programs | a mount namespace with the system, its own folder and nothing else; Landlock; [`Isolation::hidden`] | copies a strategy, knows secrets |
//! | changes files: results, the system, its own program between games | everything is read-only but a scratch folder in memory, new in each game | changes results, learns from game to game |
//! | sees, stops, kills or traces others | a process namespace with its own `/proc`; Landlock's scope of signals; no `ptrace` | wins because others stand still |
//! | reads secrets in the environment or in inherited files | a short explicit environment; inherited descriptors are closed | knows secrets |
//! | goes on after the game | the supervisor is the first process of the process namespace: with it, the kernel ends all; it ends with the organiser | uses processors in the games of others |
//! | uses all memory, processes, disk, open files | control groups of either version, else limits of single processes and of the user namespace; a scratch folder of bounded size and number of files | other programs are late, the machine stands still |
//! | uses processors without end, in many processes | a sum of the processor time of all its processes, which ends them; the same share of the processors for each program; processors of its own | as above |
//! | gains rights: set-user-ID programs, user namespaces, keys | `no_new_privs`, no capabilities, mounts without set-user-ID, a filter of system calls | everything above is void |
//! | uses a hole of the kernel | `io_uring`, `bpf`, `userfaultfd`, mounts, modules, keys and performance events are refused | everything above is void |
//!
//! Not protected: processor time and caches are shared, so that programs can slow each other down and signal to each
//! other by that; a program can read what is readable for everybody in `/etc`, `/opt` and `/usr`, and what
//! `/proc` tells of the machine.
//!
//! # Levels
//!
//! | level | on a system with every protection | where some are missing |
//! | --- | --- | --- |
//! | [`Level::Auto`] | all of them | those that there are; [`Sandbox::gaps`] lists the others |
//! | [`Level::Strict`] | all of them | [`SandboxError::Gaps`] |
//! | [`Level::None`] | none; descendants end with the program all the same | the same |
//!
//! No protection needs root. User namespaces have to be allowed, and control groups have to be the user's own, as in
//! `systemd-run --user --scope -p Delegate=yes`.
//!
//! # Modules
//!
//! - `level`, `program`, `gap`, `error`: what the organiser asks for and is told.
//! - `linux::start`, `linux::surroundings`, `linux::running`: the organiser's side.
//! - `linux::launcher`, `linux::supervisor`: the two stages between the organiser and the program.
//! - `linux::privileges`, `linux::view`, `linux::loopback`, `linux::domain` (Landlock), `linux::filter`: one
//!   mechanism each.
//! - `linux::hierarchy`, `linux::cgroup`, `linux::copy`: finding control groups, those of a program, and a start in one;
//!   `linux::meter`: what a program has used so far.
//! - `unprotected`: other systems than Linux.

mod error;
mod gap;
mod level;
mod program;

#[cfg(target_os = "linux")]
mod linux;
#[cfg(any(not(target_os = "linux"), test))]
#[cfg_attr(target_os = "linux", expect(unreachable_pub, reason = "public on other systems"))]
mod unprotected;

pub use error::{LaunchError, SandboxError};
pub use gap::{Gap, Protection};
pub use level::{Level, UnknownLevel};
#[cfg(target_os = "linux")]
pub use linux::{Meter, Running, Sandbox, launcher_main};
/// Sink of a program's output: a file or the end of a pipe.
#[cfg(target_os = "linux")]
pub type Output = std::os::fd::OwnedFd;
/// Sink of a program's output: the end of a pipe.
#[cfg(not(target_os = "linux"))]
pub type Output = std::io::PipeWriter;
pub use program::{Exceeded, Invocation, Isolation, Limits, Report, ResourceUse};
#[cfg(not(target_os = "linux"))]
pub use unprotected::{Meter, Running, Sandbox, launcher_main};

/// `true` if programs can be isolated on this kind of system; if not, every protection is missing.
pub const CAN_ISOLATE: bool = cfg!(target_os = "linux");
