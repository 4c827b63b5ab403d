//! Copies of this process, for which there is no safe interface.
//!
//! To move a process into a group of version 2, the kernel waits until every processor has been through its scheduler,
//! 10 to 20 ms, unless it has just waited for that. A process that starts in the group avoids this wait.
#![allow(
    unsafe_code,
    reason = "see `continue_in` and `begin`; the example `cost` measures what they save"
)]

use std::fs;
use std::io::{self, ErrorKind};
use std::os::fd::{AsRawFd, BorrowedFd};

use language::said;
use rustix::process::Pid;

/// `CLONE_INTO_CGROUP`; the type of the constant in `libc` is too small.
const INTO_GROUP: u64 = 1 << 33;

/// Continues in a copy of this process, as `fork` does; the copy starts in the control group of the folder `group`.
/// Returns the process id of the copy in this process, and `None` in the copy.
///
/// # Errors
///
/// If the kernel is older than Linux 5.7, the group cannot be entered, or the process has several threads.
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
    // `CLONE_VM` and without a stack, the call is a `fork`: the copy has its own memory and continues on a copy of this
    // stack. This is the only thread, as just checked, so that no lock of the allocator or of another library is held by
    // a thread missing from the copy. The launcher does not need the other effects of the C library's `fork` (handlers of
    // `pthread_atfork`, the number of the thread in its descriptor).
    let result =
        unsafe { libc::syscall(libc::SYS_clone3, &raw const arguments, size_of_val(&arguments)) };
    match result {
        0 => Ok(None),
        // A process id fits into an `i32`.
        1.. => Ok(Pid::from_raw(result as i32)),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Starts a copy of this process, which is the first process of a new process namespace after `unshare`. Returns the
/// process id of the copy in this process, and `None` in the copy.
///
/// # Errors
///
/// If there are too many processes, or this process has several threads.
pub(crate) fn begin() -> io::Result<Option<Pid>> {
    one_thread()?;
    // SAFETY: This is the only thread, as just checked, so that no lock is held by a thread missing from the copy, and the
    // copy may do everything that the process itself may do.
    match unsafe { libc::fork() } {
        0 => Ok(None),
        copy @ 1.. => Ok(Pid::from_raw(copy)),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Fails if this process has several threads.
fn one_thread() -> io::Result<()> {
    match fs::read_dir("/proc/self/task")?.count() {
        1 => Ok(()),
        _ => Err(io::Error::new(
            ErrorKind::Unsupported,
            said!("there are several threads", "il y a plusieurs fils d'exécution"),
        )),
    }
}
