//! Finds the control-group hierarchies in which this process may create groups.

use std::fs;
use std::path::{Path, PathBuf};

use language::Note;
use procfs::ProcessCGroup;
use procfs::process::{MountInfo, Process};

use crate::linux::cgroup::Place;

/// For each purpose, the folder in which groups may be created, or the reason why there is none.
pub(crate) struct Hierarchies {
    pub memory: Result<Place, Note>,
    pub pids: Result<Place, Note>,
    /// Either version measures processor time; the unified one also kills.
    pub cpu: Result<Place, Note>,
    /// Equal shares of the processors.
    pub share: Result<Place, Note>,
}

/// Finds the hierarchies of either version. A controller is in a single hierarchy at a time, but the unified hierarchy
/// measures processor time without a controller.
pub(crate) fn find() -> Hierarchies {
    let process = Process::myself().ok();
    let mounts = process.as_ref().and_then(|process| process.mountinfo().ok());
    let mounts = mounts.map_or_else(Vec::new, |mounts| mounts.0);
    let own = process.and_then(|process| process.cgroups().ok());
    let own = own.map_or_else(Vec::new, |groups| groups.0);
    let old = |controller: &str| {
        let folder = legacy(&mounts, &own, controller);
        let folder = folder.ok_or_else(|| none(controller));
        folder.map(|folder| Place { folder, unified: false })
    };
    let Some(unified) = unified(&mounts, &own) else {
        return Hierarchies {
            memory: old("memory"),
            pids: old("pids"),
            cpu: old("cpuacct"),
            share: old("cpu"),
        };
    };
    let place = |folder: PathBuf| Place { folder, unified: true };
    match with_controllers(&unified) {
        Some(folder) => Hierarchies {
            memory: Ok(place(folder.clone())),
            pids: Ok(place(folder.clone())),
            share: if shares(&folder) { Ok(place(folder.clone())) } else { Err(none("cpu")) },
            cpu: Ok(place(folder)),
        },
        None => Hierarchies {
            memory: old("memory"),
            pids: old("pids"),
            cpu: Ok(place(unified)),
            share: old("cpu"),
        },
    }
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
    let has = |file: PathBuf| {
        let found = fs::read_to_string(file).unwrap_or_default();
        let has = |name| found.split_whitespace().any(|other| other == name);
        has("memory") && has("pids")
    };
    if !has(own.join("cgroup.controllers")) {
        return None;
    }
    let parent = || own.parent().filter(|parent| has(parent.join("cgroup.subtree_control")));
    if has(own.join("cgroup.subtree_control")) || enable(own) {
        return Some(own.to_owned());
    }
    parent().map(Path::to_owned)
}

/// Tests if the groups in a folder have shares of the processors; enables the controller if necessary.
fn shares(folder: &Path) -> bool {
    let control = folder.join("cgroup.subtree_control");
    let has =
        || fs::read_to_string(&control).is_ok_and(|it| it.split_whitespace().any(|it| it == "cpu"));
    has() || fs::write(&control, "+cpu").is_ok() && has()
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
