//! Sequential reading of a text.

use language::{Phrase, said};

use super::DASHES;

/// The first error in a text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", said!(
    "line {line} {text}: expected {expected}, found {found:?}",
    "ligne {line} {text} : {expected} est attendu, et non {found:?}"
))]
pub struct Unexpected {
    /// The kind of the text, such as `of the state`.
    pub text: Phrase,
    /// Number of the line, from 1.
    pub line: usize,
    /// Description of the expected content.
    pub expected: Phrase,
    /// The line found, shortened to 60 bytes.
    pub found: String,
}

/// Description of the content expected at the input's position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Expected(pub(crate) Phrase);

/// A text and the position up to which it is read.
pub(crate) struct Input<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Input<'a> {
    pub(crate) fn new(text: &'a [u8]) -> Self {
        Self { text, at: 0 }
    }

    pub(crate) fn rest(&self) -> &'a [u8] {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Returns the result of `read`; on `None`, restores the position for the error.
    pub(crate) fn expect<T>(
        &mut self,
        expected: Phrase,
        read: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Result<T, Expected> {
        let start = self.at;
        read(self).ok_or_else(|| {
            self.at = start;
            Expected(expected)
        })
    }

    pub(crate) fn byte(&mut self) -> Option<u8> {
        let byte = *self.text.get(self.at)?;
        self.at += 1;
        Some(byte)
    }

    /// Reads up to and including the next byte `end`; returns the bytes before it.
    pub(crate) fn until(&mut self, end: u8) -> Option<&'a [u8]> {
        let len = self.rest().iter().position(|&byte| byte == end)?;
        let found = &self.rest()[..len];
        self.at += len + 1;
        Some(found)
    }

    /// Reads a non-negative integer and the byte `end` after it.
    pub(crate) fn number(&mut self, end: u8) -> Option<u32> {
        let first = self.byte()?;
        let mut number = u32::from(first.wrapping_sub(b'0'));
        if number > 9 {
            return None;
        }
        loop {
            let byte = self.byte()?;
            let digit = byte.wrapping_sub(b'0');
            if digit > 9 {
                return (byte == end).then_some(number);
            }
            number = number.checked_mul(10)?.checked_add(digit.into())?;
        }
    }

    /// Reads an integer, perhaps negative, and the byte `end` after it.
    pub(crate) fn signed(&mut self, end: u8) -> Option<i32> {
        let negative = self.rest().first() == Some(&b'-');
        self.at += usize::from(negative);
        let magnitude = i64::from(self.number(end)?);
        i32::try_from(if negative { -magnitude } else { magnitude }).ok()
    }

    /// Reads the line of dashes between two parts.
    pub(crate) fn dashes(&mut self) -> Result<(), Expected> {
        if !self.rest().starts_with(DASHES) {
            return Err(Expected(Phrase::new("20 dashes", "20 tirets")));
        }
        self.at += DASHES.len();
        Ok(())
    }

    pub(crate) fn skip(&mut self, bytes: usize) {
        self.at += bytes;
    }

    /// The error for the line in which reading stopped.
    pub(crate) fn error(&self, text: Phrase, Expected(expected): Expected) -> Unexpected {
        let read = &self.text[..self.at];
        let line = read.split(|&byte| byte == b'\n').count();
        let start = read.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let found = self.text[start..].split(|&byte| byte == b'\n').next().unwrap_or_default();
        let found = String::from_utf8_lossy(&found[..found.len().min(60)]).into_owned();
        Unexpected { text, line, expected, found }
    }
}
