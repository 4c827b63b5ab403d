//! Copies of a course, made while it runs.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::Path;

use crate::course::{beside, create_private};
use crate::folder::Store;
use crate::{Course, CourseError};

impl Course {
    /// Copies the course, as it is now, to a new file and the folder beside it. The copy is a course, which
    /// [`open`](Self::open) opens. The file appears last: a copy with a file is complete and durable. The course waits
    /// meanwhile; the cost is that of reading and writing all of it.
    ///
    /// # Errors
    ///
    /// [`CourseError::Exists`] if there is a file at the path; else, when the course cannot be read, or the copy cannot
    /// be written.
    pub fn copy_to(&self, path: &Path) -> Result<(), CourseError> {
        let io = |source| CourseError::Io { path: path.to_owned(), source };
        if path.exists() {
            return Err(CourseError::Exists(path.to_owned()));
        }
        let to = Store::beside(path);
        to.sweep(&BTreeSet::new())?;
        for content in self.contents()? {
            self.store.copy(content, &to)?;
        }
        let half = beside(path, ".part");
        if half.exists() {
            fs::remove_file(&half).map_err(io)?;
        }
        // SQLite fills an empty file.
        create_private(&half).map_err(io)?;
        let name = half.to_str().ok_or_else(|| io(std::io::ErrorKind::InvalidFilename.into()))?;
        self.sql(self.db.execute("VACUUM INTO ?", [name]))?;
        let finish = || {
            File::open(&half)?.sync_all()?;
            fs::rename(&half, path)?;
            path.parent().map_or(Ok(()), crate::folder::sync_folder)
        };
        finish().map_err(io)
    }
}
