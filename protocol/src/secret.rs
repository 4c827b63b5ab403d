//! The secret with which a team proves that a seat is its own.

use std::fmt;

use subtle::ConstantTimeEq;

/// 8 to 64 letters and digits that a team appends to its name after a `#`.
///
/// A secret is never logged, shown or stored in clear. It protects a seat against other clients, but not
/// against somebody who reads the network, because the protocol is plain text.
#[derive(Clone)]
pub struct Secret(String);

impl Secret {
    /// Minimum number of characters.
    pub const MIN: usize = 8;
    /// Maximum number of characters.
    pub const MAX: usize = 64;

    /// Returns `None` if the text is not a valid secret.
    pub fn new(text: &str) -> Option<Self> {
        let fits = (Self::MIN..=Self::MAX).contains(&text.len())
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
        fits.then(|| Self(text.to_owned()))
    }

    /// Returns the text of the secret, to hash or send it.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

/// Compares in a time that does not depend on where two secrets of the same length differ.
impl PartialEq for Secret {
    fn eq(&self, other: &Self) -> bool {
        self.0.as_bytes().ct_eq(other.0.as_bytes()).into()
    }
}

impl Eq for Secret {}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_8_to_64_letters_and_digits() {
        for good in ["12345678", "abcdEFGH", &"x".repeat(64)] {
            assert!(Secret::new(good).is_some_and(|secret| secret.expose() == good), "{good}");
        }
        for bad in ["", "1234567", "1234 678", "1234567é", "12345678\n", &"x".repeat(65)] {
            assert!(Secret::new(bad).is_none(), "{bad:?}");
        }
    }

    #[test]
    fn secrets_differ_by_every_character() {
        let secret = |text: &str| Secret::new(text).unwrap();
        assert_eq!(secret("12345678"), secret("12345678"));
        for other in ["02345678", "12345670", "123456789"] {
            assert_ne!(secret("12345678"), secret(other));
        }
    }
}
