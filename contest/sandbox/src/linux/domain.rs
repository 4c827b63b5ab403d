//! Landlock: a second lock beside namespaces, and the only lock without them.

use std::io;
use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, NetPort, Ruleset, RulesetAttr,
    RulesetCreated, RulesetCreatedAttr, RulesetStatus, Scope, path_beneath_rules,
};

use crate::gap::Protection;
use crate::linux::allowed::allowed;
use crate::linux::view::DEVICES;
use crate::linux::wire::Job;

/// The newest known version of the interface. An older kernel enforces the rights that it supports.
const NEWEST: ABI = ABI::V6;

/// Denies this process and its descendants files outside the job's view, writing to all files but those of the scratch
/// folder and some devices, and signals and abstract UNIX sockets to other processes. Without a network namespace, TCP connections are only allowed to the port of the game.
///
/// # Errors
///
/// If the kernel has no Landlock.
pub(crate) fn enter(job: &Job) -> io::Result<()> {
    let isolated = job.has(Protection::Namespaces);
    let all = AccessFs::from_all(NEWEST);
    let read = AccessFs::from_read(NEWEST);
    let device = AccessFs::ReadFile | AccessFs::WriteFile | AccessFs::Truncate;
    let mut rules = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(all)
        .and_then(|rules| rules.scope(Scope::from_all(NEWEST)))
        .map_err(io::Error::other)?;
    if !isolated {
        rules = rules.handle_access(AccessNet::ConnectTcp).map_err(io::Error::other)?;
    }
    let mut rules = rules.create().map_err(io::Error::other)?;
    if isolated {
        // The root of the mount namespace contains visible files only.
        rules = rules.add_rules(path_beneath_rules(["/"], read)).map_err(io::Error::other)?;
    } else {
        let seen = allowed(job).into_iter().chain([PathBuf::from("/proc")]);
        rules = rules
            .add_rules(path_beneath_rules(seen, read))
            .and_then(|rules| rules.add_rule(NetPort::new(job.port, AccessNet::ConnectTcp)))
            .map_err(io::Error::other)?;
    }
    let devices = DEVICES.map(|name| Path::new("/dev").join(name));
    let status = rules
        .add_rules(path_beneath_rules([job.scratch.as_path(), Path::new("/dev/shm")], all))
        .and_then(|rules| rules.add_rules(path_beneath_rules(devices, device)))
        .and_then(RulesetCreated::restrict_self)
        .map_err(io::Error::other)?;
    match status.ruleset {
        RulesetStatus::NotEnforced => Err(io::Error::from_raw_os_error(libc::EOPNOTSUPP)),
        _ => Ok(()),
    }
}
