//! Tokens, after all that a disguise changes has been taken out of them.

use super::language::Language;

/// A token: what it is, and the line where it begins.
///
/// Two tokens are alike if their codes are equal. The code of a name or of a literal does not tell which one it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub code: u32,
    pub line: u32,
}

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The end of a file. It is never part of a match.
    End,
    Name,
    Number,
    Text,
    /// A word of the language, by its index.
    Word(u8),
    /// An operator or a bracket of at most three bytes.
    Sign([u8; 3]),
}

impl Kind {
    /// The code: the language in the first 4 bits, the kind in the next 4, and then which word or sign it is.
    pub(crate) fn code(self, language: Language) -> u32 {
        let (kind, which) = match self {
            Self::End => (0, 0),
            Self::Name => (1, 0),
            Self::Number => (2, 0),
            Self::Text => (3, 0),
            Self::Word(index) => (4, u32::from(index)),
            Self::Sign([one, two, three]) => (5, u32::from_be_bytes([0, one, two, three])),
        };
        (language as u32) << 28 | kind << 24 | which
    }
}
