//! The hash that names a folder of files: a package of a program, or a version of a bot.

use std::path::Path;

use sha2::{Digest, Sha256};

use crate::matchup::hash_field;

/// The hash of the names, contents and executable flags of the files of a folder. The files are added in the order of
/// their paths.
#[derive(Clone, Debug, Default)]
pub struct TreeHash(Sha256);

impl TreeHash {
    /// The hash of no files yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file by its path in the folder and the SHA-256 hash of its content.
    pub fn add(&mut self, name: &Path, is_executable: bool, content: &[u8; 32]) {
        hash_field(&mut self.0, name.as_os_str().as_encoded_bytes());
        self.0.update([u8::from(is_executable)]);
        self.0.update(content);
    }

    /// The hash of the files.
    #[must_use]
    pub fn finish(self) -> [u8; 32] {
        self.0.finalize().into()
    }
}

/// The name of a folder with this hash: 64 hexadecimal digits.
#[must_use]
pub fn hex(hash: &[u8; 32]) -> String {
    let (high, low) = hash.split_at(16);
    let number = |half: &[u8]| half.iter().fold(0, |sum: u128, byte| sum << 8 | u128::from(*byte));
    format!("{:032x}{:032x}", number(high), number(low))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_has_its_known_name() {
        let mut hash = TreeHash::new();
        hash.add(Path::new("main.py"), true, &Sha256::digest("x").into());
        let found = hex(&hash.finish());
        assert_eq!(found, "3564c97c839f0d0360dc2bec131de08a03308a80e5a0663b6ce9529fe9638b0d");
        let bytes = std::array::from_fn(|at| u8::try_from(at).unwrap());
        assert_eq!(hex(&bytes), (0..32).map(|at| format!("{at:02x}")).collect::<Vec<_>>().concat());
    }
}
