//! Errors of files of results.

use std::io;
use std::path::PathBuf;

use language::{colon, said};

use super::schema;

/// The reason why a file of results cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The file exists already.
    #[error("{}", said!(
        "{path} is there already: `{tournoi} resume {path}` goes on with it; or choose another --results",
        "{path} existe déjà : `{tournoi} reprendre {path}` le continue ; ou choisissez un autre --base",
        path = _0.display(), tournoi = cli::command("tournoi")
    ))]
    Exists(PathBuf),
    /// The file does not exist.
    #[error("{}", said!(
        "there is no tournament in {}: no such file",
        "il n'y a pas de tournoi dans {} : ce fichier n'existe pas",
        _0.display()
    ))]
    Missing(PathBuf),
    /// The file is not the file of a tournament.
    #[error("{}", said!(
        "{} is not the file of a tournament",
        "{} n'est pas le fichier d'un tournoi",
        _0.display()
    ))]
    Foreign(PathBuf),
    /// The file has another version of the format.
    #[error("{}", said!(
        "{} has the format {found}, expected {}",
        "{} a le format {found}, {} est attendu",
        path.display(), schema::VERSION
    ))]
    Version {
        /// The path of the file.
        path: PathBuf,
        /// The version of the file's format.
        found: i64,
    },
    /// Another program writes to the file.
    #[error("{}", said!(
        "another `tournoi` is working on {}",
        "un autre `tournoi` travaille sur {}",
        _0.display()
    ))]
    Locked(PathBuf),
    /// The disk is full.
    #[error("{}", said!(
        "no room is left for {path}: what was played is kept, and `{tournoi} resume {path}` goes on once \
         there is room",
        "il n'y a plus de place pour {path} : ce qui est joué est gardé, et `{tournoi} reprendre {path}` \
         continuera quand il y en aura",
        path = _0.display(), tournoi = cli::command("tournoi")
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
    /// The file cannot be opened, locked or created.
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
}
