//! One team against all others.

use crate::matchup::SEATS;

use super::combinations::binomial;
use super::design::Design;

/// Largest number of groups at which every round plays all of them: up to eleven teams.
const FEW: u64 = 126;

/// The groups of up to three opponents of the challenger: every other team is in equally many groups, and any two of
/// them are together in about one.
pub(super) fn design(challenger: usize, generations: &[Vec<usize>]) -> Design {
    let mut others = generations.to_vec();
    for teams in &mut others {
        teams.retain(|&team| team != challenger);
    }
    Design::new(SEATS - 1, &others, |others| {
        if binomial(others, SEATS - 1) <= FEW { u64::MAX } else { usual(others) }
    })
}

/// Number of groups of each of `others` teams at which any two of them meet about once, and which fills whole groups of
/// three.
fn usual(others: usize) -> u64 {
    let (others, places) = (others as u64, SEATS as u64 - 1);
    let once = others.saturating_sub(1).div_ceil(places - 1);
    (once..once + places).find(|groups| (groups * others).is_multiple_of(places)).unwrap_or(once)
}

#[cfg(test)]
mod tests {
    use super::super::Format;
    use super::super::testing::{schedule, teams};

    fn round(generations: &[u32], challenger: usize) -> Vec<Vec<usize>> {
        let schedule = schedule(Format::Gauntlet { challenger }, 3);
        let round = schedule.round(2, &teams(generations), 1, &[]).unwrap();
        round.iter().map(|matchup| matchup.group.teams().to_vec()).collect()
    }

    #[test]
    fn the_challenger_meets_all_others_equally_often() {
        // Number of teams, number of groups of a round, and number of groups of each opponent.
        let expected = [
            (4, 1, 1),
            (5, 4, 3),
            (6, 10, 6),
            (11, 120, 36),
            (12, 22, 6),
            (13, 24, 6),
            (17, 48, 9),
            (30, 145, 15),
        ];
        for (count, groups, each) in expected {
            for challenger in [0, count / 2, count - 1] {
                let found = round(&vec![0; count], challenger);
                assert_eq!(found.len(), groups, "{count} teams");
                for team in 0..count {
                    let times = found.iter().filter(|group| group.contains(&team)).count();
                    let expected = if team == challenger { groups } else { each };
                    assert_eq!(times, expected, "team {team} of {count} against {challenger}");
                }
                assert!(found.iter().all(|group| group.len() == 4));
            }
        }
    }

    #[test]
    fn the_house_fills_up() {
        assert_eq!(round(&[0], 0), [[0]]);
        assert_eq!(round(&[0, 0], 1), [[0, 1]]);
        assert_eq!(round(&[0, 0, 0], 1), [[0, 1, 2]]);
    }

    #[test]
    fn the_challenger_may_come_later() {
        let groups = round(&[0, 0, 0, 0, 1], 4);
        assert_eq!(groups.len(), 4);
        assert!(groups.iter().all(|group| group.contains(&4)));
    }
}
