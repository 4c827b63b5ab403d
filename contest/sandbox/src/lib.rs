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
//! The program is hostile, and has the rights of the organiser, or of a user of its own if the organiser is root. The
//! kernel is assumed to have no vulnerabilities: the filter of system calls only reduces its attack surface.
//!
//! Nothing of a team is opened, counted or run with more rights than the team's: attempts on it are in
//! `tests/isolation/attempts.py`, those on the files that become a program in `contest/programs/tests/hostile.txt`.
//!
//! | threat | mechanism | without it |
//! | --- | --- | --- |
//! | does any of this while it is built | `programs::build`: the same protections; the files leave in a pipe, as an upload that `intake` checks | everything below |
//! | connects to other seats, to services of this machine, to the Internet | a network namespace with a loopback interface alone; no families of sockets but UNIX, IP and routes | plays for others, asks others for moves |
//! | another program takes its seat | the listening socket is in its network namespace | plays under its name |
//! | reads the organiser's files, results, other teams' programs | a mount namespace with the system, its own folder and nothing else; Landlock; [`Isolation::hidden`] | copies a strategy, knows secrets |
//! | has links in its folder packaged, to others' files, pipes or devices | `programs::team_files`: links stay in the team's folder, and only plain files are opened, without following links | has the organiser read secrets to it, or stops the start |
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
//! | uses up what the kernel allows a user: descriptors in flight, epoll watches, inotify instances, signals, pipes | a user for each running program; lower limits and fewer system calls for programs that share one | a rival dies or the organiser stops, and another is blamed |
//! | slows its supervisor down, stops it or looks into it | the supervisor is the first process of its namespace, or has other rights; no priorities or limits of others; a second watch on processor time in the organiser | uses processors without end |
//! | types into the organiser's terminal | a session of its own | runs commands of the organiser |
//! | fills the buffers of sockets | the control group counts them; version 1 has a limit of their own | the machine stands still |
//! | crashes to have the machine's `core_pattern` run as root | no core files | uses a hole of that program |
//! | gains rights: set-user-ID programs, user namespaces, keys | `no_new_privs`, no capabilities, mounts without set-user-ID, a filter of system calls | everything above is void |
//! | uses a hole of the kernel | `io_uring`, `bpf`, `userfaultfd`, mounts, modules, keys and performance events are refused | everything above is void |
//!
//! Not protected: processor time and caches are shared, so that programs can slow each other down and use this as a
//! covert channel; a program can read all world-readable files in `/etc`, `/opt` and `/usr` that are not hidden, and the data
//! of the machine in `/proc`.
//!
//! # Rights of a team
//!
//! Nothing of a team is opened, counted or run with more rights than the team's. The tests attack it:
//!
//! | what | by whom | test |
//! | --- | --- | --- |
//! | a program runs | a user of 60578 to 61183 that no other running program has, of whichever organiser on this machine; a lock in `/run/pacman-iuto-users` reserves it | `no_two_programs_have_one_user_at_a_time`, `flood_as_the_same_user` |
//! | the same without user namespaces | the same | `as_root_of_container` |
//! | the kernel counts | for that user | `flood_descriptors_in_flight`, `flood_inotify`, `flood_signals`, `flood_pipes` |
//! | the group counts | for all processes of the program | `much_time_unwatched`, `fill_tcp_buffers`, `fill_unix_buffers` |
//! | a process is signalled, slowed down, limited, inspected | by processes of the same program | `stop_parent`, `idle_parent`, `slow_parent`, `limits_of_parent`, `descriptor_of_parent` |
//! | the files of a program are read | by its user, who has to be able to enter their folders if there is no mount namespace | `as_root_of_container` |
//!
//! # Levels
//!
//! | level | on a system with every protection | on a system that lacks some |
//! | --- | --- | --- |
//! | [`Level::Auto`] | all protections | the available ones; [`Sandbox::gaps`] lists the others |
//! | [`Level::Strict`] | all protections | [`SandboxError::Gaps`] |
//! | [`Level::None`] | none; descendants still end with the program | the same |
//!
//! Only [`Protection::OwnUser`] needs root: programs of another organiser share its user, and `Strict` refuses. For all else,
//! user namespaces have to be allowed, and control groups have to be the organiser's own, as in
//! `systemd-run --user --scope -p Delegate=yes`. Organisers in separate containers without user namespaces do not see each
//! other's locks, so that two of their programs may share a user.
//!
//! # Modules
//!
//! - `level`, `program`, `gap`, `error`: the organiser's settings, and reports to the organiser.
//! - `linux::start`, `linux::surroundings`, `linux::running`: the organiser's side.
//! - `linux::launcher`, `linux::supervisor`: the two stages between the organiser and the program.
//! - `linux::privileges`, `linux::view`, `linux::loopback`, `linux::domain` (Landlock), `linux::filter`: one
//!   mechanism each; `linux::allowed`: what Landlock allows without a mount namespace.
//! - `linux::hierarchy`, `linux::cgroup`, `linux::copy`: finding control groups, the groups of a program, and starting
//!   a process in a group; `linux::meter`: the resource usage of a running program; `linux::guard`: its limit of
//!   processor time.
//! - `linux::users`: the users of programs.
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
