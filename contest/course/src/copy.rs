//! Copies of a course, made while it runs.

use std::fs::{self, File};
use std::path::Path;

use rusqlite::Connection;

use crate::course::{beside, create_private};
use crate::folder::Store;
use crate::hand_in::{contents, forget};
use crate::{CourseError, CourseReader, VersionId};

impl CourseReader {
    /// Copies the course, as it is now, to a new file and the folder beside it. The copy is a course, which
    /// [`Course::open`](crate::Course::open) opens. The file appears last: a copy with a file is complete and durable.
    /// After an error, nothing of the copy is left; after a kill, its folder is, and the path is not used again before
    /// somebody removes it. The cost is that of reading and writing all of it; a copy from a
    /// reader keeps no writer waiting.
    ///
    /// The file is of one moment. The folders are copied after it: a version that loses its files meanwhile, to make room
    /// for newer ones, has none in the copy. Returns the versions whose files are missing or were changed: these have no
    /// files in the copy either, and the rest is copied.
    ///
    /// # Errors
    ///
    /// [`CourseError::Exists`] if there is a file at the path, or something in the folder beside it; else, when the course
    /// cannot be read, or the copy cannot be written.
    pub fn copy_to(&self, path: &Path) -> Result<Vec<VersionId>, CourseError> {
        let to = Store::beside(path);
        let is_used = fs::read_dir(to.root()).is_ok_and(|mut found| found.next().is_some());
        for (place, is_there) in [(path, path.exists()), (to.root(), is_used)] {
            if is_there {
                return Err(CourseError::Exists(place.to_owned()));
            }
        }
        to.create()?;
        let half = beside(path, ".part");
        let copied = self.copy_parts(&half, &to).and_then(|damaged| {
            let finish = || {
                File::open(&half)?.sync_all()?;
                fs::rename(&half, path)?;
                path.parent().map_or(Ok(()), crate::folder::sync_folder)
            };
            finish().map_err(CourseError::in_file(path))?;
            Ok(damaged)
        });
        if copied.is_err() {
            let _ = fs::remove_file(&half);
            let _ = fs::remove_dir_all(to.root());
        }
        copied
    }

    fn copy_parts(&self, half: &Path, to: &Store) -> Result<Vec<VersionId>, CourseError> {
        let io = CourseError::in_file(half);
        if half.exists() {
            fs::remove_file(half).map_err(io)?;
        }
        // SQLite fills an empty file.
        create_private(half).map_err(io)?;
        let name = half.to_str().ok_or_else(|| io(std::io::ErrorKind::InvalidFilename.into()))?;
        self.sql(self.db.execute("VACUUM INTO ?", [name]))?;
        let of_copy = CourseError::in_database(half);
        let copy = Connection::open(half).map_err(of_copy)?;
        let mut damaged = Vec::new();
        for content in contents(&copy).map_err(of_copy)? {
            if let Err(error) = self.store.copy(content, to) {
                if self.store.is_whole(content) {
                    return Err(error);
                }
                for version in forget(&copy, content).map_err(of_copy)? {
                    damaged.extend(self.version(version)?.has_files.then_some(version));
                }
            }
        }
        damaged.sort_unstable();
        copy.close().map_err(|(_, source)| of_copy(source))?;
        Ok(damaged)
    }
}
