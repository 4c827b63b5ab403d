//! Everyone against everyone, in groups of four.

use crate::matchup::SEATS;

use super::combinations::binomial;
use super::design::Design;

/// All groups are played in each round when there are at most so many: with up to nine teams.
const FEW: u64 = 126;

/// The groups of the rounds: `per_team` for each team in a round, or one more; `None` for as many as
/// [`usual`] says.
pub(super) fn design(generations: &[Vec<usize>], per_team: Option<u32>) -> Design {
    let all_or_usual = |teams| match binomial(teams, SEATS) <= FEW {
        true => u64::MAX,
        false => usual(teams),
    };
    Design::new(SEATS, generations, |teams| match per_team {
        Some(groups) => groups.into(),
        None => all_or_usual(teams),
    })
}

/// Groups of a team in which it meets each of the others about twice, and with which groups of four come
/// out even: no team has a group more than others, and the house none.
///
/// When the number is given, it may not come out even. Then up to three teams have one group more; in
/// the next rounds it is others. The house in the last seats would be less fair: means and strengths do not
/// depend on how many games they come from, but they do on who the opponents were.
pub(super) fn usual(teams: usize) -> u64 {
    let (teams, seats) = (teams as u64, SEATS as u64);
    let twice = (2 * teams.saturating_sub(1)).div_ceil(seats - 1);
    (twice..twice + seats).find(|groups| (groups * teams).is_multiple_of(seats)).unwrap_or(twice)
}
