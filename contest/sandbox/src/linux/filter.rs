//! The filter of system calls: a list of calls that no player of a game needs.
//!
//! Programs for another kind of processor than the organiser's, such as 32-bit programs, are killed: their calls
//! have other numbers.

use std::collections::BTreeMap;
use std::io;

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch, sock_filter,
};

use crate::gap::Protection;
use crate::linux::wire::Job;

/// `open_tree_attr` of Linux 6.15, whose number `libc` does not know.
const OPEN_TREE_ATTR: libc::c_long = 467;

/// Calls that are refused regardless of their arguments. The list includes calls that namespaces and missing capabilities
/// refuse as well: most vulnerabilities of kernels were in code reached only by these calls.
const REFUSED: &[libc::c_long] = &[
    // Mounts and roots.
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    OPEN_TREE_ATTR,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_quotactl,
    libc::SYS_quotactl_fd,
    libc::SYS_open_by_handle_at,
    libc::SYS_name_to_handle_at,
    libc::SYS_fanotify_init,
    // Namespaces.
    libc::SYS_unshare,
    libc::SYS_setns,
    // Other processes.
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_pidfd_getfd,
    libc::SYS_kcmp,
    libc::SYS_migrate_pages,
    libc::SYS_move_pages,
    // The choice of other processors.
    libc::SYS_sched_setaffinity,
    // The kernel.
    libc::SYS_kexec_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_syslog,
    libc::SYS_acct,
    libc::SYS_reboot,
    libc::SYS_vhangup,
    // Keys, which belong to users and not to namespaces.
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    // The clock and the name of the machine.
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_adjtimex,
    libc::SYS_clock_adjtime,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    // Secret memory, which is locked and not counted by any limit.
    libc::SYS_memfd_secret,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_kexec_file_load,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_iopl,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_ioperm,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_modify_ldt,
];

/// Calls reported as missing, so that run-times fall back to others. The flags of `clone3` are in memory, where no filter
/// sees them.
const ABSENT: &[libc::c_long] = &[
    libc::SYS_clone3,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
];

/// Calls that make objects which the kernel counts for each user: reported as missing to programs that share one.
const COUNTED_FOR_USERS: &[libc::c_long] = &[
    #[cfg(target_arch = "x86_64")]
    libc::SYS_inotify_init,
    libc::SYS_inotify_init1,
];

/// Calls that make or open objects of all programs without a namespace for them, where they outlive the game.
const SHARED_OBJECTS: &[libc::c_long] =
    &[libc::SYS_shmget, libc::SYS_semget, libc::SYS_msgget, libc::SYS_mq_open];

/// `PRIO_PROCESS`: a priority is that of one process, not of a group or a user.
const PRIORITY: u64 = 0;
/// `IOPRIO_WHO_PROCESS`: the same for a priority of input and output.
const IO_PRIORITY: u64 = 1;

/// Allowed families of sockets: UNIX, IPv4, IPv6 and netlink. Some others, such as VSOCK, ignore network namespaces.
const FAMILIES: [libc::c_int; 4] = [libc::AF_UNIX, libc::AF_INET, libc::AF_INET6, libc::AF_NETLINK];

/// Flags of `clone` that make namespaces.
const NAMESPACES: [libc::c_int; 7] = [
    libc::CLONE_NEWUSER,
    libc::CLONE_NEWNS,
    libc::CLONE_NEWPID,
    libc::CLONE_NEWNET,
    libc::CLONE_NEWIPC,
    libc::CLONE_NEWUTS,
    libc::CLONE_NEWCGROUP,
];

/// Refuses dangerous system calls of this thread and of its later descendants, with `EPERM` or `ENOSYS`. Set-user-ID bits
/// lose their effect too.
///
/// # Errors
///
/// If the kernel has no filters, or none for this kind of processor.
pub(crate) fn apply(job: &Job) -> io::Result<()> {
    let architecture: TargetArch = std::env::consts::ARCH.try_into().map_err(io::Error::other)?;
    let refused = program(refused_rules(job)?, libc::EPERM, architecture)?;
    let watches = if job.has(Protection::OwnUser) { &[][..] } else { COUNTED_FOR_USERS };
    let absent = ABSENT.iter().chain(watches).map(|&call| (call, Vec::new())).collect();
    let absent = program(absent, libc::ENOSYS, architecture)?;
    for filter in [&refused, &absent, &without_x32()] {
        if !filter.is_empty() {
            seccompiler::apply_filter(filter).map_err(io::Error::other)?;
        }
    }
    Ok(())
}

fn program(
    rules: BTreeMap<i64, Vec<SeccompRule>>,
    errno: libc::c_int,
    architecture: TargetArch,
) -> io::Result<BpfProgram> {
    let answer = SeccompAction::Errno(errno.unsigned_abs());
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, answer, architecture);
    filter.and_then(TryInto::try_into).map_err(io::Error::other)
}

