//! Systems other than Linux: programs are started without any protection.
#![allow(
    clippy::needless_pass_by_value,
    clippy::trivially_copy_pass_by_ref,
    clippy::unused_self,
    reason = "it has the interface of Linux"
)]

use std::io::{self, PipeWriter};
use std::net::{Ipv4Addr, TcpListener};
use std::path::MAIN_SEPARATOR;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use language::Note;

use crate::error::{LaunchError, SandboxError};
use crate::gap::{Gap, Protection};
use crate::level::Level;
use crate::program::{Invocation, Isolation, Limits, Report, ResourceUse};

/// Polling interval for the end of a program.
const LOOK: Duration = Duration::from_millis(5);

/// Variables of the organiser's environment passed on to programs, on any system other than Linux.
const PASSED_ON: [&str; 9] =
    ["PATH", "HOME", "TMPDIR", "LANG", "PATHEXT", "SystemRoot", "TEMP", "TMP", "USERPROFILE"];

/// Does nothing, since programs are started without a launcher.
pub fn launcher_main() {}

/// Starts programs without any protection.
#[derive(Debug)]
pub struct Sandbox {
    gaps: Vec<Gap>,
    trap: Option<u16>,
}

impl Sandbox {
    /// A sandbox that lacks every protection.
    ///
    /// # Errors
    ///
    /// If the level is strict.
    pub fn new(settings: Isolation) -> Result<Self, SandboxError> {
        let why = || {
            Note::new("nothing is protected on this system", "rien n'est protégé sur ce système")
        };
        let gaps = Protection::ALL.map(|protection| Gap { protection, why: why() });
        let trap = settings.trap;
        match settings.level {
            Level::None => Ok(Self { gaps: Vec::new(), trap }),
            Level::Auto => Ok(Self { gaps: gaps.into(), trap }),
            Level::Strict => Err(SandboxError::Gaps(gaps.into())),
        }
    }

    /// All missing protections; to be reported once.
    pub fn gaps(&self) -> &[Gap] {
        &self.gaps
    }

    /// The protections of programs: none.
    pub fn protections(&self) -> &[Protection] {
        &[]
    }

    /// Starts the program returned by `program`, which gets the port of the game on 127.0.0.1. Standard output and error of
    /// the program go to `output`. Limits are ignored.
    ///
    /// # Errors
    ///
    /// If the program cannot be started; the error tells whether the program or this machine is to blame.
    pub fn start(
        &self,
        limits: &Limits,
        output: PipeWriter,
        program: impl FnOnce(u16) -> Invocation,
    ) -> Result<Running, LaunchError> {
        let errors = output.try_clone().map_err(|source| LaunchError::Machine {
            what: Note::new("the output of a program", "la sortie d'un programme"),
            source,
        })?;
        self.start_with_errors(limits, output, errors, program)
    }

    /// Does the same as [`Self::start`], but standard error goes to `errors`.
    ///
    /// # Errors
    ///
    /// If the program cannot be started; the error tells whether the program or this machine is to blame.
    pub fn start_with_errors(
        &self,
        _limits: &Limits,
        output: PipeWriter,
        errors: PipeWriter,
        program: impl FnOnce(u16) -> Invocation,
    ) -> Result<Running, LaunchError> {
        let machine = |source| LaunchError::Machine {
            what: Note::new("a port for a program", "un port pour un programme"),
            source,
        };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(machine)?;
        let program = program(listener.local_addr().map_err(machine)?.port());
        // Systems resolve a relative path against different folders.
        let path = if program.path.to_string_lossy().contains(['/', MAIN_SEPARATOR]) {
            program.folder.join(&program.path)
        } else {
            program.path.clone().into()
        };
        let passed_on = PASSED_ON.iter().filter_map(|name| Some((name, std::env::var_os(name)?)));
        let child = Command::new(path)
            .args(&program.arguments)
            .current_dir(&program.folder)
            .env_clear()
            .envs(passed_on)
            .envs(program.environment)
            .stdin(Stdio::null())
            .stdout(output)
            .stderr(errors)
            .spawn()
            .map_err(|source| LaunchError::Program {
                what: program.path.to_string_lossy().into_owned(),
                source,
            })?;
        let trap = self.trap.and_then(|port| TcpListener::bind((Ipv4Addr::LOCALHOST, port)).ok());
        Ok(Running { child, listener: Some(listener), trap, status: None })
    }
}

