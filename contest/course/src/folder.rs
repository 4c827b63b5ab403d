//! The folder with the files of versions: one folder for each content, named by its hash.
//!
//! A folder appears and disappears by one renaming, so it is whole or not there. What is unfinished lies in `incoming`,
//! which is emptied when the course is opened.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use language::said;
use plan::tree_hash::{TreeHash, hex};
use sha2::{Digest, Sha256};

use crate::course::beside;
use crate::{CourseError, Refusal, Sealed};

/// The hash of the names, contents and executable flags of the files of a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Content(pub(crate) [u8; 32]);

impl std::fmt::Display for Content {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(&hex(&self.0))
    }
}

/// The folder with the files of versions.
#[derive(Clone, Debug)]
pub(crate) struct Store {
    root: PathBuf,
}

impl Store {
    pub(crate) fn beside(course: &Path) -> Self {
        Self { root: beside(course, ".versions") }
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// The folder for what is unfinished.
    pub(crate) fn incoming(&self) -> PathBuf {
        self.root.join("incoming")
    }

    /// The folder of a content.
    pub(crate) fn path(&self, content: Content) -> PathBuf {
        self.root.join(content.to_string())
    }

    /// Moves a folder to the place of its content, durably. If the content is there already, the folder is removed.
    pub(crate) fn take(&self, mut sealed: Sealed) -> Result<Content, CourseError> {
        let content = sealed.content();
        let place = self.path(content);
        if !self.has(content) {
            fs::rename(&sealed.folder, &place).map_err(CourseError::in_file(&place))?;
            sealed.folder = PathBuf::new();
        }
        // The folder may be there from a program that was killed before it was durable.
        system::sync_folder(&self.root).map_err(CourseError::in_file(&self.root))?;
        Ok(content)
    }

    /// Removes the folder of a content. A failure leaves it to [`sweep`](Self::sweep).
    pub(crate) fn remove(&self, content: Content) {
        let doomed = self.incoming().join(format!("removed-{content}"));
        if fs::rename(self.path(content), &doomed).is_ok() {
            let _ = fs::remove_dir_all(doomed);
        }
    }

    /// Makes the folder. Nobody else may list it, but who knows the hash of a version may run it: programs may run as
    /// another user.
    pub(crate) fn create(&self) -> Result<(), CourseError> {
        let incoming = self.incoming();
        // A folder from elsewhere may lead to other places.
        for path in [&self.root, &incoming] {
            if path.is_symlink() {
                return Err(Refusal::NotAFile(path.clone()).into());
            }
        }
        // The folder of the course's file is there: what the user mistyped is not made.
        let make = |path: &PathBuf| match fs::create_dir(path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            made => made,
        };
        let created = make(&self.root).and_then(|()| make(&incoming)).and_then(|()| {
            system::set_mode(&self.root, 0o711)?;
            system::set_mode(&incoming, 0o700)
        });
        created.map_err(CourseError::in_file(&self.root))
    }

    /// Makes the folder, and removes everything but the folders of these contents. Returns what cannot be removed.
    pub(crate) fn sweep(&self, kept: &BTreeSet<Content>) -> Result<Vec<PathBuf>, CourseError> {
        self.create()?;
        let names: BTreeSet<String> = kept.iter().map(ToString::to_string).collect();
        let is_content =
            |name: &str| name.len() == 64 && name.bytes().all(|b| b.is_ascii_hexdigit());
        let sweep = || {
            let mut leftovers = Vec::new();
            for folder in [&self.incoming(), &self.root] {
                for entry in fs::read_dir(folder)? {
                    let entry = entry?;
                    let name = entry.file_name();
                    let name = name.to_str().unwrap_or_default();
                    let is_needless = is_content(name) && !names.contains(name);
                    let is_doomed = *folder != self.root || entry.file_type()?.is_symlink();
                    if (is_doomed || is_needless) && remove(&entry.path()).is_err() {
                        leftovers.push(entry.path());
                    }
                }
            }
            system::sync_folder(&self.root)?;
            Ok(leftovers)
        };
        sweep().map_err(CourseError::in_file(&self.root))
    }

    /// Tests if the folder of a content is there.
    pub(crate) fn has(&self, content: Content) -> bool {
        fs::symlink_metadata(self.path(content)).is_ok_and(|found| found.is_dir())
    }

    /// Tests if the folder of a content has exactly its files.
    pub(crate) fn is_whole(&self, content: Content) -> bool {
        tree(&self.path(content)).and_then(|files| hash(&files)).is_ok_and(|found| found == content)
    }

    /// Copies the folder of a content to another store, durably.
    pub(crate) fn copy(&self, content: Content, to: &Self) -> Result<(), CourseError> {
        let (from, half) = (self.path(content), to.incoming().join(content.to_string()));
        for (name, path) in tree(&from)? {
            let copy = half.join(name);
            let copied = copy.parent().map_or(Ok(()), fs::create_dir_all);
            copied.and_then(|()| fs::copy(&path, &copy)).map_err(CourseError::in_file(&path))?;
        }
        let sealed = Sealed::of(half)?;
        if sealed.content() == content {
            return to.take(sealed).map(|_| ());
        }
        let what = said!("its files were changed", "ses fichiers ont été modifiés");
        Err(CourseError::Content { path: from, what })
    }
}

fn remove(path: &Path) -> io::Result<()> {
    // Does not follow links.
    if fs::symlink_metadata(path)?.is_dir() {
        fs::remove_dir_all(path)
    } else {
        fs::remove_file(path)
    }
}

/// The files below a folder, by their names in it.
fn tree(root: &Path) -> Result<BTreeMap<PathBuf, PathBuf>, CourseError> {
    let mut found = BTreeMap::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(folder) = folders.pop() {
        let path = root.join(&folder);
        for entry in fs::read_dir(&path).map_err(CourseError::in_file(&path))? {
            let entry = entry.map_err(CourseError::in_file(&path))?;
            let name = folder.join(entry.file_name());
            let kind = entry.file_type().map_err(CourseError::in_file(&path))?;
            if kind.is_dir() {
                folders.push(name);
            } else if kind.is_file() {
                found.insert(name, entry.path());
            } else {
                return Err(Refusal::NotAFile(name).into());
            }
        }
    }
    Ok(found)
}

/// Hashes the files of a folder, and writes files and folders to the disk.
pub(crate) fn seal(root: &Path) -> Result<Content, CourseError> {
    let files = tree(root)?;
    if files.is_empty() {
        return Err(Refusal::NoFiles.into());
    }
    let content = hash(&files)?;
    let mut folders = BTreeSet::from([root.to_owned()]);
    for path in files.values() {
        let sync = || File::open(path)?.sync_all();
        sync().map_err(CourseError::in_file(path))?;
        let above = path.ancestors().skip(1).take_while(|above| above.starts_with(root));
        folders.extend(above.map(Path::to_owned));
    }
    // Inner folders come after outer ones in this order.
    for folder in folders.iter().rev() {
        system::sync_folder(folder).map_err(CourseError::in_file(folder))?;
    }
    Ok(content)
}

/// Hashes files, given by their names and paths.
fn hash(files: &BTreeMap<PathBuf, PathBuf>) -> Result<Content, CourseError> {
    let mut hash = TreeHash::new();
    for (name, path) in files {
        let mut add = || {
            let mut file = File::open(path)?;
            let mut content = Sha256::new();
            io::copy(&mut file, &mut Hashing(&mut content))?;
            let is_executable = system::is_executable(&file.metadata()?);
            hash.add(name, is_executable, &content.finalize().into());
            Ok(())
        };
        add().map_err(CourseError::in_file(path))?;
    }
    Ok(Content(hash.finish()))
}

/// Hashes the bytes written.
struct Hashing<'a>(&'a mut Sha256);

