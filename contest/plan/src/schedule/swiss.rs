//! Swiss system: teams with similar standings meet, if possible for the first time.

use std::cmp::Ordering;

use super::draw::Lots;
use super::partition::{Cost, Field};
use super::table::Ladder;
use super::{MatchupResult, generations};
use crate::matchup::SEATS;
use crate::team::Team;

/// The groups of a round.
///
/// Teams there from the start are split into groups of four, in the first round by the draw, then by their standings:
/// fewest repeated meetings first, as in chess, then equal numbers of house seats, then neighbours in the table.
/// If the number of teams leaves a remainder, groups have three teams, or fewer with few teams.
///
/// A team that came later does not change these groups. In each round it has a group of its own, with three earlier
/// teams as guests: fewest repeated meetings first, then the teams that played in the fewest groups, then neighbours in
/// the table. So it plays one group a round like a team there from the start, against teams with similar standings. The
/// results of its groups do not change the groups of earlier teams.
pub(super) fn round(
    number: u32,
    teams: &[Team],
    lots: Lots,
    played: &[MatchupResult],
) -> Vec<Vec<usize>> {
    let (mut round, mut members) = (Vec::<Vec<usize>>::new(), Vec::new());
    for newcomers in generations(teams) {
        let elders = members.clone();
        members.extend(&newcomers);
        let is_known = |result: &&MatchupResult| {
            let mut group = result.matchup.group.teams().iter();
            result.matchup.round < number && group.all(|team| members.contains(team))
        };
        let played: Vec<_> = played.iter().filter(is_known).collect();
        let mut history = History::of(teams.len(), &played);
        for group in &round {
            history.add(group);
        }
        let order = order(number, teams, lots, &members, &played);
        round.extend(if elders.is_empty() {
            history.split(&order)
        } else {
            history.invite(&newcomers, &order)
        });
    }
    round
}

/// These teams by their standings, best first; in the first round, by their lots.
fn order(
    number: u32,
    teams: &[Team],
    lots: Lots,
    members: &[usize],
    played: &[&MatchupResult],
) -> Vec<usize> {
    let mut order = lots.draw(teams, members);
    let table = Ladder::of(teams, lots, played);
    order.sort_by(|&a, &b| match number {
        1 => Ordering::Equal,
        _ => table.compare(a, b),
    });
    order
}

struct History {
    /// Number of meetings of two teams.
    met: Vec<Vec<u64>>,
    groups: Vec<u64>,
    /// Number of house seats in the groups of a team.
    house: Vec<u64>,
}

impl History {
    fn of(teams: usize, played: &[&MatchupResult]) -> Self {
        let nothing = vec![0; teams];
        let mut history =
            Self { met: vec![nothing.clone(); teams], groups: nothing.clone(), house: nothing };
        for result in played {
            history.add(result.matchup.group.teams());
        }
        history
    }

    fn add(&mut self, group: &[usize]) {
        for &team in group {
            self.groups[team] += 1;
            self.house[team] += (SEATS - group.len()) as u64;
            for &other in group {
                self.met[team][other] += 1;
            }
        }
    }

    fn split(&self, order: &[usize]) -> Vec<Vec<usize>> {
        let met = |&team: &usize| order.iter().map(|&other| self.met[team][other]).collect();
        let field = Field {
            met: order.iter().map(met).collect(),
            house: order.iter().map(|&team| self.house[team]).collect(),
        };
        let teams = |group: Vec<usize>| group.into_iter().map(|rank| order[rank]).collect();
        field.split().into_iter().map(teams).collect()
    }

