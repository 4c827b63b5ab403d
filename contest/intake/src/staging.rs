//! The fresh folder that the files of an upload are written to.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::format::is_program;
use crate::left_out::Counts;
use crate::names;
use crate::tree::Tree;
use crate::{ArchiveFault, EntryFault, Limits, Quoted, Refusal, Unpacked};

/// Prefix of the names of unfinished folders.
const PREFIX: &str = ".intake-";
const BUFFER: usize = 1 << 16;
/// Bits of a mode that give a file the rights of its owner or group.
const SETUID: u32 = 0o6000;
const EXECUTABLE: u32 = 0o111;

/// The kind of an entry of an archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    File,
    Folder,
    Link,
    Sparse,
    Special,
}

/// A file that may be written.
#[derive(Debug)]
pub(crate) struct Place {
    path: Vec<String>,
    is_executable: bool,
    pub(crate) name: Quoted,
}

impl Place {
    /// The refusal of this file.
    pub(crate) fn refuse(&self, fault: impl Into<EntryFault>) -> Refusal {
        Refusal::Entry(self.name.clone(), fault.into())
    }
}

/// A fresh folder with the files that were written so far; dropped, it removes itself.
pub(crate) struct Staging<'a> {
    folder: TempDir,
    pub(crate) limits: &'a Limits,
    tree: Tree,
    left_out: Counts,
    bytes: u64,
    buffer: Vec<u8>,
}

impl<'a> Staging<'a> {
    /// Creates a fresh folder in this one.
    pub(crate) fn new(parent: &Path, limits: &'a Limits) -> Result<Self, Refusal> {
        Ok(Self {
            folder: fresh(parent).map_err(Refusal::Disk)?,
            limits,
            tree: Tree::default(),
            left_out: Counts::default(),
            bytes: 0,
            buffer: vec![0; BUFFER],
        })
    }

    #[cfg(test)]
    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Checks the description of an entry; `None` if nothing has to be written for it. Folders are only made for files.
    pub(crate) fn admit(
        &mut self,
        raw_name: &[u8],
        kind: Kind,
        mode: u32,
    ) -> Result<Option<Place>, Refusal> {
        let quoted = Quoted::new(raw_name);
        let refuse = |fault| Refusal::Entry(quoted.clone(), fault);
        let name = names::split(raw_name).map_err(|fault| refuse(fault.into()))?;
        if self.left_out.take(&name.parts) {
            return Ok(None);
        }
        match kind {
            Kind::File if mode & SETUID != 0 => return Err(refuse(EntryFault::Setuid)),
            Kind::File | Kind::Folder => {}
            Kind::Link => return Err(refuse(EntryFault::Link)),
            Kind::Sparse => return Err(refuse(EntryFault::Sparse)),
            Kind::Special => return Err(refuse(EntryFault::Special)),
        }
        names::check(&name, self.limits).map_err(|fault| refuse(fault.into()))?;
        let is_file = kind == Kind::File && !name.is_folder;
        self.tree.add(&name.parts, is_file).map_err(refuse)?;
        if self.tree.files.max(self.tree.folders) > self.limits.files {
            return Err(ArchiveFault::TooManyFiles(quoted, self.limits.files).into());
        }
        let is_executable = mode & EXECUTABLE != 0;
        Ok(is_file.then_some(Place { path: name.parts, is_executable, name: quoted }))
    }

