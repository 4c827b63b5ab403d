//! The lock that keeps a second program out of a course.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::CourseError;
use crate::course::{beside, create_private};

/// Number of attempts to take the lock. A program that starts another one may leave it a copy of the lock, until the new
/// program begins to run.
const LOCK_TRIES: u32 = 10;
/// The pause between two attempts.
const LOCK_PAUSE: Duration = Duration::from_millis(20);

/// Takes the right to open a course. Returns its path without links, so that all spellings have one lock. The lock is a
/// file of its own, which is never removed: otherwise two programs could hold a lock.
pub(crate) fn lock(path: &Path) -> Result<(PathBuf, File), CourseError> {
    let path = &canonical(path).map_err(CourseError::in_file(path))?;
    let place = beside(path, ".verrou");
    let io = CourseError::in_file(&place);
    let file = create_private(&place).map_err(io)?;
    for _ in 0..LOCK_TRIES {
        match fs4::FileExt::try_lock(&file) {
            Ok(()) => return Ok((path.clone(), file)),
            Err(fs4::TryLockError::WouldBlock) => std::thread::sleep(LOCK_PAUSE),
            Err(fs4::TryLockError::Error(error)) => return Err(io(error)),
        }
    }
    Err(CourseError::Locked(path.to_owned()))
}

/// The path without links of a file, which may not exist yet.
fn canonical(path: &Path) -> io::Result<PathBuf> {
    path.canonicalize().or_else(|error| {
        let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
            return Err(error);
        };
        Ok(Path::new(".").join(folder).canonicalize()?.join(name))
    })
}
