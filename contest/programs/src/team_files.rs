//! Files of a team, opened with the organiser's rights: only the team's own files, and only plain ones.
//!
//! A team may change its folder at any moment. So each path is first resolved to one without links, of which every link
//! has stayed in the team's folder, and is then opened without following any link. A folder or a file that was swapped
//! for a link in between is refused, and the bytes that are hashed and copied are those of the opened file.
//!
//! A hard link is the file itself, whatever folder it is in. The kernel lets only those make one who own the file or may
//! write it (`fs.protected_hardlinks`); where that is off, a hard link to a file of another user is refused here.

use std::ffi::OsString;
use std::fs::File;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use plan::{CommandLine, Files};

use crate::interpreter::{normal, own_folder, real};
use crate::package::PackageError;

/// Maximum number of links on a path, as in the kernel.
const LINKS: usize = 40;
/// Folders whose files are no files on a disk.
const NO_FILES: [&str; 3] = ["/proc", "/sys", "/dev"];

/// The files of a program, and where links among them may lead.
pub(crate) struct TeamFiles {
    /// The command's folder as it is given, without `.` and `..`.
    given: PathBuf,
    /// The same folder without links.
    real: PathBuf,
    /// True if all of the command's folder belongs to the team.
    is_own: bool,
}

impl TeamFiles {
    pub(crate) fn new(command: &CommandLine, files: &Files) -> Self {
        let given = own_folder(command);
        Self { real: real(&given), given, is_own: *files == Files::Folder }
    }

    /// The path of a file or folder without links. A link may lead anywhere in the team's folder, if that is known, or in
    /// the folder `within`, and otherwise below the folder that the link is in.
    ///
    /// # Errors
    ///
    /// If a link on the path leads elsewhere, or nothing is there.
    pub(crate) fn resolve(
        &self,
        path: &Path,
        within: Option<&Path>,
    ) -> Result<PathBuf, PackageError> {
        let mut path = normal(path).ok_or_else(|| PackageError::NoFile(path.to_owned()))?;
        if let Ok(rest) = path.strip_prefix(&self.given) {
            path = join(&self.real, rest);
        }
        for _ in 0..LINKS {
            let Some(link) = first_link(&path) else {
                return if NO_FILES.iter().any(|folder| path.starts_with(folder)) {
                    Err(PackageError::NoFile(path))
                } else {
                    Ok(path)
                };
            };
            let own = Some(self.real.as_path()).filter(|_| self.is_own);
            let outer = within.into_iter().chain(own).find(|outer| link.starts_with(outer));
            // This path has no links, and must not be resolved again: it could have become one.
            let outer = outer.or(link.parent()).unwrap_or(&link);
            let fail = |error| PackageError::Io(link.clone(), error);
            let to = link.canonicalize().map_err(fail)?;
            if !to.starts_with(comparable_form(outer)) {
                let (link, outer) = (link.clone(), outer.to_owned());
                return Err(PackageError::Leaves { link, outer, to });
            }
            let rest = path.strip_prefix(&link).unwrap_or(Path::new(""));
            path = join(&to, rest);
        }
        Err(PackageError::Io(path, ErrorKind::InvalidInput.into()))
    }
}

/// Opens a plain file, given by a path without links.
///
/// # Errors
///
/// If a link is on the path, if it leads to no plain file, or if that is a hard link to a file of another user.
pub(crate) fn open(path: &Path) -> Result<File, PackageError> {
    let fail = |error| PackageError::Io(path.to_owned(), error);
    let (file, is_foreign) = system::open(path).map_err(fail)?;
    match file.metadata().map_err(fail)?.is_file() {
        true if is_foreign => Err(PackageError::Foreign(path.to_owned())),
        true => Ok(file),
        false => Err(PackageError::NoFile(path.to_owned())),
    }
}

/// The names in a folder, given by a path without links; an error if there are more than `most`.
pub(crate) fn names(folder: &Path, most: usize) -> Result<Vec<OsString>, PackageError> {
    let fail = |error| PackageError::Io(folder.to_owned(), error);
    let names = system::names(folder, most).map_err(fail)?;
    if names.len() > most { Err(PackageError::TooMuch(folder.to_owned())) } else { Ok(names) }
}

/// The first link on a path, from the root.
fn first_link(path: &Path) -> Option<PathBuf> {
    let mut folders: Vec<_> = path.ancestors().collect();
    folders.reverse();
    folders.into_iter().find(|folder| folder.is_symlink()).map(Path::to_owned)
}

/// Joins two paths, of which the second may be empty.
fn join(folder: &Path, rest: &Path) -> PathBuf {
    if rest.as_os_str().is_empty() { folder.to_owned() } else { folder.join(rest) }
}

