//! The limit of processor time, watched from outside of the sandbox.

use std::io;
use std::os::fd::OwnedFd;
use std::process::Child;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

use crate::linux::meter::Meter;

/// Processor time beyond the limit for the supervisor, which ends the program earlier and tells why.
const MORE: Duration = Duration::from_millis(100);
/// Shortest interval between two looks at the processor time.
const SHORTEST_LOOK: Duration = Duration::from_millis(10);

/// A thread of the organiser that ends a program beyond its processor time, should its supervisor not do so: the
/// supervisor has the user of the program and shares its processors and its control group.
#[derive(Debug)]
pub(crate) struct Guard(JoinHandle<bool>);

impl Guard {
    /// Watches the processor time of a program until its launcher ends; `limit` includes the time before its start.
    pub(crate) fn start(meter: Meter, limit: Duration, launcher: &Child) -> io::Result<Self> {
        let launcher = Pid::from_raw(launcher.id().cast_signed()).ok_or(Errno::SRCH)?;
        let launcher = pidfd_open(launcher, PidfdFlags::empty())?;
        let watch = move || watch(&meter, limit + MORE, &launcher).unwrap_or(false);
        Ok(Self(thread::Builder::new().name("guard".into()).spawn(watch)?))
    }

    /// Waits for the end of the launcher; true if this guard ended the program.
    pub(crate) fn join(self) -> bool {
        self.0.join().unwrap_or(false)
    }
}

fn watch(meter: &Meter, limit: Duration, launcher: &OwnedFd) -> io::Result<bool> {
    let processors = thread::available_parallelism().map_or(1, std::num::NonZero::get) as u32;
    loop {
        let Some(used) = meter.read().cpu else { return Ok(false) };
        let left = limit.saturating_sub(used);
        if left.is_zero() {
            meter.kill();
            pidfd_send_signal(launcher, Signal::KILL)?;
            return Ok(true);
        }
        // On all processors at once, the program can use up the time within this pause.
        let pause = Timespec::try_from((left / processors).max(SHORTEST_LOOK));
        let mut end = [PollFd::new(launcher, PollFlags::IN)];
        match poll(&mut end, Some(&pause.map_err(io::Error::other)?)) {
            Ok(0) | Err(Errno::INTR) => {}
            Ok(_) => return Ok(false),
            Err(error) => return Err(error.into()),
        }
    }
}
