//! The lock that keeps a second program out of a course.

use std::fs::File;
use std::path::Path;
use std::time::Duration;

use crate::CourseError;
use crate::course::beside;

/// Number of attempts to take the lock. A program that starts another one may leave it a copy of the lock, until the new
/// program begins to run.
const LOCK_TRIES: u32 = 10;
/// The pause between two attempts.
const LOCK_PAUSE: Duration = Duration::from_millis(20);

/// Takes the right to open a course. The lock is a file of its own, which is never removed: otherwise two programs could
/// hold a lock.
pub(crate) fn lock(path: &Path) -> Result<File, CourseError> {
    let place = beside(path, ".verrou");
    let io = |source| CourseError::Io { path: place.clone(), source };
    let file = File::options().write(true).create(true).truncate(false).open(&place).map_err(io)?;
    for _ in 0..LOCK_TRIES {
        match fs4::FileExt::try_lock(&file) {
            Ok(()) => return Ok(file),
            Err(fs4::TryLockError::WouldBlock) => std::thread::sleep(LOCK_PAUSE),
            Err(fs4::TryLockError::Error(error)) => return Err(io(error)),
        }
    }
    Err(CourseError::Locked(path.to_owned()))
}