/// A path without links in the form of canonical paths.
fn comparable_form(path: &Path) -> PathBuf {
    // On Windows, canonical paths begin with `\\?\`.
    if cfg!(unix) { path.to_owned() } else { real(path) }
}

#[cfg(unix)]
mod system {
    use std::ffi::{OsStr, OsString};
    use std::fs::File;
    use std::io::{self, ErrorKind};
    use std::os::fd::OwnedFd;
    use std::os::unix::ffi::OsStrExt;
    use std::path::{Component, Path};

    use rustix::fs::{CWD, Dir, Mode, OFlags, fstat, openat};

    /// Opens the last folder of a path, step by step from the root.
    fn walk(path: &Path) -> io::Result<OwnedFd> {
        // On Linux, this needs no right to list the folder.
        #[cfg(target_os = "linux")]
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        #[cfg(not(target_os = "linux"))]
        let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mut folder = openat(CWD, "/", flags, Mode::empty())?;
        for component in path.components() {
            if let Component::Normal(name) = component {
                folder = openat(&folder, name, flags, Mode::empty())?;
            }
        }
        Ok(folder)
    }

    /// Opens a file without following links or waiting; also tests if it is a hard link to the file of another user
    /// than its folder's.
    pub(super) fn open(path: &Path) -> io::Result<(File, bool)> {
        let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
            return Err(ErrorKind::IsADirectory.into());
        };
        let folder = walk(parent)?;
        // Without `NONBLOCK`, opening a pipe would wait for its other end.
        let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let file = openat(&folder, name, flags, Mode::empty())?;
        let (found, around) = (fstat(&file)?, fstat(&folder)?);
        Ok((file.into(), found.st_nlink > 1 && found.st_uid != around.st_uid))
    }

    /// The names in a folder, at most one more than `most`.
    pub(super) fn names(path: &Path, most: usize) -> io::Result<Vec<OsString>> {
        let folder = walk(path)?;
        let flags = OFlags::DIRECTORY | OFlags::CLOEXEC;
        let listed = Dir::new(openat(&folder, ".", flags, Mode::empty())?)?;
        let is_name = |name: &OsStr| name != "." && name != "..";
        let mut names = Vec::new();
        for entry in listed {
            let entry = entry?;
            let name = OsStr::from_bytes(entry.file_name().to_bytes());
            if is_name(name) {
                names.push(name.to_owned());
            }
            if names.len() > most {
                break;
            }
        }
        Ok(names)
    }
}

/// Other systems isolate no programs either: what is checked here may change before it is opened.
#[cfg(not(unix))]
mod system {
    use std::ffi::OsString;
    use std::fs::{self, File};
    use std::io;
    use std::path::Path;

    pub(super) fn open(path: &Path) -> io::Result<(File, bool)> {
        Ok((File::open(path)?, false))
    }

    pub(super) fn names(path: &Path, most: usize) -> io::Result<Vec<OsString>> {
        fs::read_dir(path)?.take(most + 1).map(|entry| Ok(entry?.file_name())).collect()
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    use std::fs;
    use std::os::unix::fs::{chown, symlink};

    #[test]
    fn nothing_is_opened_through_a_link() {
        let world = tempfile::tempdir().unwrap();
        let folder = world.path().canonicalize().unwrap();
        fs::create_dir(folder.join("real")).unwrap();
        fs::write(folder.join("real/file"), "x").unwrap();
        symlink("real", folder.join("linked")).unwrap();
        symlink("file", folder.join("real/link")).unwrap();
        let is_open = |name: &str| open(&folder.join(name)).is_ok();
        assert!(is_open("real/file"));
        assert!(!is_open("linked/file") && !is_open("real/link") && !is_open("real"));
        assert!(names(&folder.join("real"), 2).is_ok_and(|names| names.len() == 2));
        assert!(names(&folder.join("linked"), 2).is_err() && names(&folder, 1).is_err());
    }

    #[test]
    fn a_hard_link_to_the_file_of_another_user_is_refused() {
        let world = tempfile::tempdir().unwrap();
        let folder = world.path().canonicalize().unwrap();
        fs::write(folder.join("one"), "x").unwrap();
        fs::hard_link(folder.join("one"), folder.join("two")).unwrap();
        fs::write(folder.join("alone"), "x").unwrap();
        assert!(open(&folder.join("two")).is_ok(), "of the same user");
        // Only root can change the owner of a file.
        let given = ["one", "alone"].map(|name| chown(folder.join(name), Some(12_345), None));
        if given.iter().all(Result::is_ok) {
            let error = open(&folder.join("two")).unwrap_err().to_string();
            assert!(error.contains("another user"), "{error}");
            assert!(open(&folder.join("alone")).is_ok(), "nobody has linked it");
        }
    }
}
