//! Errors of courses.

use std::io;
use std::path::{Path, PathBuf};

use language::{colon, said};
use rusqlite::ErrorCode;

use crate::schema;

/// The reason why something of a course cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum CourseError {
    /// The file exists already.
    #[error("{}", said!("{} is there already", "{} existe déjà", _0.display()))]
    Exists(PathBuf),
    /// The file does not exist.
    #[error("{}", said!(
        "there is no course in {}: no such file",
        "il n'y a pas de cours dans {} : ce fichier n'existe pas",
        _0.display()
    ))]
    Missing(PathBuf),
    /// The file is not the file of a course.
    #[error("{}", said!("{} is not the file of a course", "{} n'est pas le fichier d'un cours", _0.display()))]
    Foreign(PathBuf),
    /// The file was written by a later version of the program.
    #[error("{}", said!(
        "{} has the format {found}, this program knows formats up to {}",
        "{} a le format {found}, ce programme connaît les formats jusqu'à {}",
        path.display(), schema::version()
    ))]
    Version {
        /// The path of the file.
        path: PathBuf,
        /// The version of the file's format.
        found: i64,
    },
    /// Another program has opened the course.
    #[error("{}", said!(
        "another program is working on {}: while a course is open, use its page, or end it first with Ctrl-C",
        "un autre programme travaille sur {} : tant qu'un cours est ouvert, passez par sa page, ou arrêtez-le d'abord par Ctrl-C",
        _0.display()
    ))]
    Locked(PathBuf),
    /// The disk is full.
    #[error("{}", said!(
        "no room is left for {}: what was there is kept",
        "il n'y a plus de place pour {} : ce qui y était est gardé",
        _0.display()
    ))]
    Full(PathBuf),
    /// The content of the file is invalid.
    #[error("{}{}{what}", path.display(), colon())]
    Content {
        /// The path of the file.
        path: PathBuf,
        /// The error in the content.
        what: String,
    },
    /// A file or folder cannot be read or written.
    #[error("{}{}{source}", path.display(), colon())]
    Io {
        /// The path of the file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// An operation of the database failed.
    #[error("{}{}{source}", path.display(), colon())]
    Database {
        /// The path of the file.
        path: PathBuf,
        /// The cause.
        source: rusqlite::Error,
    },
    /// No random numbers are to be had.
    #[error("{}", said!("no random number can be drawn: {_0}", "aucun nombre ne peut être tiré : {_0}"))]
    Random(getrandom::Error),
    /// The request is refused. The course did not change.
    #[error(transparent)]
    Refused(#[from] Refusal),
}

impl CourseError {
    /// Makes an error of a file or folder one of the course.
    pub(crate) fn in_file(path: &Path) -> impl Fn(io::Error) -> Self + Copy {
        |source| match source.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::Full(path.into()),
            _ => Self::Io { path: path.into(), source },
        }
    }

    /// Makes an error of a database one of the course.
    pub(crate) fn in_database(path: &Path) -> impl Fn(rusqlite::Error) -> Self + Copy {
        use rusqlite::Error::{
            FromSqlConversionFailure, IntegralValueOutOfRange, InvalidColumnType,
        };
        |source| match (&source, source.sqlite_error_code()) {
            (
                FromSqlConversionFailure(..) | IntegralValueOutOfRange(..) | InvalidColumnType(..),
                _,
            ) => Self::Content { path: path.into(), what: source.to_string() },
            (_, Some(ErrorCode::DiskFull)) => Self::Full(path.into()),
            (_, Some(ErrorCode::NotADatabase)) => Self::Foreign(path.into()),
            _ => Self::Database { path: path.into(), source },
        }
    }
}

/// The reason why a course refuses a request.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// A name is empty, too long, or has characters that are not shown.
    #[error("{}", said!(
        "the name {_0:?} is not possible: 1 to 64 printable characters, without a semicolon",
        "le nom {_0:?} n'est pas possible : 1 à 64 caractères imprimables, sans point-virgule"
    ))]
    Name(String),
    /// Another team has this name or pseudonym; case does not count.
    #[error("{}", said!("the name {_0:?} is taken", "le nom {_0:?} est pris"))]
    Taken(String),
    /// There is no such team.
    #[error("{}", said!("there is no such team", "cette équipe n'existe pas"))]
    NoTeam,
    /// The team has no such version.
    #[error("{}", said!("there is no such version", "cette version n'existe pas"))]
    NoVersion,
    /// The version is not being checked.
    #[error("{}", said!("this version is not being checked", "cette version n'est pas en cours de vérification"))]
    NotChecking,
    /// The verdict, or what is told with a version, has too many bytes.
    #[error("{}", said!("the text has more than {_0} bytes", "le texte a plus de {_0} octets"))]
    TooLong(usize),
    /// The verdict is not JSON.
    #[error("{}", said!("the verdict is not JSON", "le verdict n'est pas du JSON"))]
    Verdict,
    /// The team has handed in too often.
    #[error("{}", said!(
        "{limit} versions were handed in within an hour; the next one is possible in {wait} s",
        "{limit} versions ont été déposées en une heure ; la prochaine est possible dans {wait} s"
    ))]
    TooOften {
        /// Maximum number of versions within an hour.
        limit: u32,
        /// Seconds until the next version is possible.
        wait: u64,
    },
    /// The team asks for more games of challenges than it may within a day; with the number that is left.
    #[error("{}", said!(
        "{_0} games of challenges are left for today",
        "il reste {_0} parties de défi pour aujourd'hui"
    ))]
    TooManyChallenges(u32),
    /// Two versions cannot be compared.
    #[error("{}", said!(
        "two different versions that are able to play, and whose files are kept, can be compared",
        "seules deux versions différentes, en état de jouer et dont les fichiers sont gardés, peuvent être comparées"
    ))]
    Comparison,
    /// The team asks for more comparisons than it may within a day; with their maximum.
    #[error("{}", said!(
        "{_0} comparisons a day are possible: ask again tomorrow",
        "{_0} comparaisons par jour sont possibles : redemandez demain"
    ))]
    TooManyComparisons(u32),
    /// The handed-in folder has something that is neither a file nor a folder.
    #[error("{}", said!(
        "{} is neither a file nor a folder",
        "{} n'est ni un fichier ni un dossier",
        _0.display()
    ))]
    NotAFile(PathBuf),
    /// The handed-in folder has no file.
    #[error("{}", said!("there is no file", "il n'y a aucun fichier"))]
    NoFiles,
    /// The course has ended.
    #[error("{}", said!("the course has ended", "le cours est terminé"))]
    Ended,
    /// There is no such invitation, or it was used as often as it may be.
    #[error("{}", said!(
        "this invitation is not valid any more",
        "cette invitation n'est pas valable, ou ne l'est plus"
    ))]
    Invitation,
    /// A game names a version or house level that does not exist, a version twice, or a place that is not 1 to 4.
    #[error("{}", said!("the game is not possible", "la partie n'est pas possible"))]
    Game,
    /// The time is before 1970 or too late.
    #[error("{}", said!("the time is not possible", "la date n'est pas possible"))]
    Time,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quota_is_a_full_disk() {
        for (kind, is_full) in [
            (io::ErrorKind::StorageFull, true),
            (io::ErrorKind::QuotaExceeded, true),
            (io::ErrorKind::PermissionDenied, false),
        ] {
            let error = CourseError::in_file(Path::new("x"))(kind.into());
            assert_eq!(matches!(error, CourseError::Full(_)), is_full, "{kind}");
        }
    }
}
