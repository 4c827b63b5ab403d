//! Errors of files of results.

use std::fmt;
use std::io;
use std::path::PathBuf;

use language::{colon, said};

use super::schema;

/// The reason why a file of results cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The file exists already.
    Exists(PathBuf),
    /// The file does not exist.
    Missing(PathBuf),
    /// The file is not the file of a tournament.
    Foreign(PathBuf),
    /// The file has another version of the format.
    Version {
        /// The path of the file.
        path: PathBuf,
        /// The version of the file's format.
        found: i64,
    },
    /// Another program writes to the file.
    Locked(PathBuf),
    /// The disk is full.
    Full(PathBuf),
    /// The content of the file is invalid.
    Content {
        /// The path of the file.
        path: PathBuf,
        /// The error in the content.
        what: String,
    },
    /// The file cannot be opened, locked or created.
    Io {
        /// The path of the file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// An operation of the database failed.
    Database {
        /// The path of the file.
        path: PathBuf,
        /// The cause.
        source: rusqlite::Error,
    },
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Exists(path)
        | Self::Missing(path)
        | Self::Foreign(path)
        | Self::Version { path, .. }
        | Self::Locked(path)
        | Self::Full(path)
        | Self::Content { path, .. }
        | Self::Io { path, .. }
        | Self::Database { path, .. }) = self;
        let path = path.display();
        f.write_str(&match self {
            Self::Exists(_) => said!(
                "{path} is there already: `{tournoi} reprendre {path}` goes on with it; or choose another --base",
                "{path} existe déjà : `{tournoi} reprendre {path}` le continue ; ou choisissez un autre --base",
                tournoi = cli::command("tournoi")
            ),
            Self::Missing(_) => said!(
                "there is no tournament in {path}: no such file",
                "il n'y a pas de tournoi dans {path} : ce fichier n'existe pas"
            ),
            Self::Foreign(_) => said!(
                "{path} is not the file of a tournament",
                "{path} n'est pas le fichier d'un tournoi"
            ),
            Self::Version { found, .. } => said!(
                "{path} has the format {found}, expected {}",
                "{path} a le format {found}, {} est attendu",
                schema::VERSION
            ),
            Self::Locked(_) => said!(
                "another `tournoi` is working on {path}",
                "un autre `tournoi` travaille sur {path}"
            ),
            Self::Full(_) => said!(
                "no room is left for {path}: what was played is kept, and `{tournoi} reprendre {path}` goes on once \
                 there is room",
                "il n'y a plus de place pour {path} : ce qui est joué est gardé, et `{tournoi} reprendre {path}` \
                 continuera quand il y en aura",
                tournoi = cli::command("tournoi")
            ),
            Self::Content { what, .. } => format!("{path}{}{what}", colon()),
            Self::Io { source, .. } => format!("{path}{}{source}", colon()),
            Self::Database { source, .. } => format!("{path}{}{source}", colon()),
        })
    }
}
