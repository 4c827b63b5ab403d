//! A folder that is ready to be handed in.

use std::fs;
use std::path::PathBuf;

use crate::folder::seal;
use crate::{Content, CourseError};

/// A finished folder whose files are hashed and on the disk, so that [`hand_in`](crate::Course::hand_in) only renames it.
///
/// It owns the folder: unless a course takes the folder, it is removed when this is dropped, such as after a refusal.
#[derive(Debug)]
pub struct Sealed {
    pub(crate) folder: PathBuf,
    content: Content,
}

impl Sealed {
    /// Hashes the files of a folder, and writes files and folders to the disk. This needs no course, whose other work goes
    /// on meanwhile. Nobody else may change the folder from now on. The cost is that of reading all files.
    ///
    /// # Errors
    ///
    /// [`Refusal::NotAFile`](crate::Refusal::NotAFile) or [`Refusal::NoFiles`](crate::Refusal::NoFiles); else, when the
    /// files cannot be read or written. The folder is removed.
    pub fn of(folder: PathBuf) -> Result<Self, CourseError> {
        let mut sealed = Self { folder, content: Content([0; 32]) };
        sealed.content = seal(&sealed.folder)?;
        Ok(sealed)
    }

    /// The hash of the files.
    pub fn content(&self) -> Content {
        self.content
    }
}

impl Drop for Sealed {
    fn drop(&mut self) {
        // The path is empty once the folder is taken.
        if !self.folder.as_os_str().is_empty() {
            let _ = fs::remove_dir_all(&self.folder);
        }
    }
}
