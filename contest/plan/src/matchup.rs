//! Matchups of teams, and the keys and seeds of their games.

use std::fmt;
use std::str::FromStr;

use language::said;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::plan::Plan;

/// Number of players of a game.
pub const SEATS: usize = 4;

/// One to four different teams, by their places in the list of teams, in ascending order. House bots have the other
/// seats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Group {
    teams: [usize; SEATS],
    len: usize,
}

impl Group {
    /// The group of these teams; `None` if there are none, more than four, or duplicates.
    pub fn new(teams: &[usize]) -> Option<Self> {
        let len = teams.len();
        let mut sorted = [0; SEATS];
        sorted.get_mut(..len)?.copy_from_slice(teams);
        sorted[..len].sort_unstable();
        let distinct = sorted[..len].windows(2).all(|pair| pair[0] < pair[1]);
        (len > 0 && distinct).then_some(Self { teams: sorted, len })
    }

    /// The teams, in ascending order.
    pub fn teams(&self) -> &[usize] {
        &self.teams[..self.len]
    }
}

/// A matchup (*rencontre*): the games of a group on a map, one per seating.
///
/// All its games have the same seed, and so the same starts and the same draws; they differ only in the seating.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Matchup {
    /// The round of the matchup, from 1.
    pub round: u32,
    /// The map, by its place in the list of maps.
    pub map: usize,
    /// The teams that meet.
    pub group: Group,
}

/// A seating: the member of the group, from 0, in each seat. Members beyond the group's teams are house bots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Seating(pub [usize; SEATS]);

/// A scheduled game of a matchup; [`Plan::job`] returns all data needed to play the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fixture {
    /// The key of the game.
    pub key: Key,
    /// The matchup: its round, map and teams.
    pub matchup: Matchup,
    /// The seating of the game.
    pub seating: Seating,
}

/// The choice of the seatings of a group that are played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Seatings {
    /// The four rotations of the members by one seat.
    #[default]
    Cyclic,
    /// All 24 seatings.
    All,
}

impl Seatings {
    /// The seatings, in a fixed order.
    pub fn list(self) -> Vec<Seating> {
        let cyclic = (0..SEATS).map(|by| Seating(std::array::from_fn(|seat| (seat + by) % SEATS)));
        match self {
            Self::Cyclic => cyclic.collect(),
            Self::All => {
                let all = (0..SEATS.pow(SEATS as u32)).map(|code| {
                    Seating(std::array::from_fn(|seat| {
                        code / SEATS.pow((SEATS - 1 - seat) as u32) % SEATS
                    }))
                });
                all.filter(|seating| (0..SEATS).all(|member| seating.0.contains(&member))).collect()
            }
        }
    }

    /// The seatings that are different games for a group: house bots are interchangeable, so exchanging their seats
    /// changes nothing. Each team is in each seat equally often.
    pub fn of_group(self, group: Group) -> Vec<Seating> {
        let is_first =
            |seating: &Seating| seating.0.iter().filter(|&&member| member >= group.len).is_sorted();
        match self {
            Self::Cyclic => self.list(),
            Self::All => self.list().into_iter().filter(is_first).collect(),
        }
    }
}

/// The permanent identifier of a game, derived from the tournament, the matchup, the seating and the versions of the
/// teams.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key([u8; 16]);

impl Key {
    /// The key of a game.
    #[must_use]
    pub fn of_game(plan: &Plan, matchup: &Matchup, seating: Seating) -> Self {
        let mut hash = hash_of(plan, matchup);
        for member in seating.0 {
            let team = matchup.group.teams().get(member).map(|&index| &plan.teams[index]);
            hash_field(&mut hash, team.map_or("", |team| &team.name).as_bytes());
            hash_field(&mut hash, team.map_or("", |team| &team.version).as_bytes());
        }
        Self::from_hash(hash)
    }

