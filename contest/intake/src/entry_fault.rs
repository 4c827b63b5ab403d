//! Faults of entries of archives.

use language::{Note, note};

use crate::{NameFault, Quoted};

/// A fault of an entry of an archive, or of a file that was handed in by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EntryFault {
    /// The name cannot be the name of a file.
    Name(NameFault),
    /// Another file has the same name.
    Twice,
    /// The name differs from this one in case only.
    Case(Quoted),
    /// This name is both a file and a folder.
    FileAndFolder(Quoted),
    /// A symbolic or hard link.
    Link,
    /// A device, pipe, socket or an unknown kind of entry.
    Special,
    /// The file would run with the rights of its owner or group.
    Setuid,
    /// A file with holes, whose size is not the one of its data.
    Sparse,
    /// The content needs a password.
    Encrypted,
    /// The content is compressed by a method other than `deflate`; the number is the one of the zip format.
    Method(u16),
    /// The content lies where another entry or the directory of the archive lies.
    Overlaps,
    /// Two headers say different things of this entry.
    Disagrees,
    /// The content is longer or shorter than its header says.
    Size,
    /// The content does not match its checksum, or cannot be decompressed.
    Damaged,
}

impl EntryFault {
    /// The fault in words, without the name of the entry.
    pub fn words(&self) -> Note {
        match self {
            Self::Name(fault) => fault.words(),
            Self::Twice => note!(
                "two files have this name; expected each name once",
                "deux fichiers ont ce nom ; chaque nom est attendu une fois",
            ),
            Self::Case(other) => note!(
                "only upper and lower case tell this name from `{other}`, which Windows and macOS take for the same; \
                 rename one",
                "seules les majuscules distinguent ce nom de `{other}`, que Windows et macOS confondent ; renommez l'un \
                 des deux",
            ),
            Self::FileAndFolder(other) => note!(
                "`{other}` is both a file and a folder; expected one of them",
                "`{other}` est à la fois un fichier et un dossier ; un seul des deux est attendu",
            ),
            Self::Link => note!(
                "this is a link; put a copy of the file in its place",
                "c'est un lien ; remplacez-le par une copie du fichier",
            ),
            Self::Special => note!(
                "this is a device, a pipe or a socket; expected files and folders only",
                "c'est un périphérique, un tube ou une socket ; seuls des fichiers et des dossiers sont attendus",
            ),
            Self::Setuid => note!(
                "this file asks for the rights of its owner (setuid or setgid); type `chmod ug-s` and pack it again",
                "ce fichier demande les droits de son propriétaire (setuid ou setgid) ; tapez `chmod ug-s` et refaites \
                 l'archive",
            ),
            Self::Sparse => note!(
                "this file was packed with holes; pack it without `--sparse`",
                "ce fichier a été archivé avec des trous ; refaites l'archive sans `--sparse`",
            ),
            Self::Encrypted => note!(
                "a password protects this file; pack it without one",
                "un mot de passe protège ce fichier ; refaites l'archive sans mot de passe",
            ),
            Self::Method(method) => note!(
                "this file is compressed by method {method}; expected `deflate` (8) or none (0)",
                "ce fichier est compressé par la méthode {method} ; `deflate` (8) ou aucune (0) est attendue",
            ),
            Self::Overlaps => note!(
                "its content overlaps other parts of the archive; pack the files again",
                "son contenu recouvre d'autres parties de l'archive ; refaites l'archive",
            ),
            Self::Disagrees => note!(
                "the archive describes this file twice, in different ways; pack the files again",
                "l'archive décrit ce fichier deux fois, différemment ; refaites l'archive",
            ),
            Self::Size => note!(
                "the size of its content is not the one that the archive tells; pack the files again",
                "la taille de son contenu n'est pas celle que dit l'archive ; refaites l'archive",
            ),
            Self::Damaged => note!(
                "its content or its description is damaged; pack the files again",
                "son contenu ou sa description est abîmé ; refaites l'archive",
            ),
        }
    }
}

impl From<NameFault> for EntryFault {
    fn from(fault: NameFault) -> Self {
        Self::Name(fault)
    }
}
