//! The files of a program.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

use plan::{CommandLine, Files};

use crate::imports;
use crate::interpreter::{self, is_private, is_system, normal, own_folder};
use crate::package::PackageError;
use crate::team_files::{self, TeamFiles};

/// Maximum number of files of a program, and of its folders.
pub(crate) const FILES: usize = 10_000;
/// Maximum number of folders in each other.
pub(crate) const DEPTH: usize = 100;
/// Files and folders that programs produce beside their own; changes in these make no new version.
const MADE: [&str; 4] = ["__pycache__", "target", "build", "venv"];
const MADE_EXTENSIONS: [&str; 11] = [
    "pyc",
    "log",
    "tmp",
    "o",
    "sqlite",
    "sqlite-wal",
    "sqlite-shm",
    "journaux",
    "paquets",
    "construits",
    "verrou",
];
/// Folders of tools, which no build needs: it has no network, and makes its own files anew.
const TOOLS: [&str; 5] = [".git", ".venv", "venv", "node_modules", "__pycache__"];
/// The folder in which Cargo builds, beside its [`MANIFEST`].
pub(crate) const TARGET: &str = "target";
pub(crate) const MANIFEST: &str = "Cargo.toml";
/// The folder of a package with files from outside the program's folder; scans of a program's folder skip this name.
pub(crate) const OUTSIDE: &str = ".outside";
/// Characters that separate the paths in a word of a command.
pub(crate) const SEPARATORS: [char; 4] = ['=', ':', ',', ';'];

/// The paths of a program's files without links, by their names in its package.
pub(crate) fn sources(
    command: &CommandLine,
    files: &Files,
) -> Result<BTreeMap<PathBuf, PathBuf>, PackageError> {
    let mut found = Found::new(command, files);
    match files {
        Files::These(files) => {
            for file in files {
                found.add(&command.folder.join(file))?;
            }
        }
        Files::Folder => found.add(&command.folder)?,
        Files::Named => {}
    }
    // A file that the command names belongs to the program, even if it is built from others.
    for path in named(command) {
        found.add(&path)?;
        for module in imports::of(&path, |script| {
            team_files::open(&found.team_files.resolve(script, None).ok()?).ok()
        }) {
            found.add(&module)?;
        }
    }
    Ok(found.files.into_iter().map(|(path, real)| (name_of(command, &path), real)).collect())
}

/// The paths of all files in a folder that belongs to a team, by their names in it: also hidden ones, such as
/// `.cargo/config.toml`, but not those of tools.
pub(crate) fn whole(folder: &Path) -> Result<BTreeMap<PathBuf, PathBuf>, PackageError> {
    let folder = normal(folder).ok_or_else(|| PackageError::NoFile(folder.to_owned()))?;
    let own = CommandLine { words: Vec::new(), folder: folder.clone(), environment: [].into() };
    let mut found = Found::new(&own, &Files::Folder);
    found.is_left_out = is_of_tool;
    found.add(&folder)?;
    Ok(found.files.into_iter().map(|(path, real)| (name_of(&own, &path), real)).collect())
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
    let own = own_folder(command);
    let is_meant = |path: &PathBuf| {
        path.is_file() || path.is_dir() && (*path == own || !own.starts_with(path))
    };
    let program = interpreter::program(command);
    let program = program.filter(|program| !interpreter::is_one(command, program));
    let libraries = program.as_ref().and_then(|program| interpreter::libraries(command, program));
    let all = program.into_iter().chain(libraries).chain(paths);
    all.filter(|path| !is_system(path, &own) && is_meant(path)).collect()
}

/// The files and folders of a team that other teams must not see: its folder, the folders of its files, and the files
/// themselves where the folder is one of the system.
pub fn places(command: &CommandLine, files: &Files) -> Vec<PathBuf> {
    let listed = match files {
        Files::These(files) => files.iter().map(|file| command.folder.join(file)).collect(),
        Files::Folder => vec![command.folder.clone()],
        Files::Named => Vec::new(),
    };
    let place = |path: PathBuf| {
        let path = path.canonicalize().ok()?;
        if path.is_dir() {
            return Some(path).filter(|path| is_private(path));
        }
        let folder = path.parent().filter(|folder| is_private(folder)).map(Path::to_owned);
        Some(folder.unwrap_or(path))
    };
    let places = listed.into_iter().chain(named(command)).filter_map(place);
    places.collect::<BTreeSet<_>>().into_iter().collect()
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
    path.strip_prefix(own_folder(command)).map_or_else(
        |_| {
            let names = path.components().filter(|one| matches!(one, Component::Normal(_)));
            Path::new(OUTSIDE).join(names.collect::<PathBuf>())
        },
        Path::to_owned,
    )
}