    /// Writes a file of `declared` bytes; `broken` tells what an error of its content means.
    ///
    /// Files that would be larger than the limit together are refused before a byte of the last one is written, and none
    /// gets more bytes than declared.
    pub(crate) fn write(
        &mut self,
        place: &Place,
        declared: u64,
        mut content: impl Read,
        broken: impl Fn(io::Error) -> Refusal,
    ) -> Result<(), Refusal> {
        let limit = self.limits.unpacked;
        if declared > limit - self.bytes {
            return Err(ArchiveFault::TooManyBytes(Some(place.name.clone()), limit).into());
        }
        let mut file = create(self.folder.path(), place)?;
        let (mut length, mut start) = (0, Vec::new());
        loop {
            let read = match content.read(&mut self.buffer) {
                Ok(0) => break,
                Ok(read) => &self.buffer[..read],
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(broken(error)),
            };
            length += read.len() as u64;
            if length > declared {
                return Err(place.refuse(EntryFault::Size));
            }
            start.extend(read.iter().take(4 - start.len().min(4)));
            file.write_all(read).map_err(Refusal::Disk)?;
        }
        if length < declared {
            return Err(broken(ErrorKind::UnexpectedEof.into()));
        }
        self.bytes += length;
        let mode = if place.is_executable || is_program(&start) { 0o755 } else { 0o644 };
        system::set_file_mode(&file, mode).map_err(Refusal::Disk)
    }

    /// Removes a folder around everything, and hands the files over.
    pub(crate) fn finish(self) -> Result<Unpacked, Refusal> {
        let left_out = self.left_out.into_list();
        if self.tree.files == 0 {
            return Err(ArchiveFault::NoFiles(left_out).into());
        }
        let folder = match self.tree.wrapper() {
            Some(wrapper) => unwrapped(&self.folder, wrapper).map_err(Refusal::Disk)?,
            None => self.folder,
        };
        Ok(Unpacked { folder, files: self.tree.files, bytes: self.bytes, left_out })
    }
}

/// Moves what is in the folder `wrapper` to a fresh folder.
fn unwrapped(staged: &TempDir, wrapper: &str) -> io::Result<TempDir> {
    let parent = staged.path().parent().unwrap_or(Path::new("."));
    let folder = fresh(parent)?;
    for entry in fs::read_dir(staged.path().join(wrapper))? {
        let entry = entry?;
        fs::rename(entry.path(), folder.path().join(entry.file_name()))?;
    }
    Ok(folder)
}

fn fresh(parent: &Path) -> io::Result<TempDir> {
    let folder = tempfile::Builder::new().prefix(PREFIX).tempdir_in(parent)?;
    system::set_folder_mode(folder.path())?;
    Ok(folder)
}

/// Creates a file that was not there, and its folders.
fn create(root: &Path, place: &Place) -> Result<File, Refusal> {
    let path = place.path.iter().fold(root.to_owned(), |path, part| path.join(part));
    let created = match File::create_new(&path) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            create_folders(root, place).and_then(|()| File::create_new(&path))
        }
        created => created,
    };
    created.map_err(|error| match error.kind() {
        // The file system takes two spellings for the same name.
        ErrorKind::AlreadyExists => place.refuse(EntryFault::Twice),
        _ => Refusal::Disk(error),
    })
}

fn create_folders(root: &Path, place: &Place) -> io::Result<()> {
    let mut path = PathBuf::from(root);
    let last = place.path.len().saturating_sub(1);
    for folder in &place.path[..last] {
        path.push(folder);
        match fs::create_dir(&path) {
            // The folder of an earlier file.
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            created => created.and_then(|()| system::set_folder_mode(&path))?,
        }
    }
    Ok(())
}

#[cfg(unix)]
mod system {
    use std::fs::{self, File, Permissions};
    use std::io;
    use std::os::unix::fs::PermissionsExt;
    use std::path::Path;

    pub(super) fn set_file_mode(file: &File, mode: u32) -> io::Result<()> {
        file.set_permissions(Permissions::from_mode(mode))
    }

    /// Explicit modes override the umask: programs run as another user.
    pub(super) fn set_folder_mode(folder: &Path) -> io::Result<()> {
        fs::set_permissions(folder, Permissions::from_mode(0o755))
    }
}

#[cfg(not(unix))]
mod system {
    use std::fs::File;
    use std::io;
    use std::path::Path;

    #[allow(clippy::unnecessary_wraps, reason = "other systems can fail")]
    pub(super) fn set_file_mode(_: &File, _: u32) -> io::Result<()> {
        Ok(())
    }

    #[allow(clippy::unnecessary_wraps, reason = "other systems can fail")]
    pub(super) fn set_folder_mode(_: &Path) -> io::Result<()> {
        Ok(())
    }
}
