//! Programs outside the system that run those of teams, such as a Python of pyenv, and what they need to be seen.

use std::collections::BTreeSet;
use std::env;
use std::path::{Component, Path, PathBuf};

use plan::Command;

/// Folders of the system, which every program sees.
const SYSTEM: [&str; 10] =
    ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc", "/opt", "/nix"];
/// Folders of managers of versions: everything in them belongs together.
const MANAGERS: [&str; 9] = [
    ".pyenv",
    ".rbenv",
    ".nvm",
    ".volta",
    ".sdkman",
    ".jenv",
    ".asdf",
    ".rustup",
    ".local/share/uv",
];

/// The folders besides the system that these commands need to be seen, for programs to be found and to find their
/// libraries.
pub fn folders<'a>(commands: impl IntoIterator<Item = &'a Command>) -> Vec<PathBuf> {
    let mut found = BTreeSet::new();
    for command in commands {
        if let Some(program) = command.words.first().and_then(|word| program(command, word)) {
            add(&program, &mut found);
        }
        let named = command.words.iter().skip(1).map(Path::new);
        let outside = named.filter(|path| path.is_absolute() && path.is_file());
        found.extend(outside.filter_map(home));
    }
    found.into_iter().collect()
}

/// Where the program is that a command names.
fn program(command: &Command, word: &str) -> Option<PathBuf> {
    match word.contains('/') {
        true => Some(command.folder.join(word)).filter(|path| path.is_file()),
        false => in_path(Path::new(word)),
    }
}

/// Where the program of this name is found in `PATH`.
fn in_path(name: &Path) -> Option<PathBuf> {
    let paths = env::var_os("PATH").unwrap_or_default();
    let found =
        env::split_paths(&paths).map(|folder| folder.join(name)).find(|path| path.is_file());
    found.filter(|path| path.is_absolute())
}

/// Adds what a program needs, and what those need that it is a link to.
fn add(program: &Path, found: &mut BTreeSet<PathBuf>) {
    let mut next = Some(program.to_owned());
    // A circle of links ends too.
    for _ in 0..16 {
        let Some(path) = next.as_deref().and_then(normal) else { return };
        found.extend(home(&path));
        next = path.read_link().ok().map(|to| path.parent().unwrap_or(&path).join(to));
    }
}

/// The folder with everything that belongs to a program; `None` in the system.
fn home(program: &Path) -> Option<PathBuf> {
    if SYSTEM.iter().any(|system| program.starts_with(system)) {
        return None;
    }
    let is_managed = |folder: &&Path| MANAGERS.iter().any(|manager| folder.ends_with(manager));
    if let Some(manager) = program.ancestors().find(is_managed) {
        return Some(manager.to_owned());
    }
    let folder = program.parent()?;
    let prefix = folder.parent()?;
    // A virtual environment of Python, or what a prefix of its own was given; not `~/bin` nor `~/.local/bin`.
    let has_prefix = prefix.join("pyvenv.cfg").is_file()
        || folder.ends_with("bin") && prefix.join("lib").is_dir() && !prefix.ends_with(".local");
    Some(if has_prefix { prefix.to_owned() } else { folder.to_owned() })
}

/// A path without `.` and `..`, links on it being kept.
pub(crate) fn normal(path: &Path) -> Option<PathBuf> {
    let mut normal = PathBuf::new();
    for component in std::path::absolute(path).ok()?.components() {
        match component {
            Component::ParentDir => {
                normal.pop();
            }
            component => normal.push(component),
        }
    }
    Some(normal)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn interpreters_below_a_home_folder_are_seen_with_their_libraries() {
        let home = tempfile::tempdir().unwrap();
        let path = |name: &str| home.path().join(name);
        for folder in ["venv/bin", ".pyenv/versions/3/bin", "java/21/bin", "java/21/lib", "bin"] {
            fs::create_dir_all(path(folder)).unwrap();
        }
        fs::write(path("venv/pyvenv.cfg"), "").unwrap();
        fs::write(path(".pyenv/versions/3/bin/python3"), "").unwrap();
        fs::write(path("java/21/bin/java"), "").unwrap();
        fs::write(path("bin/tool"), "").unwrap();
        symlink(path(".pyenv/versions/3/bin/python3"), path("venv/bin/python")).unwrap();
        symlink("21", path("java/current")).unwrap();
        let seen = |program: &str| {
            let words = vec![program.to_owned()];
            let command = Command { words, folder: path("bin"), environment: [].into() };
            folders([&command])
        };
        let paths = |names: &[&str]| names.iter().map(|name| path(name)).collect::<Vec<_>>();
        assert_eq!(seen("../venv/bin/python"), paths(&[".pyenv", "venv"]));
        assert_eq!(seen("../java/current/bin/java"), paths(&["java/current"]));
        assert_eq!(seen("./tool"), paths(&["bin"]));
        assert_eq!(seen("/usr/bin/env"), paths(&[]));
        assert_eq!(seen("../none"), paths(&[]));
    }
}