    /// The key of a matchup, common to all its games.
    #[must_use]
    pub fn of_matchup(plan: &Plan, matchup: &Matchup) -> Self {
        Self::from_hash(hash_of(plan, matchup))
    }

    /// The bytes of the key.
    pub fn as_bytes(&self) -> &[u8; 16] {
        &self.0
    }

    /// The key with these bytes.
    #[must_use]
    pub fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }

    fn from_hash(hash: Sha256) -> Self {
        let digest: [u8; 32] = hash.finalize().into();
        Self(*digest.first_chunk().expect("a digest is longer"))
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", u128::from_be_bytes(self.0))
    }
}

/// A text is not the key of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{}", said!(
    "expected the 32 hexadecimal digits of a key",
    "les 32 chiffres hexadécimaux d'une clé sont attendus"
))]
pub struct KeyError;

impl FromStr for Key {
    type Err = KeyError;

    fn from_str(text: &str) -> Result<Self, KeyError> {
        let is_key = text.len() == 32 && text.bytes().all(|digit| digit.is_ascii_hexdigit());
        let number = u128::from_str_radix(text, 16).ok().filter(|_| is_key);
        Ok(Self(number.ok_or(KeyError)?.to_be_bytes()))
    }
}

impl Serialize for Key {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Key {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Key({self})")
    }
}

/// The seed of all games of a matchup. It depends on the tournament's seed, the teams and the map, not on the versions
/// of the teams: a changed team has the same luck again.
pub fn seed(plan: &Plan, matchup: &Matchup) -> u64 {
    let digest: [u8; 32] = hash_of(plan, matchup).finalize().into();
    let (_, rest) = digest.split_at(16);
    u64::from_le_bytes(*rest.first_chunk().expect("a digest has 32 bytes"))
}

fn hash_of(plan: &Plan, matchup: &Matchup) -> Sha256 {
    let mut hash = Sha256::new();
    plan.conditions.hash_into(&mut hash);
    hash_field(&mut hash, plan.maps[matchup.map].text.as_bytes());
    hash_field(&mut hash, &matchup.round.to_le_bytes());
    let mut names: Vec<_> =
        matchup.group.teams().iter().map(|&team| plan.teams[team].name.as_str()).collect();
    names.sort_unstable();
    for name in names {
        hash_field(&mut hash, name.as_bytes());
    }
    hash
}

