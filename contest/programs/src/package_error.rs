//! Errors of packaging the files of a program.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use language::note;
use plan::Note;

use crate::sources::{DEPTH, FILES};

/// The reason why the files of a program cannot be copied.
#[derive(Debug)]
pub enum PackageError {
    /// A file cannot be read or written.
    Io(PathBuf, io::Error),
    /// A path is neither a regular file nor a folder.
    NoFile(PathBuf),
    /// A link leads out of the folder that it may not leave.
    Leaves {
        /// The link.
        link: PathBuf,
        /// The folder that it may not leave.
        outer: PathBuf,
        /// The end of the link.
        to: PathBuf,
    },
    /// A file is a hard link to the file of another user.
    Foreign(PathBuf),
    /// The limit on the number of files or bytes is exceeded at this path.
    TooMuch(PathBuf),
    /// The command names no files, so that the version of its program is unknown.
    Untold(String),
    /// The files received from another machine do not match this hash.
    Damaged(String),
}

impl PackageError {
    /// The reason in words.
    pub fn words(&self) -> Note {
        match self {
            Self::Io(path, error) => Note::same(shown(path)).because(&error.into()),
            Self::NoFile(path) => note!(
                "{path} is neither a file nor a folder",
                "{path} n'est ni un fichier ni un dossier",
                path = shown(path),
            ),
            Self::Leaves { link, outer, to } => note!(
                "{link} is a link that leads out of {outer}, to {to}, which may not be the team's: put a copy in its place, \
                 or remove it; if the link is yours, name the other path in the command",
                "{link} est un lien qui sort de {outer} : il mène à {to}, qui n'est peut-être pas à l'équipe. \
                 Remplacez-le par une copie, ou supprimez-le ; si vous l'avez créé, donnez l'autre chemin dans la \
                 commande",
                link = shown(link),
                outer = shown(outer),
                to = shown(to),
            ),
            Self::Foreign(path) => note!(
                "{path} is a hard link to a file of another user: put a copy in its place",
                "{path} est un lien physique vers le fichier d'un autre utilisateur : remplacez-le par une copie",
                path = shown(path),
            ),
            Self::TooMuch(path) => note!(
                "{path} has more than {FILES} files or folders, folders more than {DEPTH} deep, or more than 512 MiB: give \
                 the files to be read as `fichiers`",
                "{path} a plus de {FILES} fichiers ou dossiers, plus de {DEPTH} niveaux de dossiers, ou plus de 512 Mio : \
                 donnez les fichiers à lire par `fichiers`",
                path = shown(path),
            ),
            Self::Damaged(hash) => note!(
                "the package {hash} has come with other files than those of its hash",
                "le paquet {hash} est arrivé avec d'autres fichiers que ceux de son empreinte",
            ),
            Self::Untold(command) => note!(
                "`{command}` does not say which files the program has: give their folder as `dossier`, or a `version`, in a \
                 configuration; or name the file with its path",
                "`{command}` n'indique pas les fichiers du programme : donnez leur dossier par `dossier`, ou une \
                 `version`, dans une configuration ; ou nommez le fichier avec son chemin",
            ),
        }
    }
}

/// A path for people: a name that a team has given may contain anything.
fn shown(path: &Path) -> String {
    path.to_string_lossy().replace(char::is_control, "\u{fffd}")
}

impl fmt::Display for PackageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.words().fmt(f)
    }
}

impl std::error::Error for PackageError {}
