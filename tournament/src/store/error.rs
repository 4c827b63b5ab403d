//! Why a file of results cannot be used.

use std::io;
use std::path::PathBuf;

use super::schema;

/// Why a file of results cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// There is one already.
    #[error(
        "{0} is there already: `tournoi reprendre {0}` goes on with it; or choose another --base"
    )]
    Exists(PathBuf),
    /// There is none.
    #[error("there is no tournament in {0}: no such file")]
    Missing(PathBuf),
    /// It is something else.
    #[error("{0} is not the file of a tournament")]
    Foreign(PathBuf),
    /// It was written by a later version.
    #[error("{path} has the format {found}, expected at most {}", schema::VERSION)]
    Version {
        /// Which file.
        path: PathBuf,
        /// The version of its format.
        found: i64,
    },
    /// Another program writes to it.
    #[error("another `tournoi` is working on {0}")]
    Locked(PathBuf),
    /// The disk is full.
    #[error(
        "no room is left for {0}: what was played is kept, and `tournoi reprendre {0}` goes on once there is room"
    )]
    Full(PathBuf),
    /// What is in it makes no sense.
    #[error("{path}: {what}")]
    Content {
        /// Which file.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// It cannot be opened, locked or made.
    #[error("{path}: {source}")]
    Io {
        /// Which file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The database does not do what it was asked for.
    #[error("{path}: {source}")]
    Database {
        /// Which file.
        path: PathBuf,
        /// Why.
        source: rusqlite::Error,
    },
}
