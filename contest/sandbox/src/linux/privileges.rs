//! Rights of the launcher: a user namespace in which the launcher may mount, but the program may not.

use std::fs;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};

use nix::sched::CloneFlags;
use nix::unistd::{Gid, Uid};
use rustix::process::DumpableBehavior;
use rustix::thread::{
    CapabilitiesSecureBits, CapabilitySet, CapabilitySets, clear_ambient_capability_set,
    remove_capability_from_bounding_set, set_capabilities, set_capabilities_secure_bits,
};

/// Capabilities that the supervisor needs to mount, to set up the loopback interface, and to give up rights.
const NEEDED: [CapabilitySet; 3] =
    [CapabilitySet::SYS_ADMIN, CapabilitySet::NET_ADMIN, CapabilitySet::SETPCAP];
/// Exclusive upper bound of the numbers of capabilities.
const CAPABILITIES: u32 = 64;

/// Tests if there are a user and a group of this number. In a user namespace, root may be the only user.
pub(crate) fn knows(number: u32) -> bool {
    let is_in = |line: &str| {
        let mut fields = line.split_whitespace().map(str::parse::<u64>);
        let (first, count) = (fields.next(), fields.nth(1));
        let (Some(Ok(first)), Some(Ok(count))) = (first, count) else { return false };
        (first..first.saturating_add(count)).contains(&u64::from(number))
    };
    ["/proc/self/uid_map", "/proc/self/gid_map"]
        .into_iter()
        .all(|map| fs::read_to_string(map).unwrap_or_default().lines().any(is_in))
}

/// Leaves the session of the organiser and with it its terminal, into which a program could otherwise type commands. The
/// organiser has made this process the leader of a group, so that Ctrl-C does not reach it.
pub(crate) fn leave_terminal() -> io::Result<()> {
    // The leader of a group cannot start a session.
    let group = rustix::process::getpgid(rustix::process::getppid())?;
    rustix::process::setpgid(None, Some(group))?;
    rustix::process::setsid()?;
    Ok(())
}

/// Becomes a user without rights on this machine, with a group of the same number. Requires root.
pub(crate) fn become_user(user: u32) -> io::Result<()> {
    let (uid, gid) = (Uid::from_raw(user), Gid::from_raw(user));
    nix::unistd::setgroups(&[])?;
    nix::unistd::setresgid(gid, gid, gid)?;
    nix::unistd::setresuid(uid, uid, uid)?;
    // Otherwise, the files of the process in `/proc` belong to root, and the process could not write its own.
    rustix::process::set_dumpable_behavior(DumpableBehavior::Dumpable)?;
    Ok(())
}

/// Moves this process into new namespaces, and the next process that it starts into a new process namespace. The user
/// keeps its number. This process and copies of it have the rights to set the namespaces up.
pub(crate) fn enter_namespaces() -> io::Result<()> {
    let (uid, gid) = (Uid::effective(), Gid::effective());
    nix::sched::unshare(
        CloneFlags::CLONE_NEWUSER
            | CloneFlags::CLONE_NEWNS
            | CloneFlags::CLONE_NEWPID
            | CloneFlags::CLONE_NEWNET
            | CloneFlags::CLONE_NEWIPC
            | CloneFlags::CLONE_NEWUTS
            | CloneFlags::CLONE_NEWCGROUP,
    )?;
    fs::write("/proc/self/setgroups", "deny")?;
    fs::write("/proc/self/uid_map", format!("{uid} {uid} 1"))?;
    fs::write("/proc/self/gid_map", format!("{gid} {gid} 1"))?;
    let needed: CapabilitySet = NEEDED.into_iter().collect();
    let inheritable = CapabilitySet::empty();
    Ok(set_capabilities(
        None,
        CapabilitySets { effective: needed, permitted: needed, inheritable },
    )?)
}

/// Gives up every right for good, including the rights that an executed program would grant.
pub(crate) fn give_up() -> io::Result<()> {
    clear_ambient_capability_set()?;
    // Without the right to remove capabilities, no program could grant any: `no_new_privs` is set.
    for number in 0..CAPABILITIES {
        let _ = remove_capability_from_bounding_set(CapabilitySet::from_bits_retain(1 << number));
    }
    let locked = CapabilitiesSecureBits::NO_ROOT
        | CapabilitiesSecureBits::NO_ROOT_LOCKED
        | CapabilitiesSecureBits::NO_SETUID_FIXUP
        | CapabilitiesSecureBits::NO_SETUID_FIXUP_LOCKED
        | CapabilitiesSecureBits::KEEP_CAPS_LOCKED
        | CapabilitiesSecureBits::NO_CAP_AMBIENT_RAISE
        | CapabilitiesSecureBits::NO_CAP_AMBIENT_RAISE_LOCKED;
    let _ = set_capabilities_secure_bits(locked);
    let none = CapabilitySet::empty();
    set_capabilities(None, CapabilitySets { effective: none, permitted: none, inheritable: none })?;
    rustix::thread::set_no_new_privs(true)?;
    Ok(())
}

/// Closes all inherited descriptors other than the standard ones: the organiser may have been started with open files
/// unknown to it.
pub(crate) fn close_inherited() -> io::Result<()> {
    let open: Vec<i32> = fs::read_dir("/proc/self/fd")?
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .collect();
    for descriptor in open.into_iter().filter(|&descriptor| descriptor > 2) {
        // The descriptor of the listing is closed already.
        let _ = nix::unistd::close(descriptor);
    }
    Ok(())
}

/// A copy of standard input that no other program inherits.
pub(crate) fn control() -> io::Result<OwnedFd> {
    let control = rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdin(), 3)?;
    debug_assert!(control.as_raw_fd() > 2);
    Ok(control)
}
