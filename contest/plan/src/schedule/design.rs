//! Groups in which everybody meets everybody equally often, round after round.

use std::collections::BTreeSet;

use super::combinations::{binomial, combinations};
use super::draft::Draft;
use super::tally::Tally;

/// Rounds of groups of `size` out of members that came in successive generations.
///
/// In each round the first generation meets as if it were alone. Each later generation adds groups with at least one
/// of its members, so that nothing changes for earlier generations. Each newcomer gets the groups that a member of the
/// first generation had alone, or those it would have had if all had been there from the start, whichever is more;
/// elders fill the other seats of these groups, each elder equally often.
///
/// Adding groups until all members have equally many would be fairer still, but with each newcomer the number of groups
/// per member would grow by the factor n / (n − 3): ten newcomers, one at a time, would make ten teams play nine
/// times more.
#[derive(Clone, Debug)]
pub(super) struct Design {
    generations: Vec<Generation>,
}

impl Design {
    /// The design for these members, which are distinct numbers; `per_member` maps a number of members to the number of
    /// groups per member in a round. A round never repeats a group, so there may be fewer.
    pub(super) fn new(
        size: usize,
        generations: &[Vec<usize>],
        per_member: impl Fn(usize) -> u64,
    ) -> Self {
        let tally = Tally::new(generations.iter().flatten().max().map_or(0, |max| max + 1));
        let (mut elders, mut drawn, mut least) = (Vec::new(), Vec::new(), 0);
        for newcomers in generations.iter().filter(|newcomers| !newcomers.is_empty()) {
            let members = elders.len() + newcomers.len();
            let each = per_member(members).max(least).min(most(members, size));
            if drawn.is_empty() {
                least = each;
            }
            drawn.push(Generation::new(size, &elders, newcomers, each, tally.clone()));
            elders.extend(newcomers);
        }
        Self { generations: drawn }
    }

    pub(super) fn groups_a_round(&self) -> u64 {
        self.generations
            .iter()
            .map(|generation| generation.brings.groups)
            .fold(0, u64::saturating_add)
    }

    /// The groups of a round, from 1, each in ascending order, all different; none without members.
    ///
    /// Each round is drawn to make up for the rounds before it, so all of them are drawn first. The rounds repeat after
    /// [`PERIOD`] rounds.
    pub(super) fn round(mut self, number: u32) -> Vec<Vec<usize>> {
        for _ in 0..number.saturating_sub(1) % PERIOD {
            self.next_round();
        }
        self.next_round()
    }

    fn next_round(&mut self) -> Vec<Vec<usize>> {
        let mut round = Vec::new();
        for generation in &mut self.generations {
            generation.add_to(&mut round);
        }
        round
    }
}

/// Number of rounds until the design repeats: large enough that the remaining unevenness is small compared with all
/// meetings, small enough to draw all of them for each request.
const PERIOD: u32 = 10;

#[derive(Clone, Debug)]
struct Generation {
    size: usize,
    elders: Vec<usize>,
    newcomers: Vec<usize>,
    /// The groups that the generation adds to a round, and the seats of newcomers in them.
    brings: Share,
    /// All possible groups with a newcomer, and the seats of newcomers in them.
    possible: Share,
    /// Meetings in the groups of this and earlier generations; seats in the groups of this generation only.
    tally: Tally,
}

#[derive(Clone, Copy, Debug)]
struct Share {
    groups: u64,
    newcomer_seats: u64,
}

impl Generation {
    /// The generation whose groups give each newcomer `each` groups a round, and a few newcomers one more if necessary.
    fn new(size: usize, elders: &[usize], newcomers: &[usize], each: u64, tally: Tally) -> Self {
        let members = elders.len() + newcomers.len();
        let most = most(members, size);
        let of_all = |each: u64| each.saturating_mul(newcomers.len() as u64);
        let possible = Share {
            groups: binomial(members, size) - binomial(elders.len(), size),
            newcomer_seats: of_all(most),
        };
        let brings = if members < size {
            Share { groups: 1, newcomer_seats: newcomers.len() as u64 }
        } else {
            // The share of all possible groups is the share `each / most` of the groups per newcomer.
            let groups = (u128::from(possible.groups) * u128::from(each)).div_ceil(most.into());
            let groups = u64::try_from(groups).unwrap_or(u64::MAX);
            // Both in these groups and in the groups left out, the number of newcomers' seats stays within its bounds.
            let least = size.saturating_sub(elders.len()).max(1) as u64;
            let most = size.min(newcomers.len()) as u64;
            let of_others = most.saturating_mul(possible.groups - groups);
            let newcomer_seats = of_all(each)
                .max(least.saturating_mul(groups))
                .max(possible.newcomer_seats.saturating_sub(of_others));
            Share { groups, newcomer_seats }
        };
        let (elders, newcomers) = (elders.to_vec(), newcomers.to_vec());
        Self { size, elders, newcomers, brings, possible, tally }
    }

