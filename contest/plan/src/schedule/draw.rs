//! Reproducible random draws.

use std::cmp::Ordering;

use sha2::{Digest, Sha256};

use crate::team::Team;

/// The lots that teams draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lots {
    /// Hashes of a seed and the teams' names.
    Seeded(u64),
    /// Hashes of a seed and the teams' names, in reverse order.
    Reversed(u64),
    /// Hashes of names, and the alphabet among equal teams: for tournaments that began before lots had seeds.
    Unseeded,
}

impl Lots {
    /// The lots of this seed; unseeded lots for `None`.
    pub(super) fn new(seed: Option<u64>) -> Self {
        seed.map_or(Self::Unseeded, Self::Seeded)
    }

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
            Self::Unseeded => a.name.cmp(&b.name),
        }
    }

    fn lot(self, team: &Team) -> [u8; 32] {
        let mut hash = Sha256::new();
        if let Self::Seeded(seed) | Self::Reversed(seed) = self {
            hash.update(seed.to_le_bytes());
        }
        hash.update(&team.name);
        hash.finalize().into()
    }
}
