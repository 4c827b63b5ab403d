//! Interpreters outside the system, such as a Python of pyenv, and the folders that programs must see to use them.

use std::collections::BTreeSet;
use std::env;
use std::path::{Component, Path, PathBuf};

use plan::CommandLine;

/// Folders of the system, which every program sees.
const SYSTEM: [&str; 10] =
    ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc", "/opt", "/nix"];
/// Folders of version managers, each visible as a whole.
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

/// The folders outside the system that programs must see, so that the interpreters of these commands are found and find
/// their libraries.
pub fn folders<'a>(commands: impl IntoIterator<Item = &'a CommandLine>) -> Vec<PathBuf> {
    let programs = commands.into_iter().filter_map(program).filter(|program| is_one(program));
    let homes = programs.flat_map(|program| chain(&program)).filter_map(|path| home(&path));
    homes.collect::<BTreeSet<_>>().into_iter().collect()
}

/// The program that the first word of a command names, if found.
pub(crate) fn program(command: &CommandLine) -> Option<PathBuf> {
    let word = command.words.first()?;
    match word.contains('/') {
        true => normal(&command.folder.join(word)).filter(|path| path.is_file()),
        false => in_path(Path::new(word)),
    }
}

/// Tests if a program is an interpreter, not a team's own program: it belongs to the system, to a version manager, or to
/// a folder with libraries, or is a link to such a program.
pub(crate) fn is_one(program: &Path) -> bool {
    chain(program).iter().any(|path| in_system(path) || prefix(path).is_some())
}

/// Tests if a path is in a folder of the system.
pub(crate) fn in_system(path: &Path) -> bool {
    SYSTEM.iter().any(|system| path.starts_with(system))
}

/// The path of the program with this name in `PATH`.
fn in_path(name: &Path) -> Option<PathBuf> {
    let paths = env::var_os("PATH").unwrap_or_default();
    let found =
        env::split_paths(&paths).map(|folder| folder.join(name)).find(|path| path.is_file());
    found.filter(|path| path.is_absolute())
}

/// A program, followed by the targets of its links, step by step.
fn chain(program: &Path) -> Vec<PathBuf> {
    let follow = |path: &PathBuf| {
        let to = path.read_link().ok()?;
        normal(&path.parent()?.join(to))
    };
    // The limit ends a circle of links.
    std::iter::successors(normal(program), follow).take(16).collect()
}

/// The folder that a program needs: its prefix, or else its own folder; `None` in the system.
fn home(program: &Path) -> Option<PathBuf> {
    if in_system(program) {
        return None;
    }
    prefix(program).or_else(|| program.parent().map(Path::to_owned))
}

/// The folder of an interpreter with its libraries, if there is one.
fn prefix(program: &Path) -> Option<PathBuf> {
    let is_managed = |folder: &&Path| MANAGERS.iter().any(|manager| folder.ends_with(manager));
    if let Some(manager) = program.ancestors().find(is_managed) {
        return Some(manager.to_owned());
    }
    let folder = program.parent()?;
    let prefix = folder.parent()?;
    // A virtual environment of Python, or an installation with its own prefix; neither `~/bin` nor `~/.local/bin`.
    let is_prefix = prefix.join("pyvenv.cfg").is_file()
        || folder.ends_with("bin") && prefix.join("lib").is_dir() && !prefix.ends_with(".local");
    is_prefix.then(|| prefix.to_owned())
}

/// A path without `.` and `..`; links in the path are kept.
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
        symlink("/usr/bin/env", path("bin/env")).unwrap();
        let seen = |program: &str| {
            let words = vec![program.to_owned()];
            let command = CommandLine { words, folder: path("bin"), environment: [].into() };
            folders([&command])
        };
        let paths = |names: &[&str]| names.iter().map(|name| path(name)).collect::<Vec<_>>();
        assert_eq!(seen("../venv/bin/python"), paths(&[".pyenv", "venv"]));
        assert_eq!(seen("../java/current/bin/java"), paths(&["java/current"]));
        assert_eq!(seen("./env"), paths(&["bin"]));
        assert_eq!(seen("./tool"), paths(&[]), "a bot's own program");
        assert_eq!(seen("/usr/bin/env"), paths(&[]));
        assert_eq!(seen("../none"), paths(&[]));
    }
}