/// A running program. It ends at the latest when this value is dropped; its descendants may go on.
#[derive(Debug)]
pub struct Running {
    child: Child,
    listener: Option<TcpListener>,
    trap: Option<TcpListener>,
    status: Option<ExitStatus>,
}

/// Measures nothing.
#[derive(Clone, Copy, Debug)]
pub struct Meter;

impl Meter {
    /// The usage: all unknown.
    pub fn read(&self) -> ResourceUse {
        ResourceUse::default()
    }
}

impl Running {
    /// The socket on which connections to the program's seat arrive; `None` if it was taken before.
    pub fn take_listener(&mut self) -> Option<TcpListener> {
        self.listener.take()
    }

    /// The socket of [`Isolation::trap`]; `None` if there is no such port, if another process has the port, or if the socket
    /// was taken before.
    pub fn take_trap(&mut self) -> Option<TcpListener> {
        self.trap.take()
    }

    /// Exit status of the program, once [`Self::try_wait`] has returned `true`; `None` before.
    pub fn status(&self) -> Option<ExitStatus> {
        self.status
    }

    /// The processor time of the program so far.
    ///
    /// # Errors
    ///
    /// Always, since processor time is not measured on this system.
    pub fn cpu_time(&mut self) -> io::Result<Duration> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// The meter of the program, which measures nothing on this system.
    pub fn meter(&self) -> Meter {
        Meter
    }

    /// Tests if the program has ended, without blocking.
    ///
    /// # Errors
    ///
    /// If the system refuses the request.
    pub fn try_wait(&mut self) -> io::Result<bool> {
        self.status = self.child.try_wait()?;
        Ok(self.status.is_some())
    }

    /// Waits until the program has ended, for at most `time`; `true` if it has ended.
    ///
    /// # Errors
    ///
    /// If the system refuses the request.
    pub fn wait(&mut self, time: Duration) -> io::Result<bool> {
        let deadline = Instant::now() + time;
        while !self.try_wait()? {
            if Instant::now() >= deadline {
                return Ok(false);
            }
            thread::sleep(LOOK);
        }
        Ok(true)
    }

    /// Ends the program, and reports its exit status.
    pub fn finish(mut self) -> Report {
        let status = self.child.try_wait().ok().flatten();
        Report { status, ..Report::default() }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Fails if the program has ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_protected_and_that_is_said() {
        launcher_main();
        let at = |level| Sandbox::new(Isolation { level, ..Isolation::default() });
        assert!(at(Level::Strict).is_err());
        assert!(at(Level::None).is_ok_and(|sandbox| sandbox.gaps().is_empty()));
        let sandbox = at(Level::Auto).expect("only strict fails");
        assert_eq!(sandbox.gaps().len(), Protection::ALL.len());
        assert!(sandbox.protections().is_empty());
    }

    #[test]
    fn a_program_runs_and_ends() {
        let sandbox = Sandbox::new(Isolation::default()).expect("only strict fails");
        let output = io::pipe().expect("a pipe").1;
        let program = |port: u16| Invocation {
            path: "sh".into(),
            // Cargo sets `CARGO_PKG_NAME` for tests.
            arguments: vec!["-c".into(), "exit ${CARGO_PKG_NAME:+9}3".into()],
            folder: "/".into(),
            visible: Vec::new(),
            environment: vec![("PACMAN_PORT".into(), port.to_string().into())],
        };
        let mut running = sandbox.start(&Limits::default(), output, program).expect("sh");
        assert!(running.take_listener().is_some() && running.take_trap().is_none());
        assert!(running.cpu_time().is_err());
        assert_eq!(running.meter().read(), ResourceUse::default());
        assert!(running.wait(Duration::from_secs(30)).expect("a status"));
        assert_eq!(running.status().and_then(|status| status.code()), Some(3));
        assert_eq!(running.finish().status.and_then(|status| status.code()), Some(3));
    }
}
