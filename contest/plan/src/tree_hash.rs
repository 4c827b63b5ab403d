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
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}