    /// Adds the groups of this generation for the next round to the groups of earlier generations.
    fn add_to(&mut self, round: &mut Vec<Vec<usize>>) {
        for group in round.iter() {
            self.tally.gather(group);
        }
        round.extend(self.groups());
        for group in round.iter() {
            self.tally.age(group);
        }
    }

    fn groups(&mut self) -> Vec<Vec<usize>> {
        let mut everyone = [&*self.elders, &self.newcomers].concat();
        everyone.sort_unstable();
        if everyone.len() < self.size {
            self.tally.gather(&everyone);
            return vec![everyone];
        }
        if self.brings.groups <= self.possible.groups / 2 {
            return self.draw(self.brings);
        }
        // If most groups are played, the groups left out are balanced instead.
        let mut groups = combinations(&everyone, self.size);
        groups.retain(|group| group.iter().any(|member| self.newcomers.contains(member)));
        for group in &groups {
            self.tally.gather(group);
            for &member in group {
                self.tally.seat(member, &[]);
            }
        }
        self.tally.negate();
        let left_out: BTreeSet<_> = self
            .draw(Share {
                groups: self.possible.groups - self.brings.groups,
                newcomer_seats: self.possible.newcomer_seats - self.brings.newcomer_seats,
            })
            .into_iter()
            .collect();
        self.tally.negate();
        groups.retain(|group| !left_out.contains(group));
        groups
    }

    fn draw(&mut self, share: Share) -> Vec<Vec<usize>> {
        // All these groups have to fit into memory, so their numbers fit into a `usize`.
        let (groups, newcomer_seats) = (share.groups as usize, share.newcomer_seats as usize);
        let (size, newcomers, elders) = (self.size, &*self.newcomers, &*self.elders);
        Draft { size, groups, newcomers, elders, newcomer_seats }.draw(&mut self.tally)
    }
}

