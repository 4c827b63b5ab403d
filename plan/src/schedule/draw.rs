//! Chance that is the same every time.

use sha2::{Digest, Sha256};

use crate::team::Team;

/// These teams as they are drawn: by a hash of their names, so that neither their order nor the alphabet
/// favours anybody, and the same every time. A team more does not change the order of the others.
pub(super) fn draw(teams: &[Team], members: &[usize]) -> Vec<usize> {
    let mut drawn = members.to_vec();
    drawn.sort_by_cached_key(|&team| {
        let lot: [u8; 32] = Sha256::digest(&teams[team].name).into();
        (lot, team)
    });
    drawn
}
