//! Faults of names.

use language::{Note, note};

/// A fault in the name of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NameFault {
    /// The name or one of its parts is empty.
    Empty,
    /// A part of the name is `.`.
    Dot,
    /// A part of the name is `..`, which leads out of the folder.
    Climbs,
    /// The name starts at the root, or on a drive.
    Absolute,
    /// The name of a single file has a separator of folders.
    Separator,
    /// The name is no text in UTF-8.
    NotUtf8,
    /// The name has a control character, or another invisible one.
    Invisible(char),
    /// The name has a character that Windows forbids.
    Character(char),
    /// A part of the name ends with a dot or a blank, which Windows drops.
    End,
    /// The name means a device on Windows.
    Device,
    /// A part of the name is longer than this number of bytes.
    TooLong(usize),
    /// The name with its folders is longer than this number of bytes.
    PathTooLong(usize),
    /// The name is in more than this number of folders.
    TooDeep(usize),
}

impl NameFault {
    /// The fault in words, without the name.
    pub fn words(&self) -> Note {
        match self {
            Self::Empty => note!(
                "the name or a part of it is empty; expected a name such as `folder/bot.py`",
                "le nom ou une de ses parties est vide ; un nom comme `dossier/bot.py` est attendu",
            ),
            Self::Dot => note!(
                "a part of the name is `.`; expected a name such as `folder/bot.py`",
                "une partie du nom est `.` ; un nom comme `dossier/bot.py` est attendu",
            ),
            Self::Climbs => note!(
                "`..` leads out of the folder; expected a name below the folder of the archive",
                "`..` sort du dossier ; un nom sous le dossier de l'archive est attendu",
            ),
            Self::Absolute => note!(
                "the name starts at the root or on a drive; expected a name below the folder of the archive",
                "le nom part de la racine ou d'un disque ; un nom sous le dossier de l'archive est attendu",
            ),
            Self::Separator => note!(
                "the name of a single file has no folder; expected a name such as `bot.py`",
                "le nom d'un fichier seul n'a pas de dossier ; un nom comme `bot.py` est attendu",
            ),
            Self::NotUtf8 => note!(
                "the name is not in UTF-8; rename the file without accents, or pack it with another program",
                "le nom n'est pas en UTF-8 ; renommez le fichier sans accents, ou changez de programme d'archivage",
            ),
            Self::Invisible(character) => {
                let code = u32::from(*character);
                note!(
                    "the name has the invisible character U+{code:04X}; expected visible characters only",
                    "le nom contient le caractère invisible U+{code:04X} ; seuls des caractères visibles sont attendus",
                )
            }
            Self::Character(character) => note!(
                "Windows allows no `{character}` in a name; rename the file",
                "Windows n'admet pas `{character}` dans un nom ; renommez le fichier",
            ),
            Self::End => note!(
                "a part of the name ends with a dot or a blank, which Windows drops; rename it",
                "une partie du nom finit par un point ou une espace, que Windows supprime ; renommez-la",
            ),
            Self::Device => note!(
                "Windows keeps this name for a device; rename the file",
                "Windows réserve ce nom à un périphérique ; renommez le fichier",
            ),
            Self::TooLong(limit) => note!(
                "a part of the name is too long; expected at most {limit} bytes",
                "une partie du nom est trop longue ; {limit} octets au plus sont attendus",
            ),
            Self::PathTooLong(limit) => note!(
                "the name with its folders is too long; expected at most {limit} bytes",
                "le nom avec ses dossiers est trop long ; {limit} octets au plus sont attendus",
            ),
            Self::TooDeep(limit) => note!(
                "there are too many folders in each other; expected at most {limit}",
                "trop de dossiers sont imbriqués ; {limit} au plus sont attendus",
            ),
        }
    }
}
