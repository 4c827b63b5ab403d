//! One team against all others.

use crate::matchup::SEATS;

use super::combinations::binomial;
use super::design::Design;

/// All groups are played in each round when there are at most so many: with up to eleven teams.
const FEW: u64 = 126;

/// The groups of up to three that meet the challenger: each of the others equally often, and each two of
/// them about once.
pub(super) fn design(challenger: usize, generations: &[Vec<usize>]) -> Design {
    let mut others = generations.to_vec();
    for teams in &mut others {
        teams.retain(|&team| team != challenger);
    }
    Design::new(SEATS - 1, &others, |others| match binomial(others, SEATS - 1) <= FEW {
        true => u64::MAX,
        false => usual(others),
    })
}

/// Groups of each of so many others in which it meets each of the rest about once, and with which groups of
/// three come out even.
fn usual(others: usize) -> u64 {
    let (others, places) = (others as u64, SEATS as u64 - 1);
    let once = others.saturating_sub(1).div_ceil(places - 1);
    (once..once + places).find(|groups| (groups * others).is_multiple_of(places)).unwrap_or(once)
}