fn refused_rules(job: &Job) -> io::Result<BTreeMap<i64, Vec<SeccompRule>>> {
    let shared = if job.has(Protection::Namespaces) { &[][..] } else { SHARED_OBJECTS };
    let refused = REFUSED.iter().chain(shared);
    let mut rules: BTreeMap<_, _> = refused.map(|&call| (call, Vec::new())).collect();
    // The supervisor has the user of the program, so that the kernel would let the program change its priority and limits.
    // A program may change its own, for which 0 stands.
    for call in [
        libc::SYS_sched_setscheduler,
        libc::SYS_sched_setparam,
        libc::SYS_sched_setattr,
        libc::SYS_prlimit64,
    ] {
        rules.insert(call, vec![rule(&[(0, SeccompCmpOp::Ne, 0)])?]);
    }
    for (call, process) in [(libc::SYS_setpriority, PRIORITY), (libc::SYS_ioprio_set, IO_PRIORITY)]
    {
        let others = [rule(&[(0, SeccompCmpOp::Ne, process)])?, rule(&[(1, SeccompCmpOp::Ne, 0)])?];
        rules.insert(call, others.into());
    }
    // Core files: see the supervisor. The limit itself may be read.
    let core = u64::from(libc::RLIMIT_CORE);
    rules.insert(libc::SYS_setrlimit, vec![rule(&[(0, SeccompCmpOp::Eq, core)])?]);
    let sets = SeccompCondition::new(2, SeccompCmpArgLen::Qword, SeccompCmpOp::Ne, 0);
    let sets_core = vec![sets.map_err(io::Error::other)?, condition(1, SeccompCmpOp::Eq, core)?];
    let sets_core = SeccompRule::new(sets_core).map_err(io::Error::other)?;
    rules.entry(libc::SYS_prlimit64).or_default().push(sets_core);
    if !job.has(Protection::OwnUser) {
        let size = rule(&[(1, SeccompCmpOp::Eq, u64::from(libc::F_SETPIPE_SZ.unsigned_abs()))])?;
        rules.insert(libc::SYS_fcntl, vec![size]);
    }
    let clone = NAMESPACES.map(|flag| {
        let flag = u64::from(flag.unsigned_abs());
        // The mask is the flag itself: a call is refused if the flag is set.
        rule(&[(0, SeccompCmpOp::MaskedEq(flag), flag)])
    });
    rules.insert(libc::SYS_clone, clone.into_iter().collect::<io::Result<_>>()?);
    let is_other = FAMILIES.map(|family| (0, SeccompCmpOp::Ne, u64::from(family.unsigned_abs())));
    let netlink = u64::from(libc::AF_NETLINK.unsigned_abs());
    let sockets = vec![
        rule(&is_other)?,
        // Of netlink, only addresses and routes (protocol 0) are allowed; Java reads them.
        rule(&[(0, SeccompCmpOp::Eq, netlink), (2, SeccompCmpOp::Ne, 0)])?,
    ];
    rules.insert(libc::SYS_socket, sockets.clone());
    rules.insert(libc::SYS_socketpair, sockets);
    let terminal = [libc::TIOCSTI, libc::TIOCLINUX];
    let terminal = terminal.map(|request| rule(&[(1, SeccompCmpOp::Eq, request)]));
    rules.insert(libc::SYS_ioctl, terminal.into_iter().collect::<io::Result<_>>()?);
    Ok(rules)
}

/// A rule whose conditions on arguments all have to hold: index, comparison, value.
fn rule(conditions: &[(u8, SeccompCmpOp, u64)]) -> io::Result<SeccompRule> {
    let conditions = conditions
        .iter()
        .map(|(index, comparison, value)| condition(*index, comparison.clone(), *value));
    SeccompRule::new(conditions.collect::<io::Result<_>>()?).map_err(io::Error::other)
}

/// A condition on an argument of 32 bits.
fn condition(index: u8, comparison: SeccompCmpOp, value: u64) -> io::Result<SeccompCondition> {
    SeccompCondition::new(index, SeccompCmpArgLen::Dword, comparison, value)
        .map_err(io::Error::other)
}

/// Refuses the calls of the x32 interface, whose numbers are unknown to the other filters.
#[cfg(target_arch = "x86_64")]
fn without_x32() -> BpfProgram {
    const FIRST: u32 = 0x4000_0000;
    // Codes are small numbers, but their type is too large for an instruction.
    let statement = |code: u32, jt, jf, k| sock_filter { code: code as u16, jt, jf, k };
    vec![
        // The number of the call is at offset 0.
        statement(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0, 0, 0),
        statement(libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K, 0, 1, FIRST),
        statement(libc::BPF_RET | libc::BPF_K, 0, 0, libc::SECCOMP_RET_ERRNO | ENOSYS),
        statement(libc::BPF_RET | libc::BPF_K, 0, 0, libc::SECCOMP_RET_ALLOW),
    ]
}

#[cfg(target_arch = "x86_64")]
const ENOSYS: u32 = libc::ENOSYS.unsigned_abs();

#[cfg(not(target_arch = "x86_64"))]
fn without_x32() -> BpfProgram {
    Vec::<sock_filter>::new()
}