/// Adds a field with its length to a hash, so that no two lists of fields give the same bytes.
pub fn hash_field(hash: &mut Sha256, bytes: &[u8]) {
    hash.update((bytes.len() as u64).to_le_bytes());
    hash.update(bytes);
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::time::Duration;

    use game::pacman::RulesPreset;
    use proptest::collection::btree_set;
    use proptest::prelude::*;

    use super::*;
    use crate::team::Program;
    use crate::testing::plan;

    fn matchup(teams: &[usize]) -> Matchup {
        Matchup { round: 1, map: 0, group: Group::new(teams).unwrap() }
    }

    const STRAIGHT: Seating = Seating([0, 1, 2, 3]);

    /// The key of a game, the key of its matchup, and its seed.
    fn facts(plan: &Plan, matchup: &Matchup) -> (Key, Key, u64) {
        let game = Key::of_game(plan, matchup, STRAIGHT);
        (game, Key::of_matchup(plan, matchup), seed(plan, matchup))
    }

    #[test]
    fn names_and_seeds_stay_what_they_are() {
        let plan = plan();
        let cases = [
            (
                &[0, 1, 2, 3][..],
                "c6ea67a65ee67cb63c552c02166784b8",
                "f053200013fcfae9ac74e298c5873034",
                7_477_050_726_007_551_113,
            ),
            (
                &[4, 1],
                "cd06b09bcbcb15acf91d52619a37ce43",
                "5e681ef34f63e15f8949651e776a4113",
                13_055_525_958_239_357_562,
            ),
        ];
        for (teams, game, key, seed) in cases {
            let (of_game, of_matchup, found_seed) = facts(&plan, &matchup(teams));
            assert_eq!((&*of_game.to_string(), &*of_matchup.to_string()), (game, key));
            assert_eq!(found_seed, seed);
        }
    }

    #[test]
    fn whatever_matters_gives_other_games() {
        type Change = fn(&mut Plan, &mut Matchup);
        let changes: [(&str, Change); 10] = [
            ("seed", |plan, _| plan.conditions.seed += 1),
            ("rules", |plan, _| plan.conditions.rules = RulesPreset::Sujet),
            ("turns", |plan, _| plan.conditions.turns += 1),
            ("deadline", |plan, _| plan.conditions.deadline += Duration::from_nanos(1)),
            ("house", |plan, _| plan.conditions.house = "dijkstra".to_owned()),
            ("map", |_, matchup| matchup.map = 1),
            ("round", |_, matchup| matchup.round = 2),
            ("team", |_, matchup| matchup.group = Group::new(&[0, 1, 2, 4]).unwrap()),
            ("fewer teams", |_, matchup| matchup.group = Group::new(&[0, 1, 2]).unwrap()),
            ("name", |plan, _| plan.teams[0].name = "Adb".to_owned()),
        ];
        let before = facts(&plan(), &matchup(&[0, 1, 2, 3]));
        let mut all = BTreeSet::from([before.0, before.1]);
        let mut seeds = BTreeSet::from([before.2]);
        let count = changes.len() + 1;
        for (what, change) in changes {
            let (mut plan, mut matchup) = (plan(), matchup(&[0, 1, 2, 3]));
            change(&mut plan, &mut matchup);
            let after = facts(&plan, &matchup);
            assert!(all.insert(after.0) && all.insert(after.1) && seeds.insert(after.2), "{what}");
        }
        assert_eq!((all.len(), seeds.len()), (2 * count, count));
    }

    #[test]
    fn what_does_not_matter_changes_nothing() {
        let changes: [fn(&mut Plan); 6] = [
            |plan| plan.conditions.name = "autre".to_owned(),
            |plan| plan.conditions.seatings = Seatings::All,
            |plan| plan.maps[0].name = "autre".to_owned(),
            |plan| plan.maps.truncate(1),
            |plan| plan.teams[0].program = Program::Remote,
            |plan| plan.teams[0].generation = 5,
        ];
        let matchup = matchup(&[0, 1, 2, 3]);
        for change in changes {
            let mut plan = plan();
            let before = facts(&plan, &matchup);
            change(&mut plan);
            assert_eq!(facts(&plan, &matchup), before);
        }
    }

    #[test]
    fn a_version_changes_the_key_but_not_the_luck() {
        let mut plan = plan();
        let (with, without) = (matchup(&[0, 1, 2, 3]), matchup(&[1, 2, 3, 4]));
        let before = (facts(&plan, &with), facts(&plan, &without));
        plan.teams[0].version = "Ada 2".to_owned();
        let after = (facts(&plan, &with), facts(&plan, &without));
        assert_ne!(after.0.0, before.0.0);
        assert_eq!((after.0.1, after.0.2), (before.0.1, before.0.2));
        assert_eq!(after.1, before.1);
    }

    #[test]
    fn the_order_of_the_list_does_not_change_the_luck() {
        let mut plan = plan();
        let before = facts(&plan, &matchup(&[0, 1, 4]));
        plan.teams.reverse();
        let after = facts(&plan, &matchup(&[4, 3, 0]));
        assert_eq!((after.1, after.2), (before.1, before.2));
    }

    #[test]
    fn keys_are_read_as_they_are_shown() {
        let key = Key::from_bytes(std::array::from_fn(|index| index as u8 * 17));
        assert_eq!(key.to_string().parse(), Ok(key));
        for wrong in ["", "00", &"0".repeat(31), &"g".repeat(32), &"é".repeat(16), &"+".repeat(32)]
        {
            assert_eq!(wrong.parse::<Key>(), Err(KeyError), "{wrong}");
        }
    }

    #[test]
    fn fields_do_not_run_into_each_other() {
        let key = |names: [&str; 4], versions: [&str; 4]| {
            let mut plan = plan();
            for (team, (name, version)) in plan.teams.iter_mut().zip(names.iter().zip(versions)) {
                (team.name, team.version) = ((*name).to_owned(), version.to_owned());
            }
            Key::of_game(&plan, &matchup(&[0, 1, 2, 3]), STRAIGHT)
        };
        let keys = [
            key(["a", "b", "c", "d"], ["1", "2", "3", "4"]),
            key(["a", "b", "c", "d"], ["12", "", "3", "4"]),
            key(["a", "b", "c", "d"], ["", "12", "3", "4"]),
            key(["ab", "", "c", "d"], ["1", "2", "3", "4"]),
            key(["a1", "b", "c", "d"], ["", "2", "3", "4"]),
        ];
        assert_eq!(BTreeSet::from(keys).len(), keys.len());
    }

    #[test]
    fn seatings_of_a_group_are_different_games() {
        let plan = plan();
        // Teams, and number of games over all their seatings.
        for (teams, games) in [(&[0][..], 4), (&[0, 1], 12), (&[0, 1, 2], 24), (&[0, 1, 2, 3], 24)]
        {
            let matchup = matchup(teams);
            let key = |&seating: &Seating| Key::of_game(&plan, &matchup, seating);
            let all: BTreeSet<_> = Seatings::All.list().iter().map(key).collect();
            let list = Seatings::All.of_group(matchup.group);
            assert_eq!(list.iter().map(key).collect::<BTreeSet<_>>(), all);
            assert_eq!((list.len(), all.len()), (games, games));
            let cyclic = Seatings::Cyclic.of_group(matchup.group);
            assert_eq!(cyclic.iter().map(key).collect::<BTreeSet<_>>().len(), 4);
            for (list, each) in [(list, games / 4), (cyclic, 1)] {
                for (seat, member) in (0..4 * teams.len()).map(|code| (code % 4, code / 4)) {
                    let times = list.iter().filter(|seating| seating.0[seat] == member).count();
                    assert_eq!(times, each, "team {member} in seat {seat}");
                }
            }
        }
    }

    #[test]
    fn groups_have_one_to_four_different_teams() {
        assert_eq!(Group::new(&[3, 0, 2]).unwrap().teams(), [0, 2, 3]);
        assert_eq!(Group::new(&[2, 0, 3]), Group::new(&[3, 2, 0]));
        for wrong in [&[][..], &[1, 1], &[0, 2, 0, 1], &[0, 1, 2, 3, 4]] {
            assert_eq!(Group::new(wrong), None, "{wrong:?}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

        #[test]
        fn other_matchups_have_other_keys_and_seeds(
            matchups in btree_set(
                (1..9_u32, 0..2_usize, btree_set(0..5_usize, 1..5)), 2..40
            ),
        ) {
            let plan = plan();
            let (mut games, mut keys, mut seeds) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
            let mut expected = 0;
            for (round, map, teams) in &matchups {
                let group = Group::new(&teams.iter().copied().collect::<Vec<_>>()).unwrap();
                let matchup = Matchup { round: *round, map: *map, group };
                let list = Seatings::All.of_group(group);
                expected += list.len();
                games.extend(list.into_iter().map(|seating| Key::of_game(&plan, &matchup, seating)));
                let key = Key::of_matchup(&plan, &matchup);
                prop_assert_eq!(Key::from_bytes(*key.as_bytes()), key);
                keys.insert(key);
                seeds.insert(seed(&plan, &matchup));
            }
            prop_assert_eq!(games.len(), expected);
            prop_assert_eq!((keys.len(), seeds.len()), (matchups.len(), matchups.len()));
            prop_assert!(keys.is_disjoint(&games));
        }
    }
}
