//! The formats of uploads.

use language::Phrase;

/// The format of an upload, or of a layer of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A zip archive.
    Zip,
    /// A tar archive.
    Tar,
    /// Data that gzip has compressed.
    Gzip,
    /// A jar, which is a zip archive that Java runs.
    Jar,
}

impl Format {
    /// The format in words, with an article.
    pub fn words(self) -> Phrase {
        match self {
            Self::Zip => Phrase::new("a zip archive", "une archive zip"),
            Self::Tar => Phrase::new("a tar archive", "une archive tar"),
            Self::Gzip => Phrase::new("a gzip file", "un fichier gzip"),
            Self::Jar => Phrase::new("a jar file", "un fichier jar"),
        }
    }
}

/// Start of a zip archive with entries.
pub(crate) const ZIP: &[u8] = b"PK\x03\x04";
/// Start of data that gzip has compressed.
pub(crate) const GZIP: &[u8] = b"\x1f\x8b";
const ELF: &[u8] = b"\x7fELF";
const SCRIPT: &[u8] = b"#!";

/// Tests if a file that starts with these bytes is one that Linux can start: an ELF file or a script with a `#!` line.
pub(crate) fn is_program(start: &[u8]) -> bool {
    start.starts_with(ELF) || start.starts_with(SCRIPT)
}
