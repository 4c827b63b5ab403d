//! Files that a program may read where Landlock is the only lock: rules allow folders with all that is below them, so that a
//! hidden path is left out by allowing the entries beside it, step by step.

use std::fs;
use std::path::{Path, PathBuf};

use crate::linux::view::SYSTEM;
use crate::linux::wire::Job;

/// The files and folders of the system and of the job that the program may read, with all that is below them. Of the
/// folders around a hidden path, only the entries that exist now are among them.
pub(crate) fn allowed(job: &Job) -> Vec<PathBuf> {
    let folders = SYSTEM.iter().map(PathBuf::from).chain(job.folders.iter().cloned());
    let hidden: Vec<_> = job.hidden.iter().map(|path| real(path)).collect();
    let mut allowed = Vec::new();
    for folder in folders {
        allow(real(&folder), &hidden, &mut allowed);
    }
    allowed.sort();
    allowed.dedup();
    allowed
}

fn allow(path: PathBuf, hidden: &[PathBuf], allowed: &mut Vec<PathBuf>) {
    if hidden.contains(&path) {
        return;
    }
    if !hidden.iter().any(|hidden| hidden.starts_with(&path)) {
        allowed.push(path);
        return;
    }
    for entry in fs::read_dir(&path).into_iter().flatten().flatten() {
        // The target of a link is allowed under its own path, or not at all.
        let is_link = entry.file_type().is_ok_and(|kind| kind.is_symlink());
        if !is_link {
            allow(entry.path(), hidden, allowed);
        }
    }
}

fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    use std::os::unix::fs::symlink;

    #[test]
    fn what_lies_beside_hidden_paths_is_allowed() {
        let world = tempfile::tempdir().unwrap();
        let root = world.path().canonicalize().unwrap();
        for folder in ["cup/ada", "cup/packages/1", "jdk/lib"] {
            fs::create_dir_all(root.join(folder)).unwrap();
        }
        fs::write(root.join("cup/t.sqlite"), "").unwrap();
        fs::write(root.join("cup/map"), "").unwrap();
        symlink("cup/ada", root.join("link")).unwrap();
        let of = |hidden: &[&str]| {
            let hidden: Vec<_> = hidden.iter().map(|path| root.join(path)).collect();
            let mut allowed = Vec::new();
            allow(root.clone(), &hidden, &mut allowed);
            allowed.sort();
            let names = allowed.iter().map(|path| path.strip_prefix(&root).unwrap());
            names.map(|path| path.display().to_string()).collect::<Vec<_>>()
        };
        assert_eq!(of(&[]), [""]);
        assert_eq!(of(&["cup"]), ["jdk"]);
        let hidden = ["cup/ada", "cup/t.sqlite", "cup/none"];
        assert_eq!(of(&hidden), ["cup/map", "cup/packages", "jdk"]);
        assert_eq!(of(&[""]), [""; 0]);
    }
}
