//! Finds the control-group hierarchies in which this process may create groups.

use std::fs;
use std::path::{Path, PathBuf};

use language::Note;

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
    let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
    let own = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
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
fn unified(mounts: &str, own: &str) -> Option<PathBuf> {
    let path = own.lines().find_map(|line| line.strip_prefix("0::"))?;
    mounts.lines().filter_map(Mount::read).find(|mount| mount.kind == "cgroup2")?.folder(path)
}

/// The folder of this process' group in the hierarchy of a controller of version 1.
fn legacy(mounts: &str, own: &str, controller: &str) -> Option<PathBuf> {
    let path = own.lines().find_map(|line| {
        let (controllers, path) = line.split_once(':')?.1.split_once(':')?;
        controllers.split(',').any(|other| other == controller).then_some(path)
    })?;
    let has = |mount: &Mount<'_>| {
        mount.kind == "cgroup" && mount.options.split(',').any(|option| option == controller)
    };
    mounts.lines().filter_map(Mount::read).find(has)?.folder(path)
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

/// A line of the list of mounts.
struct Mount<'a> {
    /// The mounted folder of the file system.
    root: &'a str,
    target: &'a str,
    kind: &'a str,
    options: &'a str,
}

impl<'a> Mount<'a> {
    fn read(line: &'a str) -> Option<Self> {
        let (place, system) = line.split_once(" - ")?;
        let mut place = place.split(' ').skip(3);
        let (root, target) = (place.next()?, place.next()?);
        let mut system = system.split(' ');
        let kind = system.next()?;
        let options = system.nth(1)?;
        Some(Self { root, target, kind, options })
    }

    /// The folder of a group, if it is below the mounted folder.
    fn folder(&self, group: &str) -> Option<PathBuf> {
        let rest = Path::new(group).strip_prefix(self.root).ok()?;
        Some(Path::new(self.target).join(rest))
    }
}

fn none(controller: &str) -> Note {
    let (en, fr) = ("no control groups for", "pas de groupes de contrôle pour");
    Note::new(format!("{en} {controller}"), format!("{fr} {controller}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOUNTS: &str = "\
30 23 0:26 / /sys/fs/cgroup/unified rw shared:5 - cgroup2 cgroup2 rw
31 23 0:27 /box /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory
32 23 0:28 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct";
    const OWN: &str = "3:memory:/box/a\n2:cpu,cpuacct:/\n1:name=systemd:/\n0::/user";

    #[test]
    fn own_groups_are_found_below_their_mounts() {
        assert_eq!(unified(MOUNTS, OWN), Some("/sys/fs/cgroup/unified/user".into()));
        assert_eq!(legacy(MOUNTS, OWN, "memory"), Some("/sys/fs/cgroup/memory/a".into()));
        assert_eq!(legacy(MOUNTS, OWN, "cpuacct"), Some("/sys/fs/cgroup/cpu,cpuacct/".into()));
        assert_eq!(legacy(MOUNTS, OWN, "pids"), None);
    }

    #[test]
    fn a_group_outside_the_mount_is_none() {
        assert_eq!(legacy(MOUNTS, "3:memory:/other", "memory"), None);
    }
}
