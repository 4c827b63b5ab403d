//! The folder in which what runs is looked for.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::command::stays_inside;
use crate::format::is_program;
use crate::{LaunchFault, Refusal};

/// Maximum number of names that are read.
const NAMES: usize = 10_000;
/// Maximum size of a file that is read as a whole, in bytes.
const TEXT: u64 = 1 << 16;
/// Number of bytes of a file by which a program is recognised; a `#!` line is not longer on Linux.
const START: u64 = 256;

/// The folder of a program, and the names of the files in it.
pub(crate) struct Folder {
    path: PathBuf,
    /// Names of the files, without those of folders, in order.
    pub(crate) files: Vec<String>,
    /// Names of folders, in order, each with a slash at its end.
    pub(crate) folders: Vec<String>,
}

impl Folder {
    /// Lists a folder. Links are neither files nor folders.
    pub(crate) fn read(path: &Path) -> io::Result<Self> {
        let (mut files, mut folders) = (Vec::new(), Vec::new());
        for entry in fs::read_dir(path)?.take(NAMES) {
            let entry = entry?;
            let kind = entry.file_type()?;
            let Ok(name) = entry.file_name().into_string() else { continue };
            if kind.is_file() {
                files.push(name);
            } else if kind.is_dir() {
                folders.push(name + "/");
            }
        }
        files.sort();
        folders.sort();
        Ok(Self { path: path.to_owned(), files, folders })
    }

    /// Tests if there is a file of this name in the folder itself.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.files.binary_search_by(|file| file.as_str().cmp(name)).is_ok()
    }

    /// Tests if there is a file at this path below the folder, given its parts.
    pub(crate) fn has_below(&self, parts: &[String]) -> bool {
        let path = parts.iter().fold(self.path.clone(), |path, part| path.join(part));
        fs::symlink_metadata(path).is_ok_and(|found| found.is_file())
    }

    /// The only file with this extension, if its name can be a word of a command.
    pub(crate) fn only(&self, extension: &str) -> Option<&str> {
        let found = |name: &str| Path::new(name).extension().map(OsStr::to_ascii_lowercase);
        let is_one = |name: &str| found(name).is_some_and(|found| found == extension);
        let mut files = self.files.iter().filter(|name| is_one(name));
        files.next().filter(|name| files.next().is_none() && is_plain(name)).map(String::as_str)
    }

    /// The text of a small file, without a byte order mark; `None` if it is not there.
    ///
    /// # Errors
    ///
    /// If the file is too large or no text, or cannot be read.
    pub(crate) fn text(&self, name: &'static str) -> Result<Option<String>, Refusal> {
        if !self.has(name) {
            return Ok(None);
        }
        let bytes = self.start(name, TEXT + 1).map_err(Refusal::Disk)?;
        if bytes.len() as u64 > TEXT {
            return Err(LaunchFault::TooLarge(name, TEXT).into());
        }
        let text = String::from_utf8(bytes).map_err(|_| LaunchFault::NotText(name))?;
        Ok(Some(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text)))
    }

    /// The start of a program that Linux can start; empty if the file is none.
    pub(crate) fn program_start(&self, name: &str) -> io::Result<Vec<u8>> {
        let start = self.start(name, START)?;
        Ok(if is_program(&start) { start } else { Vec::new() })
    }

    fn start(&self, name: &str, most: u64) -> io::Result<Vec<u8>> {
        let mut start = Vec::new();
        system::open(&self.path.join(name))?.take(most).read_to_end(&mut start)?;
        Ok(start)
    }
}

/// Tests if a path can be a word of a command: programs would take a dash for a flag, and tournaments take braces for a
/// placeholder and copy what a part of a word names.
pub(crate) fn is_plain(path: &str) -> bool {
    !path.starts_with('-') && !path.contains(['{', '}']) && stays_inside(path)
}

/// A team may swap a file for something else after the folder was listed: a link could lead to what only the organiser may
/// read, and the opening of a pipe waits for a writer.
#[cfg(unix)]
mod system {
    use std::fs::File;
    use std::io::{self, ErrorKind};
    use std::path::Path;

    use rustix::fs::{Mode, OFlags, open as open_file};

    /// Opens a plain file without following a link at the end of the path.
    pub(super) fn open(path: &Path) -> io::Result<File> {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = File::from(open_file(path, flags, Mode::empty())?);
        if file.metadata()?.is_file() { Ok(file) } else { Err(ErrorKind::InvalidInput.into()) }
    }
}

#[cfg(not(unix))]
mod system {
    use std::fs::{self, File};
    use std::io::{self, ErrorKind};
    use std::path::Path;

    pub(super) fn open(path: &Path) -> io::Result<File> {
        if fs::symlink_metadata(path)?.is_file() {
            File::open(path)
        } else {
            Err(ErrorKind::InvalidInput.into())
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;
    use std::process::Command;

    use super::*;

    #[test]
    fn what_replaces_a_file_after_the_listing_is_not_opened() {
        let world = tempfile::tempdir().unwrap();
        let path = world.path().join("bot.toml");
        fs::write(&path, "commande = 'x'").unwrap();
        let folder = Folder::read(world.path()).unwrap();
        assert!(folder.text("bot.toml").unwrap().is_some());
        fs::remove_file(&path).unwrap();
        symlink("/etc/hostname", &path).unwrap();
        folder.text("bot.toml").unwrap_err();
        fs::remove_file(&path).unwrap();
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        folder.text("bot.toml").unwrap_err();
    }
}
