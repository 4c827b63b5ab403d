//! Reproducible random draws.

use std::cmp::Ordering;

use sha2::{Digest, Sha256};

use crate::team::Team;

/// The lots that teams draw: hashes of a seed and of their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lots {
    /// Teams with lower lots come first.
    Seeded(u64),
    /// Teams with higher lots come first.
    Reversed(u64),
}

impl Lots {
    /// These teams in the order of their lots. Neither the order of the list nor the alphabet gives an advantage, and an
    /// additional team does not change the order of the others.
    pub(super) fn draw(self, teams: &[Team], members: &[usize]) -> Vec<usize> {
        let mut drawn = members.to_vec();
        drawn.sort_by_cached_key(|&team| (self.lot(&teams[team]), team));
        drawn
    }

    /// The order of two teams that are equal otherwise.
    pub(super) fn compare(self, a: &Team, b: &Team) -> Ordering {
        match self {
            Self::Seeded(_) => self.lot(a).cmp(&self.lot(b)),
            Self::Reversed(_) => self.lot(b).cmp(&self.lot(a)),
        }
    }

    fn lot(self, team: &Team) -> [u8; 32] {
        let (Self::Seeded(seed) | Self::Reversed(seed)) = self;
        let mut hash = Sha256::new();
        hash.update(seed.to_le_bytes());
        hash.update(&team.name);
        hash.finalize().into()
    }
}
