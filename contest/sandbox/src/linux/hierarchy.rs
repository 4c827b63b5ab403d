//! Finds the control-group hierarchies in which this process may create groups.

use std::fs;
use std::path::{Path, PathBuf};

use language::Note;
use procfs::ProcessCGroup;
use procfs::process::{MountInfo, Process};

use crate::gap::Protection;
use crate::linux::cgroup::GroupFolder;

/// Finds, for each purpose, the folder in which groups may be created, of either version, or the reason why there is none.
/// A controller is in a single hierarchy at a time, but the unified hierarchy measures processor time without a controller,
/// and also kills.
pub(crate) fn find() -> [(Protection, Result<GroupFolder, Note>); 4] {
    let process = Process::myself().ok();
    let mounts = process.as_ref().and_then(|process| process.mountinfo().ok());
    let mounts = mounts.map_or_else(Vec::new, |mounts| mounts.0);
    let own = process.and_then(|process| process.cgroups().ok());
    let own = own.map_or_else(Vec::new, |groups| groups.0);
    let old = |controller: &str| {
        let path = legacy(&mounts, &own, controller).ok_or_else(|| none(controller))?;
        Ok(GroupFolder { path, unified: false })
    };
    let new = |path: &Path| Ok(GroupFolder { path: path.to_owned(), unified: true });
    let unified = unified(&mounts, &own);
    let controlled = unified.as_deref().and_then(with_controllers);
    let limited = |controller| controlled.as_deref().map_or_else(|| old(controller), new);
    [
        (Protection::TotalMemory, limited("memory")),
        (Protection::ProcessCount, limited("pids")),
        (
            Protection::CpuAccounting,
            controlled.as_deref().or(unified.as_deref()).map_or_else(|| old("cpuacct"), new),
        ),
        (
            Protection::CpuShare,
            match &controlled {
                Some(folder) if !shares(folder) => Err(none("cpu")),
                _ => limited("cpu"),
            },
        ),
    ]
}

/// The folder of this process' group in the unified hierarchy.
fn unified(mounts: &[MountInfo], own: &[ProcessCGroup]) -> Option<PathBuf> {
    let group = own.iter().find(|group| group.hierarchy == 0)?;
    below(mounts.iter().find(|mount| mount.fs_type == "cgroup2")?, group)
}

/// The folder of this process' group in the hierarchy of a controller of version 1.
fn legacy(mounts: &[MountInfo], own: &[ProcessCGroup], controller: &str) -> Option<PathBuf> {
    let group =
        own.iter().find(|group| group.controllers.iter().any(|other| other == controller))?;
    let has = |mount: &&MountInfo| {
        mount.fs_type == "cgroup" && mount.super_options.contains_key(controller)
    };
    below(mounts.iter().find(has)?, group)
}

/// A folder of the unified hierarchy whose groups limit memory and processes: the folder of this process, if controllers
/// can be enabled in it, otherwise its parent, if it is delegated too.
fn with_controllers(own: &Path) -> Option<PathBuf> {
    let has = |folder: &Path, file: &str| {
        lists(&folder.join(file), "memory") && lists(&folder.join(file), "pids")
    };
    if !has(own, "cgroup.controllers") {
        return None;
    }
    if has(own, "cgroup.subtree_control") || enable(own) {
        return Some(own.to_owned());
    }
    own.parent().filter(|parent| has(parent, "cgroup.subtree_control")).map(Path::to_owned)
}

/// Tests if the groups in a folder have shares of the processors; enables the controller if necessary.
fn shares(folder: &Path) -> bool {
    let control = folder.join("cgroup.subtree_control");
    lists(&control, "cpu") || fs::write(&control, "+cpu").is_ok() && lists(&control, "cpu")
}

/// Tests if a file lists a controller.
fn lists(file: &Path, controller: &str) -> bool {
    let listed = fs::read_to_string(file).unwrap_or_default();
    listed.split_whitespace().any(|other| other == controller)
}

/// Enables limits in the groups below `own`, which must have no processes itself: this process moves into a group below.
/// Fails if the group has other processes, which this process must not move.
fn enable(own: &Path) -> bool {
    let limits = || fs::write(own.join("cgroup.subtree_control"), "+memory +pids").is_ok();
    if limits() {
        return true;
    }
    let number = std::process::id().to_string();
    let members = fs::read_to_string(own.join("cgroup.procs")).unwrap_or_default();
    if members.trim() != number {
        return false;
    }
    let organiser = own.join("organiser");
    let moved = fs::create_dir(&organiser)
        .and_then(|()| fs::write(organiser.join("cgroup.procs"), &number));
    if moved.is_ok() && limits() {
        return true;
    }
    let _ = fs::write(own.join("cgroup.procs"), &number);
    let _ = fs::remove_dir(&organiser);
    false
}

/// The folder of a group, if it is below the mounted folder.
fn below(mount: &MountInfo, group: &ProcessCGroup) -> Option<PathBuf> {
    let rest = Path::new(&group.pathname).strip_prefix(&mount.root).ok()?;
    Some(mount.mount_point.join(rest))
}

fn none(controller: &str) -> Note {
    let (en, fr) = ("no control groups for", "pas de groupes de contrôle pour");
    Note::new(format!("{en} {controller}"), format!("{fr} {controller}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    use procfs::FromBufRead as _;
    use procfs::ProcessCGroups;
    use procfs::process::MountInfos;

    const MOUNTS: &str = "\
30 23 0:26 / /sys/fs/cgroup/unified rw shared:5 - cgroup2 cgroup2 rw
31 23 0:27 /box /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory
32 23 0:28 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct";
    const OWN: &str = "4:pids:/other\n3:memory:/box/a\n2:cpu,cpuacct:/\n1:name=systemd:/\n0::/user";

    #[test]
    fn own_groups_are_found_below_their_mounts() {
        let mounts = MountInfos::from_buf_read(MOUNTS.as_bytes()).unwrap().0;
        let own = ProcessCGroups::from_buf_read(OWN.as_bytes()).unwrap().0;
        assert_eq!(unified(&mounts, &own), Some("/sys/fs/cgroup/unified/user".into()));
        let legacy = |controller| legacy(&mounts, &own, controller);
        assert_eq!(legacy("memory"), Some("/sys/fs/cgroup/memory/a".into()));
        assert_eq!(legacy("cpuacct"), Some("/sys/fs/cgroup/cpu,cpuacct/".into()));
        assert_eq!(legacy("pids"), None, "it is not mounted");
        let other = ProcessCGroups::from_buf_read(&b"3:memory:/other"[..]).unwrap().0;
        assert_eq!(super::legacy(&mounts, &other, "memory"), None, "it is outside the mount");
    }
}
