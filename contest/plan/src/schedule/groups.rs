//! Everyone against everyone, in groups of four.

use crate::matchup::SEATS;

use super::combinations::binomial;
use super::design::Design;

/// Largest number of groups at which every round plays all of them: up to nine teams.
const FEW: u64 = 126;

/// The groups of the rounds: each team is in `per_team` groups a round, or one more; `None` for all groups if there are
/// few, otherwise the [`usual`] number.
pub(super) fn design(generations: &[Vec<usize>], per_team: Option<u32>) -> Design {
    let all_or_usual = |teams| if binomial(teams, SEATS) <= FEW { u64::MAX } else { usual(teams) };
    Design::new(SEATS, generations, |teams| match per_team {
        Some(groups) => groups.into(),
        None => all_or_usual(teams),
    })
}

/// Number of groups per team at which any two teams meet about twice, and which fills whole groups of four: all teams
/// have equally many groups, and no seat is left to the house.
///
/// A number given by the organiser may leave a remainder. Then up to three teams have one group more, and other teams in
/// the next rounds. House bots in the last seats would be less fair: means and ratings depend on the opponents, but
/// not on the number of games.
pub(super) fn usual(teams: usize) -> u64 {
    let (teams, seats) = (teams as u64, SEATS as u64);
    let twice = (2 * teams.saturating_sub(1)).div_ceil(seats - 1);
    (twice..twice + seats).find(|groups| (groups * teams).is_multiple_of(seats)).unwrap_or(twice)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_numbers_come_out_even() {
        for teams in 4..=300 {
            let groups = usual(teams);
            let meetings = 3 * groups;
            assert!((groups * teams as u64).is_multiple_of(4), "{teams} teams");
            assert!(meetings >= 2 * (teams as u64 - 1), "{teams} teams");
            assert!(meetings <= 2 * (teams as u64 - 1) + 11, "{teams} teams");
        }
    }

    #[test]
    fn as_many_groups_as_promised() {
        // Number of teams, requested groups per team, and expected groups of a round.
        let expected = [
            (1, None, 1),
            (3, None, 1),
            (4, None, 1),
            (5, None, 5),
            (8, None, 70),
            (9, None, 126),
            (10, None, 15),
            (12, None, 24),
            (30, None, 150),
            (64, None, 672),
            (3, Some(5), 1),
            (4, Some(5), 1),
            (8, Some(2), 4),
            (9, Some(2), 5),
            (9, Some(1_000), 126),
        ];
        for (teams, per_team, groups) in expected {
            let design = design(&[(0..teams).collect()], per_team);
            assert_eq!(design.groups_a_round(), groups, "{teams} teams, {per_team:?}");
        }
    }
}
