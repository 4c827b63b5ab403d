//! Pools, then a final of the best teams.

use super::design::Design;
use super::draw::Lots;
use super::groups::usual;
use super::table::Ladder;
use super::{MatchupResult, generations};
use crate::matchup::SEATS;
use crate::team::Team;

/// The groups of a round of the pools: in each pool everyone against everyone.
pub(super) fn round(number: u32, teams: &[Team], lots: Lots) -> Vec<Vec<usize>> {
    designs(teams, lots).flat_map(|design| design.round(number)).collect()
}

pub(super) fn groups_a_round(teams: &[Team]) -> u64 {
    // The lots decide the members of a pool, not its size.
    designs(teams, Lots::Seeded(0)).map(|design| design.groups_a_round()).sum()
}

fn designs(teams: &[Team], lots: Lots) -> impl Iterator<Item = Design> {
    pools(teams, lots).into_iter().map(|pool| Design::new(SEATS, &pool, usual))
}

/// The teams of the final, at most four: the winners of the pools, then the best of the seconds, and so on. `played`
/// are the results of all matchups of the pools.
///
/// Teams are compared by mean score, then by mean points, then by lot.
pub(super) fn finalists(teams: &[Team], lots: Lots, played: &[&MatchupResult]) -> Vec<usize> {
    finalists_by(lots, teams, lots, played)
}

/// The teams that are in the final by lot, and the equally good teams that lost the draw.
pub(super) fn lucky(
    teams: &[Team],
    seed: u64,
    played: &[&MatchupResult],
) -> (Vec<usize>, Vec<usize>) {
    let lots = Lots::Seeded(seed);
    let [ahead, behind] =
        [lots, Lots::Reversed(seed)].map(|ties| finalists_by(ties, teams, lots, played));
    let only = |these: &[usize], others: &[usize]| {
        these.iter().copied().filter(|team| !others.contains(team)).collect()
    };
    (only(&ahead, &behind), only(&behind, &ahead))
}

/// The teams of the final, with the lots `ties` among equal teams, after pools drawn with `lots`.
fn finalists_by(ties: Lots, teams: &[Team], lots: Lots, played: &[&MatchupResult]) -> Vec<usize> {
    let table = Ladder::of(teams, ties, played);
    let mut finishers = Vec::new();
    for pool in pools(teams, lots) {
        let mut pool = pool.concat();
        pool.sort_by(|&a, &b| table.compare(a, b));
        finishers.extend(pool.into_iter().enumerate());
    }
    finishers.sort_by(|a, b| a.0.cmp(&b.0).then_with(|| table.compare(a.1, b.1)));
    finishers.into_iter().take(SEATS).map(|(_, team)| team).collect()
}

/// The pools, each generation by generation: of about five teams, but not more than four pools, so that every winner is
/// in the final. A team that comes later is drawn into the smallest pool.
fn pools(teams: &[Team], lots: Lots) -> Vec<Vec<Vec<usize>>> {
    let generations = generations(teams);
    let start = generations.first().map_or(0, Vec::len);
    let mut pools = vec![vec![Vec::new(); generations.len()]; ((start + 2) / 5).clamp(1, SEATS)];
    for (generation, members) in generations.iter().enumerate() {
        for team in lots.draw(teams, members) {
            let size = |pool: &&mut Vec<Vec<usize>>| pool.iter().map(Vec::len).sum::<usize>();
            if let Some(pool) = pools.iter_mut().min_by_key(size) {
                pool[generation].push(team);
            }
        }
    }
    pools
}

#[cfg(test)]
mod tests {
    use super::super::Format;
    use super::super::testing::{play, played, schedule, teams};
    use super::*;

    const LOTS: Lots = Lots::Seeded(7);

    fn sizes(generations: &[u32]) -> Vec<usize> {
        pools(&teams(generations), LOTS).into_iter().map(|pool| pool.concat().len()).collect()
    }

    #[test]
    fn pools_have_about_five_teams() {
        let expected: [(usize, &[usize]); 11] = [
            (5, &[5]),
            (7, &[7]),
            (8, &[4, 4]),
            (10, &[5, 5]),
            (12, &[6, 6]),
            (13, &[5, 4, 4]),
            (17, &[6, 6, 5]),
            (18, &[5, 5, 4, 4]),
            (22, &[6, 6, 5, 5]),
            (30, &[8, 8, 7, 7]),
            (64, &[16, 16, 16, 16]),
        ];
        for (teams, expected) in expected {
            assert_eq!(sizes(&vec![0; teams]), expected, "{teams} teams");
        }
    }