struct Found {
    team_files: TeamFiles,
    /// The paths without links by those in the program's folder.
    files: BTreeMap<PathBuf, PathBuf>,
    /// Number of folders that were searched.
    folders: usize,
    /// Tests if a path in a folder is skipped.
    is_left_out: fn(&Path) -> bool,
}

struct Unread {
    /// The path in the program's folder.
    path: PathBuf,
    /// The path without links.
    real: PathBuf,
    /// The paths without links of the folders with the links that led here.
    trail: Vec<PathBuf>,
}

impl Found {
    fn new(command: &CommandLine, files: &Files) -> Self {
        Self {
            team_files: TeamFiles::new(command, files),
            files: BTreeMap::new(),
            folders: 0,
            is_left_out: is_made,
        }
    }

    /// Adds a file, or all files below a folder.
    fn add(&mut self, path: &Path) -> Result<(), PackageError> {
        let no_file = || PackageError::NoFile(path.to_owned());
        let path = normal(path).ok_or_else(no_file)?;
        let root = self.team_files.resolve(&path, None)?;
        let kind = kind(&root)?;
        if kind.is_file() {
            return self.insert(path, root);
        } else if !kind.is_dir() {
            return Err(no_file());
        }
        let depth = path.components().count();
        let mut unread = vec![Unread { path, real: root.clone(), trail: Vec::new() }];
        while let Some(folder) = unread.pop() {
            self.folders += 1;
            let depth = folder.path.components().count() - depth;
            if self.folders > FILES || depth > DEPTH {
                return Err(PackageError::TooMuch(root));
            }
            for name in team_files::names(&folder.real, 10 * FILES)? {
                let path = folder.path.join(&name);
                if !(self.is_left_out)(&path) {
                    let real = folder.real.join(&name);
                    unread.extend(self.look(path, real, &folder, &root)?);
                }
            }
        }
        Ok(())
    }

    /// Adds an entry of a folder if it is a file; returns it if it is a folder to be searched.
    fn look(
        &mut self,
        path: PathBuf,
        real: PathBuf,
        folder: &Unread,
        root: &Path,
    ) -> Result<Option<Unread>, PackageError> {
        let mut trail = folder.trail.clone();
        let mut real = real;
        let found = match fs::symlink_metadata(&real) {
            // It was removed while its folder was read.
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            found => found.map_err(|error| PackageError::Io(real.clone(), error))?,
        };
        if found.is_symlink() {
            // A link that leads nowhere needs no file.
            if real.canonicalize().is_err() {
                return Ok(None);
            }
            real = self.team_files.resolve(&real, Some(root))?;
            trail.push(folder.real.clone());
        }
        let kind = kind(&real)?;
        if kind.is_file() {
            self.insert(path, real)?;
        } else if kind.is_dir() {
            let is_circle = trail.iter().any(|from| from.starts_with(&real));
            // A virtual environment is an interpreter, which is not copied.
            if !is_circle && !real.join("pyvenv.cfg").is_file() {
                return Ok(Some(Unread { path, real, trail }));
            }
        }
        // Pipes, sockets and devices are skipped.
        Ok(None)
    }

    fn insert(&mut self, path: PathBuf, real: PathBuf) -> Result<(), PackageError> {
        if self.files.len() >= FILES && !self.files.contains_key(&path) {
            return Err(PackageError::TooMuch(path));
        }
        self.files.insert(path, real);
        Ok(())
    }
}

fn kind(path: &Path) -> Result<fs::FileType, PackageError> {
    let found = fs::symlink_metadata(path);
    found.map(|found| found.file_type()).map_err(|error| PackageError::Io(path.to_owned(), error))
}

/// Tests if a file or a folder is hidden, or produced by programs.
fn is_made(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let extension = path.extension().and_then(|extension| extension.to_str());
    name.starts_with('.')
        || MADE.contains(&&*name)
        || extension.is_some_and(|extension| MADE_EXTENSIONS.contains(&extension))
}

/// Tests if a folder belongs to a tool, or is the one in which Cargo builds.
fn is_of_tool(path: &Path) -> bool {
    let is = |name: &str| path.file_name().is_some_and(|own| own == name);
    TOOLS.into_iter().any(is) || is(TARGET) && path.with_file_name(MANIFEST).is_file()
}