/// Number of possible groups of `size` per member, among `members`.
fn most(members: usize, size: usize) -> u64 {
    binomial(members.saturating_sub(1), size - 1)
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;
    use crate::schedule::groups::usual;

    /// The number of seats of each member, and the number of meetings of each pair `met[a][b]` with `b < a`.
    #[derive(Clone)]
    struct Counts {
        seats: Vec<u64>,
        met: Vec<Vec<u64>>,
    }

    impl Counts {
        fn of(members: usize, groups: &[Vec<usize>]) -> Self {
            let mut counts =
                Self { seats: vec![0; members], met: (0..members).map(|a| vec![0; a]).collect() };
            for group in groups {
                for (index, &a) in group.iter().enumerate() {
                    counts.seats[a] += 1;
                    for &b in &group[..index] {
                        counts.met[a][b] += 1;
                    }
                }
            }
            counts
        }
    }

    fn range<'a>(counts: impl IntoIterator<Item = &'a u64>) -> (u64, u64) {
        counts.into_iter().fold((u64::MAX, 0), |(least, most), &n| (least.min(n), most.max(n)))
    }

    /// Members 0, 1, … in generations of these sizes.
    fn generations(sizes: &[usize]) -> Vec<Vec<usize>> {
        let mut next = 0..;
        sizes.iter().map(|&count| next.by_ref().take(count).collect()).collect()
    }

    fn check_groups(groups: &[Vec<usize>], size: usize) {
        assert!(groups.iter().all(|group| group.len() == size && group.is_sorted_by(|a, b| a < b)));
        assert_eq!(groups.iter().collect::<BTreeSet<_>>().len(), groups.len(), "{groups:?}");
    }

    #[test]
    fn any_number_of_groups_comes_out_even() {
        for (size, members) in (3..=8).flat_map(|members| [(3, members), (4, members + 1)]) {
            for each in 1..=most(members, size) {
                let mut design = Design::new(size, &generations(&[members]), |_| each);
                let mut all = Vec::new();
                for round in 1..=2 {
                    let case = format!("{size} of {members}, {each} each, round {round}");
                    let groups = design.next_round();
                    assert_eq!(groups.len() as u64, design.groups_a_round(), "{case}");
                    assert_eq!(
                        groups.len() as u64,
                        (each * members as u64).div_ceil(size as u64),
                        "{case}"
                    );
                    check_groups(&groups, size);
                    let (least, most) = range(&Counts::of(members, &groups).seats);
                    assert!(least >= each && most <= each + 1, "{case}: {least} to {most}");
                    all.extend(groups);
                    let (least, most) = range(&Counts::of(members, &all).seats);
                    assert!(most - least <= 1, "{case}, so far: {least} to {most}");
                }
            }
        }
    }

    #[test]
    fn everybody_meets_everybody_about_twice_a_round() {
        for members in (10..=18).chain([20, 22, 25, 30]) {
            let mut design = Design::new(4, &generations(&[members]), usual);
            let mut all = Vec::new();
            for round in 1..=3 {
                let groups = design.next_round();
                check_groups(&groups, 4);
                let counts = Counts::of(members, &groups);
                let seats = usual(members);
                assert_eq!(
                    range(&counts.seats),
                    (seats, seats),
                    "{members} members, round {round}"
                );
                let (least, most) = range(counts.met.iter().flatten());
                assert!(
                    least >= 1 && most <= 3,
                    "{members} members, round {round}: {least} to {most}"
                );
                all.extend(groups);
                let (least, most) = range(Counts::of(members, &all).met.iter().flatten());
                assert!(most - least <= 3, "{members} members, so far: {least} to {most}");
            }
        }
    }

    #[test]
    fn rounds_come_again() {
        let round = |number| Design::new(4, &generations(&[11]), |_| 3).round(number);
        let rounds: BTreeSet<_> = (1..=PERIOD).map(round).collect();
        assert_eq!(rounds.len(), PERIOD as usize);
        assert_eq!(round(PERIOD + 2), round(2));
    }

    #[test]
    fn small_designs_are_perfect() {
        for (members, meetings) in [(5, 3), (7, 2), (9, 3)] {
            let groups = Design::new(4, &generations(&[members]), usual).round(1);
            let counts = Counts::of(members, &groups);
            assert_eq!(range(counts.met.iter().flatten()), (meetings, meetings), "{groups:?}");
        }
    }

    #[test]
    fn fewer_than_a_group_meet_all_together() {
        let design = |sizes: &[usize]| Design::new(4, &generations(sizes), |_| 7);
        assert_eq!(design(&[]).round(1), Vec::<Vec<usize>>::new());
        assert_eq!(design(&[1]).round(1), [[0]]);
        assert_eq!(design(&[3]).round(3_000_000_000), [[0, 1, 2]]);
        assert_eq!(design(&[2, 1]).round(1), [vec![0, 1], vec![0, 1, 2]]);
        assert_eq!(design(&[2, 0, 2]).round(2), [vec![0, 1], vec![0, 1, 2, 3]]);
    }

    #[test]
    fn a_newcomer_meets_everybody_about_twice() {
        for members in 10..=20 {
            let mut design = Design::new(4, &generations(&[members, 1]), usual);
            let groups = design.next_round();
            let counts = Counts::of(members + 1, &groups);
            let (least, most) = range(&counts.met[members]);
            assert!(least >= 1 && most <= 3, "{members} and one: {least} to {most}");
        }
    }

    #[test]
    fn nearly_all_groups_can_be_played() {
        // A single group is left out, which has no room for five newcomers.
        let groups = Design::new(4, &generations(&[2, 5]), |_| 19).round(1);
        assert_eq!(groups.len(), 1 + 34);
        check_groups(&groups[1..], 4);
        let (least, most) = range(&Counts::of(7, &groups[1..]).seats[2..]);
        assert_eq!((least, most), (19, 20));
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

        #[test]
        fn who_comes_later_changes_nothing_for_the_others(
            sizes in vec(1..=6_usize, 1..5),
            size in 3..=4_usize,
            each in prop_oneof![Just(None), (1..20_u64).prop_map(Some)],
            rounds in 1..=3_u32,
        ) {
            let per_member = |members| each.unwrap_or_else(|| usual(members));
            let all = generations(&sizes);
            let round = |count| Design::new(size, &all[..count], per_member).round(rounds);
            let least = per_member(sizes[0]).min(most(sizes[0], size));
            let mut before = Vec::new();
            for count in 1..=all.len() {
                let members = sizes[..count].iter().sum();
                let mut groups = round(count);
                prop_assert_eq!(groups.drain(..before.len()).collect::<Vec<_>>(), before.clone());
                prop_assert!(!groups.is_empty() || members < size || most(members, size) == 0);
                // Every added group has a newcomer, and newcomers have the expected number of groups.
                let newcomers = &all[count - 1];
                prop_assert!(groups.iter().all(|g| g.iter().any(|member| newcomers.contains(member))));
                let seats = Counts::of(members, &groups).seats;
                if members >= size {
                    check_groups(&groups, size);
                    let expected = per_member(members).max(least).min(most(members, size));
                    let (least, most) = range(newcomers.iter().map(|&member| &seats[member]));
                    prop_assert!(least >= expected && most <= expected + 1, "{least} to {most}");
                    if count > 1 {
                        let (least, most) = range(all[..count - 1].iter().flatten().map(|&m| &seats[m]));
                        prop_assert!(most - least <= 1, "guests: {least} to {most}");
                    }
                }
                before.extend(groups);
            }
        }
    }
}
