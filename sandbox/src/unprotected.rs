//! Systems other than Linux: programs are started, and nothing is protected.
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

/// Interval of the checks if a program has ended.
const LOOK: Duration = Duration::from_millis(5);

/// Variables of the organiser's environment that programs get, here and on Windows.
const PASSED_ON: [&str; 9] =
    ["PATH", "HOME", "TMPDIR", "LANG", "PATHEXT", "SystemRoot", "TEMP", "TMP", "USERPROFILE"];

/// Does nothing: programs are started without a launcher.
pub fn launcher_main() {}

/// Starts programs, and protects from nothing.
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
    /// When the level is strict.
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

    /// Protections that programs run without, to be said once.
    #[must_use]
    pub fn gaps(&self) -> &[Gap] {
        &self.gaps
    }

    /// Protections that programs run with: none.
    #[must_use]
    pub fn protections(&self) -> &[Protection] {
        &[]
    }

    /// Starts a program, which `program` describes when it is told the port of its game on 127.0.0.1.
    /// Starts the program; its standard output and error go to `output`. Limits are ignored.
    ///
    /// # Errors
    ///
    /// When the program cannot be started, and whether the program or this machine is to blame.
    pub fn start(
        &self,
        _limits: &Limits,
        output: PipeWriter,
        program: impl FnOnce(u16) -> Invocation,
    ) -> Result<Running, LaunchError> {
        let machine = |source| LaunchError::Machine {
            what: Note::new("a port for a program", "un port pour un programme"),
            source,
        };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(machine)?;
        let program = program(listener.local_addr().map_err(machine)?.port());
        let errors = output.try_clone().map_err(machine)?;
        // Systems do not agree on where a relative path starts.
        let path = match program.path.to_string_lossy().contains(['/', MAIN_SEPARATOR]) {
            true => program.folder.join(&program.path),
            false => program.path.clone().into(),
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

/// A program that runs. It ends at the latest when this is dropped; what it started may go on.
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
    /// Nothing is known.
    #[must_use]
    pub fn read(&self) -> ResourceUse {
        ResourceUse::default()
    }
}

impl Running {
    /// The socket on which connections to the program's seat arrive. `None` when it was taken before.
    pub fn take_listener(&mut self) -> Option<TcpListener> {
        self.listener.take()
    }

    /// The socket of [`Isolation::trap`]; `None` when there is no such port, somebody else has it, or it was taken
    /// before.
    pub fn take_trap(&mut self) -> Option<TcpListener> {
        self.trap.take()
    }

    /// Exit status of the program, once [`Self::try_wait`] has returned `true`; `None` if a limit ended it.
    #[must_use]
    pub fn status(&self) -> Option<ExitStatus> {
        self.status
    }

    /// The processor time of the program so far.
    ///
    /// # Errors
    ///
    /// Always: it is not measured on this system.
    pub fn cpu_time(&mut self) -> io::Result<Duration> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Meter of all processes of the program: on this system, it knows nothing.
    #[must_use]
    pub fn meter(&self) -> Meter {
        Meter
    }

    /// Tests if the program has ended. It does not block.
    ///
    /// # Errors
    ///
    /// When the system cannot be asked.
    pub fn try_wait(&mut self) -> io::Result<bool> {
        self.status = self.child.try_wait()?;
        Ok(self.status.is_some())
    }

    /// Waits until the program has ended, or the time is over; whether it has.
    ///
    /// # Errors
    ///
    /// When the system cannot be asked.
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

    /// Ends the program, and says how it ended.
    #[must_use]
    pub fn finish(mut self) -> Report {
        let status = self.child.try_wait().ok().flatten();
        Report { status, ..Report::default() }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended already.
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
            // Cargo sets CARGO_PKG_NAME for tests.
            arguments: vec!["-c".into(), "exit ${CARGO_PKG_NAME:+9}3".into()],
            folder: "/".into(),
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
