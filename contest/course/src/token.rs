//! Secret tokens of teams and of the teacher.

use std::fmt;

use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use crate::CourseError;

/// A secret of 128 random bits that tells who asks. It is shown once; the course keeps its SHA-256 hash only.
///
/// A slow hash with a salt protects passwords, which people choose and which can be guessed. Nobody can try 2¹²⁸ random
/// tokens, so a fast hash is enough: who reads the file cannot ask in a team's name.
///
/// `Display` writes 32 hexadecimal digits; `Debug` hides them.
pub struct Token([u8; 16]);

/// The SHA-256 hash of a token.
#[derive(Clone, Copy)]
pub(crate) struct TokenHash(pub(crate) [u8; 32]);

impl Token {
    /// Draws a token from the system's generator.
    pub(crate) fn draw() -> Result<Self, CourseError> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(CourseError::Random)?;
        Ok(Self(bytes))
    }

    /// Reads the digits of a token; `None` if the text is no token. Spaces around it do not count.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if text.len() != 32 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        u128::from_str_radix(text, 16).ok().map(|number| Self(number.to_be_bytes()))
    }

    pub(crate) fn hash(&self) -> TokenHash {
        TokenHash(Sha256::digest(self.0).into())
    }
}

impl TokenHash {
    /// Compares in a time that does not depend on the hashes.
    pub(crate) fn is(&self, other: &Self) -> bool {
        self.0.ct_eq(&other.0).into()
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", u128::from_be_bytes(self.0))
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_read_back_and_only_a_token_is_read() {
        let token = Token::draw().unwrap();
        let text = token.to_string();
        let again = Token::parse(&format!(" {text}\n")).unwrap();
        assert!(again.hash().is(&token.hash()));
        assert!(!Token::draw().unwrap().hash().is(&token.hash()));
        for text in ["", "00", &text[1..], &format!("+{}", &text[1..]), &"é".repeat(16)] {
            assert!(Token::parse(text).is_none(), "{text}");
        }
        assert_eq!(format!("{token:?}"), "Token(…)");
    }
}
