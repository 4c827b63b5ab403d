//! Hostile texts made printable.

use std::fmt;

use protocol::is_invisible;

/// Maximum number of characters that a message quotes.
const LONGEST: usize = 80;

/// A text of an upload, such as the name of an entry, made printable: on one line, of at most 80 characters, with
/// U+FFFD in the place of bytes that are no text and of characters that are invisible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quoted(String);

impl Quoted {
    /// Makes a text printable.
    #[must_use]
    pub fn new(text: impl AsRef<[u8]>) -> Self {
        let text = text.as_ref();
        // No character has more than four bytes.
        let start = &text[..text.len().min(4 * LONGEST + 4)];
        let start = String::from_utf8_lossy(start);
        let is_cut = start.chars().nth(LONGEST).is_some();
        let plain = |c: char| if is_invisible(c) { char::REPLACEMENT_CHARACTER } else { c };
        let mut shown: String = start.chars().take(LONGEST).map(plain).collect();
        if is_cut {
            shown.push('…');
        }
        Self(shown)
    }

    /// The printable text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Quoted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_texts_are_short_and_printable() {
        for (text, shown) in [
            (&b"bot.py"[..], "bot.py"),
            ("stratégie.py".as_bytes(), "stratégie.py"),
            (b"a\x1b[31m\nb\0", "a\u{fffd}[31m\u{fffd}b\u{fffd}"),
            ("\u{202e}yp.tob".as_bytes(), "\u{fffd}yp.tob"),
            (b"caf\xe9", "caf\u{fffd}"),
        ] {
            assert_eq!(Quoted::new(text).as_str(), shown);
        }
        for long in ["é".repeat(10_000), "x".repeat(81), "🦀".repeat(99)] {
            assert_eq!(Quoted::new(&long).as_str().chars().count(), LONGEST + 1);
            assert!(Quoted::new(&long).as_str().ends_with('…'));
        }
        assert_eq!(Quoted::new("x".repeat(80)).as_str(), "x".repeat(80));
    }
}
