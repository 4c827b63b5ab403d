//! Runs another person's program isolated from this machine, its network and other programs.
//!
//! The program is unmodified: it finds its game on a port of 127.0.0.1, as without the sandbox. The port is in a network
//! namespace of the program. The organiser accepts the program's connections on a socket that was opened in this
//! namespace and passed to the organiser ([`Running::take_listener`]).
//!
//! A [`Sandbox`] detects once which protections this system has. [`Sandbox::start`] starts a [program](Invocation)
//! with [`Limits`], and [`Running::finish`] ends the program with all its descendants and returns a [`Report`].
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
//!         visible: Vec::new(),
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
//! The program is hostile, and has the rights of the organiser, or of the user `nobody` if the organiser is root. The
//! kernel is assumed to have no vulnerabilities: the filter of system calls only reduces its attack surface.
//!
//! Nothing of a team is opened, counted or run with more rights than the team's: attempts on it are in
//! `tests/isolation/attempts.py`, those on the files that become a program in `programs/tests/hostile.txt`.
//!
//! | threat | mechanism | without it |
//! | --- | --- | --- |
//! | connects to other seats, to services of this machine, to the Internet | a network namespace with a loopback interface alone; no families of sockets but UNIX, IP and routes | plays for others, asks others for moves |
//! | another program takes its seat | the listening socket is in its network namespace | plays under its name |
//! | reads the organiser's files, results, other teams' programs | a mount namespace with the system, its own folder and nothing else; Landlock; [`Isolation::hidden`] | copies a strategy, knows secrets |
//! | has links in its folder packaged, to others' files, pipes or devices | `programs::territory`: links stay in the team's folder, and only plain files are opened, without following links | has the organiser read secrets to it, or stops the start |
//! | swaps a folder or a file for a link while it is packaged | as above: what is hashed and copied is what was opened | as above |
//! | poses as an interpreter, whose folder is shown | [`Invocation::visible`] is for one program; `programs::interpreter` shows no folder that contains a hidden path, a team or a home, nor one in a team's folder that belongs to another user, and follows a team's links to the system and version managers only | shows rivals' files to all |
//! | looks for results and rivals in folders of the system, such as `/opt` | [`Isolation::hidden`] is covered there, too; Landlock allows what lies beside it | as above |
//! | fills memory or time with links in circles, deep folders, sparse files | bounded numbers, depth and sizes | the tournament does not start |
//! | changes files: results, the system, its own program between games | everything is read-only but a scratch folder in memory, new in each game | changes results, learns from game to game |
//! | sees, stops, kills or traces others | a process namespace with its own `/proc`; Landlock's scope of signals; no `ptrace` | wins because others stand still |
//! | reads secrets in the environment or in inherited files | a short explicit environment; inherited descriptors are closed | knows secrets |
//! | goes on after the game | the supervisor is the first process of the process namespace: with it, the kernel ends all; it ends with the organiser | uses processors in the games of others |
//! | uses all memory, processes, disk, open files | control groups of either version, else limits of single processes and of the user namespace; a scratch folder of bounded size and number of files | other programs are late, the machine stands still |
//! | uses processors without end, in many processes | a sum of the processor time of all its processes, which ends them; the same share of the processors for each program; processors of its own | as above |
//! | gains rights: set-user-ID programs, user namespaces, keys | `no_new_privs`, no capabilities, mounts without set-user-ID, a filter of system calls | everything above is void |
//! | uses a hole of the kernel | `io_uring`, `bpf`, `userfaultfd`, mounts, modules, keys and performance events are refused | everything above is void |
//!
//! Not protected: processor time and caches are shared, so that programs can slow each other down and use this as a
//! covert channel; a program can read all world-readable files in `/etc`, `/opt` and `/usr` that are not hidden, and the data
//! of the machine in `/proc`.
//!
//! # Levels
//!
//! | level | on a system with every protection | on a system that lacks some |
//! | --- | --- | --- |
//! | [`Level::Auto`] | all protections | the available ones; [`Sandbox::gaps`] lists the others |
//! | [`Level::Strict`] | all protections | [`SandboxError::Gaps`] |
//! | [`Level::None`] | none; descendants still end with the program | the same |
//!
//! No protection needs root. User namespaces have to be allowed, and control groups have to be the user's own, as in
//! `systemd-run --user --scope -p Delegate=yes`.
//!
//! # Modules
//!
//! - `level`, `program`, `gap`, `error`: the organiser's settings, and reports to the organiser.
//! - `linux::start`, `linux::surroundings`, `linux::running`: the organiser's side.
//! - `linux::launcher`, `linux::supervisor`: the two stages between the organiser and the program.
//! - `linux::privileges`, `linux::view`, `linux::loopback`, `linux::domain` (Landlock), `linux::filter`: one
//!   mechanism each; `linux::allowed`: what Landlock allows without a mount namespace.
//! - `linux::hierarchy`, `linux::cgroup`, `linux::copy`: finding control groups, the groups of a program, and starting
//!   a process in a group; `linux::meter`: the resource usage of a running program.
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
/// The destination of the output of a program: a file or the end of a pipe.
#[cfg(target_os = "linux")]
pub type Output = std::os::fd::OwnedFd;
/// The destination of the output of a program: the end of a pipe.
#[cfg(not(target_os = "linux"))]
pub type Output = std::io::PipeWriter;
pub use program::{Exceeded, Invocation, Isolation, Limits, Report, ResourceUse};
#[cfg(not(target_os = "linux"))]
pub use unprotected::{Meter, Running, Sandbox, launcher_main};

/// True if programs can be isolated on this kind of system; otherwise every protection is missing.
pub const CAN_ISOLATE: bool = cfg!(target_os = "linux");
