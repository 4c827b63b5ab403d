//! The folders and the environment that a program sees, computed on the organiser's side.

use std::env;
use std::ffi::OsString;
use std::io::{self, ErrorKind};
use std::os::fd::OwnedFd;
use std::path::{Component, Path, PathBuf};

use language::{Note, word};
use rustix::fs::CWD;
use rustix::io::Errno;
use rustix::mount::{OpenTreeFlags, open_tree};

use crate::gap::Protection;
use crate::linux::view::{SCRATCH, SYSTEM};
use crate::linux::wire::{Cause, Failure, Step};

const PATH: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/// The paths that are not below others of the list, in sorted order; those with one of `between` in between are kept.
pub(crate) fn outer(mut paths: Vec<PathBuf>, between: &[PathBuf]) -> Vec<PathBuf> {
    paths.sort();
    let mut outer: Vec<PathBuf> = Vec::new();
    for path in paths {
        let is_below = |other: &PathBuf| {
            let mut around = between.iter().filter(|between| path.starts_with(between));
            path.starts_with(other) && !around.any(|between| between.starts_with(other))
        };
        if !outer.iter().any(is_below) {
            outer.push(path);
        }
    }
    outer
}

/// The whole environment of a program; without a scratch folder, its folders are those of the organiser.
pub(crate) fn environment(
    scratch: Option<&Path>,
    visible: &[PathBuf],
    own: Vec<(OsString, OsString)>,
) -> Vec<(OsString, OsString)> {
    let mut all: Vec<(OsString, OsString)> = vec![("LANG".into(), "C.UTF-8".into())];
    if let Some(scratch) = scratch {
        all.push(("PATH".into(), path(visible)));
        all.extend(["HOME", "TMPDIR"].map(|name| (name.into(), scratch.into())));
    } else {
        let theirs = |name: &str| Some((name.into(), env::var_os(name)?));
        all.extend(["PATH", "HOME", "TMPDIR"].into_iter().filter_map(theirs));
    }
    all.extend(own);
    all
}

/// The entries of the organiser's `PATH` that programs see, and the usual entries.
fn path(visible: &[PathBuf]) -> OsString {
    let theirs = env::var_os("PATH").unwrap_or_default();
    let is_seen = |path: &PathBuf| {
        let visible = visible.iter().map(PathBuf::as_path);
        path.is_absolute()
            && SYSTEM.iter().map(Path::new).chain(visible).any(|seen| path.starts_with(seen))
    };
    let usual = env::split_paths(PATH);
    let mut paths: Vec<_> = env::split_paths(&theirs).filter(is_seen).collect();
    paths.extend(usual);
    env::join_paths(paths).unwrap_or_else(|_| PATH.into())
}

/// Copies of the mounts of folders, to be moved into the view of the program; an error if a folder cannot be opened. Root
/// may lack the right to copy them, usually in a container: then there is no separate view of the files, either.
pub(crate) fn mounts(folders: &[PathBuf]) -> Result<Vec<OwnedFd>, Failure> {
    let flags = OpenTreeFlags::OPEN_TREE_CLONE
        | OpenTreeFlags::OPEN_TREE_CLOEXEC
        | OpenTreeFlags::AT_RECURSIVE;
    let open = |folder: &PathBuf| {
        let mount = open_tree(CWD, folder, flags);
        let cause = match mount {
            Err(Errno::PERM) => Cause::Protection(Protection::Namespaces),
            _ => Cause::Program,
        };
        mount.step(cause, Note::same(folder.display().to_string()))
    };
    folders.iter().map(open).collect()
}

