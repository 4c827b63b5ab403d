//! The secret by which a team proves that a seat is its own.

use std::fmt;

use subtle::ConstantTimeEq;

/// 8 to 64 letters and digits that a team appends to its name after a `#`.
///
/// It is never logged or shown. It protects a seat against other clients, not against someone who
/// reads the network: the protocol is plain text.
#[derive(Clone)]
pub struct Secret(String);

impl Secret {
    /// Fewest characters.
    pub const MIN: usize = 8;
    /// Most characters.
    pub const MAX: usize = 64;

    /// `None` when the text is no secret.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        let fits = (Self::MIN..=Self::MAX).contains(&text.len())
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
        fits.then(|| Self(text.to_owned()))
    }

    /// The secret itself, to be hashed or sent.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }
}

/// In a time that does not tell where two secrets of one length differ.
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
