//! Copies of this process: the one thing here that no safe interface offers.
//!
//! To move a process into a group of version 2, the kernel waits until every processor has been through its
//! scheduler, 10 to 20 ms, unless it has just done so. A process that begins in the group does not wait.
#![allow(
    unsafe_code,
    reason = "see `continue_in` and `begin`; the example `cost` measures what they save"
)]

use std::fs;
use std::io::{self, ErrorKind};
use std::os::fd::{AsRawFd, BorrowedFd};

use language::said;
use rustix::process::Pid;

/// `CLONE_INTO_CGROUP`, for which the constant of `libc` has too small a type.
const INTO_GROUP: u64 = 1 << 33;

/// Continues in a copy of this process, as `fork` does, which begins in the control group of that folder. The
/// process itself gets the number of the copy, the copy gets `None`.
///
/// # Errors
///
/// When the kernel is older than Linux 5.7, the group is not to be entered, or the process has several threads.
pub(crate) fn continue_in(group: BorrowedFd<'_>) -> io::Result<Option<Pid>> {
    one_thread()?;
    let arguments = libc::clone_args {
        flags: INTO_GROUP,
        pidfd: 0,
        child_tid: 0,
        parent_tid: 0,
        exit_signal: libc::SIGCHLD.unsigned_abs().into(),
        stack: 0,
        stack_size: 0,
        tls: 0,
        set_tid: 0,
        set_tid_size: 0,
        // A descriptor is not negative.
        cgroup: u64::from(group.as_raw_fd().unsigned_abs()),
    };
    // SAFETY: `arguments` is a whole `struct clone_args`, has no pointers, and lives until the call returns. Without
    // `CLONE_VM` and with no stack given, the call is a `fork`: the copy has memory of its own and goes on on a
    // copy of this stack. This is the only thread, as was just seen, so that no lock of the allocator or of another
    // library is held by a thread that the copy does not have. What the C library's `fork` would do besides
    // (handlers of `pthread_atfork`, the number of the thread in its descriptor) nothing in the launcher needs.
    let result =
        unsafe { libc::syscall(libc::SYS_clone3, &raw const arguments, size_of_val(&arguments)) };
    match result {
        0 => Ok(None),
        // The number of a process fits.
        1.. => Ok(Pid::from_raw(result as i32)),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Begins a copy of this process, the first one of a process namespace if the next one is to be; its number in this
/// process, `None` in the copy.
///
/// # Errors
///
/// When there are too many processes, or this one has several threads.
pub(crate) fn begin() -> io::Result<Option<Pid>> {
    one_thread()?;
    // SAFETY: This is the only thread, as was just seen, so that no lock is held by a thread that the copy does not
    // have, and the copy may do whatever the process itself may.
    match unsafe { libc::fork() } {
        0 => Ok(None),
        copy @ 1.. => Ok(Pid::from_raw(copy)),
        _ => Err(io::Error::last_os_error()),
    }
}

/// An error unless this process has one thread.
fn one_thread() -> io::Result<()> {
    match fs::read_dir("/proc/self/task")?.count() {
        1 => Ok(()),
        _ => Err(io::Error::new(
            ErrorKind::Unsupported,
            said!("there are several threads", "il y a plusieurs fils d'exécution"),
        )),
    }
}
