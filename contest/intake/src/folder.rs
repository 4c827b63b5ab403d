//! The folder in which what runs is looked for.

use std::ffi::OsStr;
use std::fs::{self, File};
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
        File::open(self.path.join(name))?.take(most).read_to_end(&mut start)?;
        Ok(start)
    }
}

/// Tests if a path can be a word of a command: programs would take a dash for a flag, and tournaments take braces for a
/// placeholder and copy what a part of a word names.
pub(crate) fn is_plain(path: &str) -> bool {
    !path.starts_with('-') && !path.contains(['{', '}']) && stays_inside(path)
}