impl io::Write for Hashing<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Makes the names in a folder durable.
pub(crate) fn sync_folder(path: &Path) -> io::Result<()> {
    // The parent of a bare name.
    system::sync_folder(if path.as_os_str().is_empty() { Path::new(".") } else { path })
}

pub(crate) use system::set_mode;

#[cfg(unix)]
mod system {
    use std::fs::{self, File, Metadata, Permissions};
    use std::io;
    use std::os::unix::fs::PermissionsExt;
    use std::path::Path;

    pub(super) fn sync_folder(path: &Path) -> io::Result<()> {
        File::open(path)?.sync_all()
    }

    pub(crate) fn set_mode(path: &Path, mode: u32) -> io::Result<()> {
        fs::set_permissions(path, Permissions::from_mode(mode))
    }

    pub(super) fn is_executable(file: &Metadata) -> bool {
        file.permissions().mode() & 0o111 != 0
    }
}

/// Other systems have no modes of files, and a folder cannot be opened as a file there.
#[cfg(not(unix))]
mod system {
    use std::fs::Metadata;
    use std::io;
    use std::path::Path;

    #[expect(clippy::unnecessary_wraps, reason = "as on other systems")]
    pub(super) fn sync_folder(_: &Path) -> io::Result<()> {
        Ok(())
    }

    #[expect(clippy::unnecessary_wraps, reason = "as on other systems")]
    pub(crate) fn set_mode(_: &Path, _: u32) -> io::Result<()> {
        Ok(())
    }

    pub(super) fn is_executable(_: &Metadata) -> bool {
        false
    }
}