    /// A group for each newcomer; newcomers share groups if there are fewer than three earlier teams.
    fn invite(&mut self, newcomers: &[usize], order: &[usize]) -> Vec<Vec<usize>> {
        let (hosts, elders): (Vec<usize>, Vec<usize>) =
            order.iter().partition(|team| newcomers.contains(team));
        let rank = |team| order.iter().position(|&other| other == team).unwrap_or(0);
        let mut groups = Vec::new();
        for hosts in hosts.chunks(SEATS.saturating_sub(elders.len()).max(1)) {
            let mut group = hosts.to_vec();
            while group.len() < SEATS {
                let cost = |&&guest: &&usize| Cost {
                    repeats: group.iter().map(|&other| self.met[guest][other].pow(2)).sum(),
                    duty: self.groups[guest],
                    distance: group
                        .iter()
                        .map(|&o| rank(guest).abs_diff(rank(o)).pow(2) as u64)
                        .sum(),
                };
                let free = elders.iter().filter(|elder| !group.contains(elder));
                let Some(&guest) = free.min_by_key(cost) else { break };
                group.push(guest);
            }
            self.add(&group);
            groups.push(group);
        }
        groups
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::super::Format;
    use super::super::combinations::combinations;
    use super::super::partition::sizes;
    use super::super::testing::{play, schedule, teams};
    use super::*;
    use crate::matchup::Matchup;

    /// Plays rounds in which the results follow from the strengths.
    fn rounds(
        teams: &[Team],
        strengths: &[u32],
        rounds: u32,
    ) -> (Vec<Vec<Matchup>>, Vec<MatchupResult>) {
        let schedule = schedule(Format::Swiss, rounds);
        let (mut all, mut results) = (Vec::new(), Vec::new());
        for number in 1..=rounds {
            let round = schedule.round(number, teams, 1, &results).unwrap();
            results.extend(play(&round, |team| strengths[team]));
            all.push(round);
        }
        (all, results)
    }

    fn groups(round: &[Matchup]) -> Vec<Vec<usize>> {
        round.iter().map(|matchup| matchup.group.teams().to_vec()).collect()
    }

    /// Number of pairs that meet again, by round.
    fn repeats(rounds: &[Vec<Matchup>]) -> Vec<usize> {
        let mut met = std::collections::BTreeSet::new();
        let mut new = |pair: (usize, usize)| !met.insert(pair);
        let pairs = |group: Vec<usize>| combinations(&group, 2);
        let mut count = |round: &Vec<Matchup>| {
            groups(round).into_iter().flat_map(pairs).filter(|pair| new((pair[0], pair[1]))).count()
        };
        rounds.iter().map(&mut count).collect()
    }

    #[test]
    fn nobody_meets_again_as_long_as_possible() {
        // Number of first rounds without a repeated meeting.
        let without = [4, 8, 12, 13, 16, 24, 32].map(|count| {
            let strengths: Vec<_> = (0..count).collect();
            let (all, _) = rounds(&teams(&vec![0; count as usize]), &strengths, 7);
            repeats(&all).iter().take_while(|&&repeats| repeats == 0).count()
        });
        assert_eq!(without, [1, 1, 1, 3, 3, 5, 6]);
    }

    #[test]
    fn winners_meet_winners() {
        let strengths: Vec<_> = (0..16).map(|team| team * 7 % 16).collect();
        let (all, results) = rounds(&teams(&[0; 16]), &strengths, 2);
        let score = |team: usize| {
            let place = |result: &MatchupResult| {
                let at = result.matchup.group.teams().iter().position(|&other| other == team);
                (result.matchup.round == 1).then_some(result.scores[at?].0)
            };
            results.iter().find_map(place).unwrap()
        };
        for group in groups(&all[1]) {
            let equal = |&team: &usize| score(team).total_cmp(&score(group[0])).is_eq();
            assert!(group.iter().all(equal), "{group:?}");
        }
    }

    #[test]
    fn the_first_round_follows_from_the_names() {
        let there = teams(&[0; 11]);
        let mut back = there.clone();
        back.reverse();
        let names = |teams: &[Team]| {
            let (all, _) = rounds(teams, &[0; 11], 1);
            let names = |group: Vec<usize>| {
                let mut names: Vec<_> =
                    group.iter().map(|&team| teams[team].name.clone()).collect();
                names.sort();
                names
            };
            groups(&all[0]).into_iter().map(names).collect::<Vec<_>>()
        };
        assert_eq!(names(&there), names(&back));
        assert_ne!(names(&there)[0], ["t00", "t01", "t02", "t03"]);
    }

    #[test]
    fn the_house_sits_beside_everybody_about_equally_often() {
        for count in [18, 21, 22, 23] {
            let strengths: Vec<_> = (0..count).collect();
            let (all, _) = rounds(&teams(&vec![0; count as usize]), &strengths, 4);
            let house = |team| {
                let of =
                    |group: &Vec<usize>| if group.contains(&team) { 4 - group.len() } else { 0 };
                all.iter().flat_map(|round| groups(round)).map(|group| of(&group)).sum::<usize>()
            };
            let seats: Vec<_> = (0..count as usize).map(house).collect();
            let (least, most) = (seats.iter().min().unwrap(), seats.iter().max().unwrap());
            assert!(most - least <= 1, "{count} teams: {seats:?}");
        }
    }

    #[test]
    fn with_few_others_newcomers_share_them() {
        let round = |generations: &[u32]| {
            let (all, _) = rounds(&teams(generations), &vec![0; generations.len()], 1);
            groups(&all[0])
        };
        assert_eq!(round(&[0, 1]), [vec![0], vec![0, 1]]);
        assert_eq!(round(&[0, 0, 1]), [vec![0, 1], vec![0, 1, 2]]);
        let groups = round(&[0, 1, 1, 1, 1, 1]);
        assert_eq!(groups.iter().map(Vec::len).collect::<Vec<_>>(), [1, 4, 3]);
        assert!(groups.iter().all(|group| group[0] == 0), "{groups:?}");
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 30, ..ProptestConfig::default() })]

        #[test]
        fn everybody_has_one_group(strengths in vec(0..9_u32, 1..20), number in 1..=4_u32) {
            let count = strengths.len();
            let (all, _) = rounds(&teams(&vec![0; count]), &strengths, number);
            for round in all {
                let groups = groups(&round);
                let mut members = groups.concat();
                members.sort_unstable();
                prop_assert_eq!(members, (0..count).collect::<Vec<_>>());
                let mut found: Vec<_> = groups.iter().map(Vec::len).collect();
                found.sort_unstable_by(|a, b| b.cmp(a));
                prop_assert_eq!(found, sizes(count));
            }
        }

        #[test]
        fn newcomers_have_a_group_each_and_change_no_other(
            strengths in vec(0..99_u32, 3..12),
            late in vec((1..=3_u32, 0..99_u32), 1..6),
            number in 1..=3_u32,
        ) {
            let start = strengths.len();
            let (before, _) = rounds(&teams(&vec![0; start]), &strengths, number);
            let generations: Vec<_> = vec![0; start].into_iter().chain(late.iter().map(|l| l.0)).collect();
            let strengths: Vec<_> = strengths.into_iter().chain(late.iter().map(|l| l.1)).collect();
            let (after, _) = rounds(&teams(&generations), &strengths, number);
            for (before, after) in before.iter().zip(&after) {
                let (old, new) = after.split_at(before.len());
                prop_assert_eq!(old, before);
                prop_assert_eq!(new.len(), late.len());
                for group in groups(new) {
                    let latest = group.iter().map(|&team| generations[team]).max();
                    let hosts = group.iter().filter(|&&team| Some(generations[team]) == latest);
                    prop_assert_eq!((hosts.count(), group.len()), (1, 4));
                }
            }
        }
    }
}