/// The paths at which hidden files and folders would be visible in the system or in `folders`. A folder of the list
/// itself stays visible.
pub(crate) fn hidden(paths: &[PathBuf], folders: &[PathBuf]) -> Vec<PathBuf> {
    let paths: Vec<_> = paths.iter().map(|path| real(path)).collect();
    let system = SYSTEM.iter().map(PathBuf::from).filter(|folder| !folder.is_symlink());
    let mut found = Vec::new();
    for folder in system.chain(folders.iter().cloned()) {
        let real = real(&folder);
        for path in &paths {
            match path.strip_prefix(&real) {
                Ok(rest) if rest.as_os_str().is_empty() => found.push(folder.clone()),
                Ok(rest) => found.push(folder.join(rest)),
                Err(_) => {}
            }
        }
    }
    found.retain(|path| !folders.contains(path));
    outer(found, folders)
}

/// A path without links, even if nothing is there yet.
fn real(path: &Path) -> PathBuf {
    let beside = |path: &Path| Some(path.parent()?.canonicalize().ok()?.join(path.file_name()?));
    path.canonicalize().ok().or_else(|| beside(path)).unwrap_or_else(|| path.to_owned())
}

/// The absolute path of a folder to be shown to programs; an error for folders that a sandbox creates itself.
pub(crate) fn usable(folder: &Path) -> io::Result<PathBuf> {
    let found = folder.canonicalize()?;
    let own = ["/proc", "/dev", "/sys"];
    if !found.is_dir() {
        return Err(ErrorKind::NotADirectory.into());
    }
    if [Path::new("/"), Path::new(SCRATCH)].contains(&found.as_path())
        || own.into_iter().any(|own| found.starts_with(own))
    {
        return Err(io::Error::new(
            ErrorKind::InvalidInput,
            word("no folder for a program", "pas de dossier pour un programme"),
        ));
    }
    let is_plain = folder.components().all(|part| part != Component::ParentDir);
    // The path given to the program is kept, even if it contains links.
    if is_plain { std::path::absolute(folder) } else { Ok(found) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inner_folders_are_seen_with_outer_ones() {
        let paths = |paths: &[&str]| paths.iter().map(PathBuf::from).collect::<Vec<_>>();
        let folders = ["/a/b", "/c", "/a", "/ab", "/a/h/b"];
        let outer = |hidden: &[&str]| super::outer(paths(&folders), &paths(hidden));
        assert_eq!(outer(&[]), paths(&["/a", "/ab", "/c"]));
        assert_eq!(outer(&["/a/h", "/a/b/h"]), paths(&["/a", "/a/h/b", "/ab", "/c"]));
    }

    #[test]
    fn paths_are_hidden_in_the_system_and_in_folders() {
        let world = tempfile::tempdir().unwrap();
        let root = world.path().canonicalize().unwrap();
        std::fs::create_dir(root.join("real")).unwrap();
        std::os::unix::fs::symlink("real", root.join("link")).unwrap();
        let own = root.join("link");
        let of = |path: &str| hidden(&[root.join(path)], std::slice::from_ref(&own));
        assert_eq!(of("real/none.sqlite-wal"), [root.join("link/none.sqlite-wal")]);
        assert_eq!(of("other"), [""; 0].map(PathBuf::from));
        assert_eq!(of("/usr/share/cup"), [PathBuf::from("/usr/share/cup")]);
        assert_eq!(of("/opt"), [PathBuf::from("/opt")]);
        let cup = ["/opt", "/opt/cup", "/opt/cup/t.sqlite"].map(PathBuf::from);
        assert_eq!(hidden(&cup, &[]), [PathBuf::from("/opt")], "the rest is hidden with it");
        assert_eq!(hidden(&cup, &cup[1..2]), [cup[0].clone(), cup[2].clone()]);
        assert!(of("link").is_empty(), "its own folder");
    }

    #[test]
    fn folders_of_the_sandbox_itself_are_refused() {
        for folder in ["/", "/tmp", "/proc", "/dev/shm", "/usr/../proc", "/etc/passwd", "/no/such"]
        {
            assert!(usable(Path::new(folder)).is_err(), "{folder}");
        }
        assert_eq!(usable(Path::new("/usr/bin/..")).ok(), Some("/usr".into()));
    }
}
