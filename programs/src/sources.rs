//! The files of a program.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

use plan::{CommandLine, Files};

use crate::imports;
use crate::interpreter::{self, in_system, normal};
use crate::package::PackageError;

/// Maximum number of files of a program.
pub(crate) const FILES: usize = 10_000;
/// Files and folders that programs produce beside their own; changes in these make no new version.
const MADE: [&str; 4] = ["__pycache__", "target", "build", "venv"];
const MADE_EXTENSIONS: [&str; 10] = [
    "pyc",
    "log",
    "tmp",
    "o",
    "sqlite",
    "sqlite-wal",
    "sqlite-shm",
    "journaux",
    "paquets",
    "verrou",
];
/// The folder of a package with files from outside the program's folder; scans of a program's folder skip this name.
pub(crate) const OUTSIDE: &str = ".outside";
/// Characters that separate the paths in a word of a command.
pub(crate) const SEPARATORS: [char; 4] = ['=', ':', ',', ';'];

/// The paths of a program's files, by their names in its package.
pub(crate) fn sources(
    command: &CommandLine,
    files: &Files,
) -> Result<BTreeMap<PathBuf, PathBuf>, PackageError> {
    let mut found = BTreeSet::new();
    match files {
        Files::These(files) => {
            for file in files {
                add(&command.folder.join(file), &mut found)?;
            }
        }
        Files::Folder => add(&command.folder, &mut found)?,
        Files::Named => {}
    }
    // A file that the command names belongs to the program, even if it is built from others.
    for path in named(command) {
        add(&path, &mut found)?;
        for module in imports::of(&path) {
            add(&module, &mut found)?;
        }
    }
    Ok(found.into_iter().map(|path| (name_of(command, &path), path)).collect())
}

/// The files and folders outside the system that the words of a command name.
fn named(command: &CommandLine) -> Vec<PathBuf> {
    let parts = |word: &str| -> Vec<String> {
        let parts = word.split(SEPARATORS).filter(|part| part.len() < word.len());
        std::iter::once(word).chain(parts).map(str::to_owned).collect()
    };
    let words = command.words.iter().skip(1).flat_map(|word| parts(word));
    let words = words.filter(|word| !word.is_empty() && !word.contains('\0'));
    let paths = words.filter_map(|word| normal(&command.folder.join(word)));
    // A folder that contains the program's own folder may hold anything, and does not belong to the program.
    let own = normal(&command.folder).unwrap_or_else(|| command.folder.clone());
    let is_meant = |path: &PathBuf| {
        path.is_file() || path.is_dir() && (*path == own || !own.starts_with(path))
    };
    let program = interpreter::program(command).filter(|program| !interpreter::is_one(program));
    program.into_iter().chain(paths).filter(|path| !in_system(path) && is_meant(path)).collect()
}

/// Tests if the files of a command that names none are unknown, rather than missing.
pub(crate) fn is_untold(command: &CommandLine) -> bool {
    let is_missing = |word: &String| {
        let path = Path::new(word);
        !word.starts_with('-') && !word.contains('{') && path.extension().is_some()
    };
    interpreter::program(command).is_some() && !command.words.iter().skip(1).any(is_missing)
}

/// The name of a file in the package of a command: its path in the command's folder, or below [`OUTSIDE`].
pub(crate) fn name_of(command: &CommandLine, path: &Path) -> PathBuf {
    let own = normal(&command.folder).unwrap_or_else(|| command.folder.clone());
    path.strip_prefix(own).map_or_else(
        |_| {
            let names = path.components().filter(|one| matches!(one, Component::Normal(_)));
            Path::new(OUTSIDE).join(names.collect::<PathBuf>())
        },
        Path::to_owned,
    )
}

/// Adds a file, or all files below a folder.
fn add(path: &Path, found: &mut BTreeSet<PathBuf>) -> Result<(), PackageError> {
    let Some(path) = normal(path) else { return Err(PackageError::NoFile(path.to_owned())) };
    let fail = |error| PackageError::Io(path.clone(), error);
    let kind = fs::metadata(&path).map_err(fail)?.file_type();
    if !kind.is_dir() {
        if !kind.is_file() {
            return Err(PackageError::NoFile(path));
        }
        found.insert(path.clone());
        return match found.len() > FILES {
            true => Err(PackageError::TooMuch(path)),
            false => Ok(()),
        };
    }
    for entry in fs::read_dir(&path).map_err(fail)? {
        let entry = entry.map_err(fail)?;
        let (name, below) = (entry.file_name(), entry.path());
        let name = name.to_string_lossy();
        let extension = below.extension().and_then(|extension| extension.to_str());
        let is_made = name.starts_with('.')
            || MADE.contains(&&*name)
            || extension.is_some_and(|extension| MADE_EXTENSIONS.contains(&extension));
        // Links to folders are skipped, as they may form a circle; so are broken links, pipes and sockets.
        let is_folder = entry.file_type().map_err(fail)?.is_dir();
        if !is_made && (is_folder || below.is_file()) {
            add(&below, found)?;
        }
    }
    Ok(())
}