    #[test]
    fn who_comes_later_is_in_the_smallest_pool() {
        let before = pools(&teams(&[0; 17]), LOTS);
        let after = pools(&teams(&[vec![0; 17], vec![1; 2]].concat()), LOTS);
        for (before, after) in before.iter().zip(&after) {
            assert_eq!(before[0], after[0]);
        }
        assert_eq!(sizes(&[vec![0; 17], vec![1; 2]].concat()), [7, 6, 6]);
    }

    #[test]
    fn in_its_pool_everybody_meets_everybody() {
        for count in 5..=33 {
            let teams = teams(&vec![0; count]);
            let pools = pools(&teams, LOTS);
            let schedule = schedule(Format::Pools { final_rounds: 1 }, 3);
            let round = schedule.round(2, &teams, 1, &[]).unwrap();
            for pool in &pools {
                for &a in &pool[0] {
                    for b in 0..count {
                        let both = |group: &[usize]| group.contains(&a) && group.contains(&b);
                        let times = round.iter().filter(|m| both(m.group.teams())).count();
                        assert_eq!(times > 0, pool[0].contains(&b), "{a} and {b} of {count}");
                    }
                }
            }
        }
    }

    /// The teams of the final if the later team in the list always wins.
    fn final_of(count: usize) -> Vec<usize> {
        let teams = teams(&vec![0; count]);
        let schedule = schedule(Format::Pools { final_rounds: 2 }, 3);
        let pool_round = schedule.round(1, &teams, 5, &[]).unwrap();
        let mut results = play(&pool_round, |team| team as u32);
        let first = schedule.round(2, &teams, 5, &results).unwrap();
        assert_eq!(first.len(), 1);
        // The results of the final do not change its teams.
        results.extend(play(&first, |team| 99 - team as u32));
        results.reverse();
        let second = schedule.round(3, &teams, 5, &results).unwrap();
        assert_eq!(first[0].group, second[0].group);
        assert_eq!((first[0].map, second[0].map), (1, 2));
        first[0].group.teams().to_vec()
    }

    #[test]
    fn the_final_is_among_the_best() {
        assert_eq!(final_of(4), [0, 1, 2, 3]);
        assert_eq!(final_of(7), [3, 4, 5, 6]);
        for count in [10, 17, 22, 40] {
            let pools = pools(&teams(&vec![0; count]), LOTS);
            let best = |place: usize| {
                let mut best: Vec<usize> = pools
                    .iter()
                    .filter_map(|pool| {
                        let mut pool = pool.concat();
                        pool.sort_unstable_by(|a, b| b.cmp(a));
                        pool.get(place).copied()
                    })
                    .collect();
                best.sort_unstable_by(|a, b| b.cmp(a));
                best
            };
            let finalists = final_of(count);
            assert!(best(0).iter().all(|winner| finalists.contains(winner)), "{count} teams");
            let seconds = finalists.iter().filter(|team| best(1).contains(team)).count();
            assert_eq!(finalists.len(), 4);
            assert_eq!(seconds, 4 - pools.len(), "{count} teams");
        }
    }

    #[test]
    fn equal_runners_up_are_told_apart_by_lot() {
        let teams = teams(&[0; 13]);
        let seconds = |seed| {
            let lots = Lots::Seeded(seed);
            // Seeds change the pools as well.
            let pools: Vec<_> = pools(&teams, lots).into_iter().map(|pool| pool.concat()).collect();
            let result = |pool: &Vec<usize>| {
                let mut four = pool[..4].to_vec();
                four.sort_unstable();
                played(1, &four, &[(3.0, 5.0), (2.0, 4.0), (1.0, 3.0), (0.0, 2.0)])
            };
            let results: Vec<_> = pools.iter().map(result).collect();
            let results: Vec<_> = results.iter().collect();
            let place = |place: usize| results.iter().map(move |r| r.matchup.group.teams()[place]);
            let finalists = finalists(&teams, lots, &results);
            assert!(place(0).all(|winner| finalists.contains(&winner)));
            let (lucky, unlucky) = lucky(&teams, seed, &results);
            assert!(lucky.len() == 1 && unlucky.len() == 1 && finalists.contains(&lucky[0]));
            let mut seconds: Vec<_> = place(1).collect();
            seconds.sort_unstable();
            assert!(seconds.contains(&lucky[0]) && seconds.contains(&unlucky[0]));
            seconds.iter().position(|team| *team == lucky[0])
        };
        let found: std::collections::BTreeSet<_> = (0..30).map(seconds).collect();
        assert_eq!(found.len(), 3, "any of them, whatever their names");
    }

    #[test]
    fn another_seed_gives_other_pools() {
        let teams = teams(&[0; 10]);
        let drawn: std::collections::BTreeSet<_> =
            (0..10).map(|seed| pools(&teams, Lots::Seeded(seed))).collect();
        assert_eq!(drawn.len(), 10);
    }
}
