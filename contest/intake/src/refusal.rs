//! Refused uploads.

use std::fmt;
use std::io;

use language::{Note, note};

use crate::{ArchiveFault, EntryFault, LaunchFault, Quoted};

/// The reason of a refusal: the mistake, its place, and the expected content. Unprintable characters are not quoted.
#[derive(Debug)]
pub enum Refusal {
    /// The upload as a whole.
    Archive(ArchiveFault),
    /// An entry of the archive, or the file that was handed in by itself.
    Entry(Quoted, EntryFault),
    /// No file tells which program to run.
    Launch(LaunchFault),
    /// This machine could not read the upload or write its files; the upload is not at fault.
    Disk(io::Error),
}

impl Refusal {
    /// The reason in words.
    pub fn words(&self) -> Note {
        match self {
            Self::Archive(fault) => fault.words(),
            Self::Entry(name, fault) => Note::same(format!("`{name}`")).because(&fault.words()),
            Self::Launch(fault) => fault.words(),
            Self::Disk(error) => note!(
                "the server could not store the files",
                "le serveur n'a pas pu enregistrer les fichiers",
            )
            .because(&error.into()),
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.words().fmt(f)
    }
}

impl std::error::Error for Refusal {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Disk(error) => Some(error),
            _ => None,
        }
    }
}

impl From<ArchiveFault> for Refusal {
    fn from(fault: ArchiveFault) -> Self {
        Self::Archive(fault)
    }
}

impl From<LaunchFault> for Refusal {
    fn from(fault: LaunchFault) -> Self {
        Self::Launch(fault)
    }
}
