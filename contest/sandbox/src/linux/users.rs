//! The users whose rights programs have.
//!
//! The kernel counts many things for each user: descriptors in flight on UNIX sockets, epoll watches, inotify
//! instances, pending signals, pages of pipes. Programs of one user could therefore use up the limits of each other.
//! An organiser that is root gives each running program a user of its own, as `isolate` of the IOI gives one to each box.

use std::fs::{self, DirBuilder, File};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::Path;

use language::{Note, said};
use nix::unistd::{Gid, Group, Uid, User as Account};
use rustix::fs::{FlockOperation, OFlags, flock};
use rustix::io::Errno;

use crate::gap::{Gap, Protection};
use crate::linux::privileges;

/// First user of programs. Neither systemd nor Debian's `adduser` assigns the numbers up to `LAST`, and they are below
/// 65 536, so that containers with a user namespace of the usual size have them.
const FIRST: u32 = 60_578;
const LAST: u32 = 61_183;
/// The user of all programs if the organiser is root, but users of their own are missing: `nobody`.
const NOBODY: u32 = 65_534;
/// A folder with a file for each user that has been used. A lock on the file reserves the user.
const LOCKS: &str = "/run/pacman-iuto-users";

/// The source of the users that programs run as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Users {
    /// Each running program has a user of its own.
    Own,
    /// All are `nobody`.
    Nobody,
    /// All have the user of the organiser.
    Organiser,
}

/// The user of one program; reserved as long as this value, or a copy of its lock in another process, exists.
#[derive(Debug, Default)]
pub(crate) struct User {
    /// The number of the user and of its group; `None` is the user of the organiser.
    pub number: Option<u32>,
    /// The lock of a user that no other program has.
    pub lock: Option<File>,
}

impl Users {
    /// Finds out which users this process can give to programs, and why programs have no users of their own, if so.
    pub(crate) fn find() -> (Self, Option<Gap>) {
        let gap = |users, why| (users, Some(Gap { protection: Protection::OwnUser, why }));
        if !rustix::process::geteuid().is_root() {
            let why =
                Note::new("only root can give users", "seul root peut donner des utilisateurs");
            return gap(Self::Organiser, why);
        }
        if !privileges::knows(NOBODY) {
            let why = Note::new("root is the only user here", "root est le seul utilisateur ici");
            return gap(Self::Organiser, why);
        }
        if ![FIRST, LAST].into_iter().all(privileges::knows) {
            let why = Note::new(
                format!("there are no users {FIRST} to {LAST} here"),
                format!("il n'y a pas d'utilisateurs {FIRST} à {LAST} ici"),
            );
            return gap(Self::Nobody, why);
        }
        match make_folder() {
            Ok(()) => (Self::Own, None),
            Err(error) => gap(Self::Nobody, Note::same(LOCKS).because(&(&error).into())),
        }
    }

    /// The user of the next program.
    ///
    /// # Errors
    ///
    /// If all users are in use, or their locks cannot be opened.
    pub(crate) fn take(self) -> io::Result<User> {
        match self {
            Self::Own => reserve(),
            Self::Nobody => Ok(User { number: Some(NOBODY), lock: None }),
            Self::Organiser => Ok(User::default()),
        }
    }
}

/// Reserves a user that no other program has, whichever organiser of this machine started it. Organisers in different
/// containers do not see each other's locks, so that each search starts at random.
fn reserve() -> io::Result<User> {
    let count = LAST - FIRST + 1;
    // The remainder is less than `count`.
    let start = (RandomState::new().hash_one(0) % u64::from(count)) as u32;
    for number in (start..count).chain(0..start).map(|offset| FIRST + offset) {
        if is_somebody(number)? {
            continue;
        }
        let lock = File::options()
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .custom_flags(OFlags::NOFOLLOW.bits().cast_signed())
            .open(Path::new(LOCKS).join(number.to_string()))?;
        match flock(&lock, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => return Ok(User { number: Some(number), lock: Some(lock) }),
            Err(Errno::WOULDBLOCK) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Err(io::Error::other(said!(
        "all users from {FIRST} to {LAST} are in use",
        "tous les utilisateurs de {FIRST} à {LAST} sont pris"
    )))
}

/// Tests if this machine has an account or a group of this number.
fn is_somebody(number: u32) -> io::Result<bool> {
    Ok(Account::from_uid(Uid::from_raw(number))?.is_some()
        || Group::from_gid(Gid::from_raw(number))?.is_some())
}

/// Makes the folder of the locks, which only root may change.
fn make_folder() -> io::Result<()> {
    match DirBuilder::new().mode(0o700).create(LOCKS) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    let found = fs::symlink_metadata(LOCKS)?;
    if found.is_dir() && found.uid() == 0 && found.mode() & 0o022 == 0 {
        Ok(())
    } else {
        Err(ErrorKind::PermissionDenied.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_programs_have_one_user_at_a_time() {
        let (users @ Users::Own, _) = Users::find() else { return };
        let taken: Vec<_> = (0..40).map(|_| users.take().expect("a user is free")).collect();
        let mut numbers: Vec<_> = taken.iter().filter_map(|user| user.number).collect();
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(numbers.len(), taken.len());
        assert!(numbers.iter().all(|number| (FIRST..=LAST).contains(number)));
    }
}
