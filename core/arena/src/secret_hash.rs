//! Hashes of secrets.

use std::cell::RefCell;
use std::fmt;

use argon2::{Algorithm, Argon2, Block, Params, Version};
use protocol::Secret;
use subtle::ConstantTimeEq;

/// The hash of a secret with the salt of a server or of a tournament: what is kept instead of the secret.
///
/// Argon2id with 1 MiB and two passes takes some milliseconds, which makes guessing from a file slow, and yet delays the
/// games of the same thread by less than a turn.
#[derive(Clone)]
pub struct SecretHash([u8; Self::BYTES]);

impl SecretHash {
    /// Number of bytes of a hash.
    pub const BYTES: usize = 32;
    /// Memory that a hash takes, in KiB.
    const MEMORY: u32 = 1024;
    const PASSES: u32 = 2;

    /// The hash of a secret with this salt.
    #[must_use]
    pub fn new(secret: &Secret, salt: u64) -> Self {
        const VALID: &str = "the parameters and the lengths are constants that are allowed";
        // The system clears memory that it gives to a process, which would double the cost of a hash.
        thread_local!(static MEMORY: RefCell<Vec<Block>> = const { RefCell::new(Vec::new()) });
        let params = Params::new(Self::MEMORY, Self::PASSES, 1, Some(Self::BYTES)).expect(VALID);
        let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
        let mut hash = [0; Self::BYTES];
        let (secret, salt) = (secret.expose().as_bytes(), salt.to_le_bytes());
        MEMORY.with_borrow_mut(|blocks| {
            blocks.resize(argon2.params().block_count(), Block::new());
            argon2.hash_password_into_with_memory(secret, &salt, &mut hash, blocks).expect(VALID);
        });
        Self(hash)
    }

    /// The hash with these bytes, from a file.
    #[must_use]
    pub fn from_bytes(bytes: [u8; Self::BYTES]) -> Self {
        Self(bytes)
    }

    /// The bytes of the hash, for a file.
    pub fn as_bytes(&self) -> &[u8; Self::BYTES] {
        &self.0
    }
}

/// Compares in constant time.
impl PartialEq for SecretHash {
    fn eq(&self, other: &Self) -> bool {
        self.0.ct_eq(&other.0).into()
    }
}

impl Eq for SecretHash {}

impl fmt::Debug for SecretHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretHash(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_depends_on_the_secret_and_on_the_salt() {
        let hash = |text, salt| SecretHash::new(&Secret::new(text).unwrap(), salt);
        let own = hash("correcthorse", 1);
        assert_eq!(own, SecretHash::from_bytes(*hash("correcthorse", 1).as_bytes()));
        assert_ne!(own, hash("correcthorse", 2));
        assert_ne!(own, hash("correcthorsf", 1));
        assert!(!format!("{own:?}").contains(&own.0[0].to_string()));
    }
}
