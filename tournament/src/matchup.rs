//! Who meets whom, where, and what each game of it is called.

use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::plan::Plan;

/// Players of a game.
pub const SEATS: usize = 4;

/// Up to four different teams, by their places in the list of teams, in ascending order. The house has
/// the seats that are left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Group {
    teams: [usize; SEATS],
    len: usize,
}

impl Group {
    /// The group of these teams; `None` when there are none, more than four, or one twice.
    #[must_use]
    pub fn new(teams: &[usize]) -> Option<Self> {
        let len = teams.len();
        let mut sorted = [0; SEATS];
        sorted.get_mut(..len)?.copy_from_slice(teams);
        sorted[..len].sort_unstable();
        let distinct = sorted[..len].windows(2).all(|pair| pair[0] < pair[1]);
        (len > 0 && distinct).then_some(Self { teams: sorted, len })
    }

    /// The teams, in ascending order.
    #[must_use]
    pub fn teams(&self) -> &[usize] {
        &self.teams[..self.len]
    }
}

/// A meeting (*rencontre*): a group on a map, once in every seating.
///
/// Its games are played with the same seed, so with the same starts and the same draws; only who sits
/// where is different.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Matchup {
    /// Which round it belongs to, from 1.
    pub round: u32,
    /// The map, by its place in the list of maps.
    pub map: usize,
    /// Who meets.
    pub group: Group,
}

/// Who sits where: the member of the group, from 0, in each seat. Members beyond the group's teams are
/// the house's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Seating(pub [usize; SEATS]);

/// A game of a meeting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Game {
    /// What it is called.
    pub key: Key,
    /// Who meets, and where.
    pub matchup: Matchup,
    /// Who sits where.
    pub seating: Seating,
}

/// Which seatings of a group are played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Seatings {
    /// The four in which everybody moves on by a seat.
    #[default]
    Cyclic,
    /// All 24.
    All,
}

impl Seatings {
    /// The seatings, in a fixed order.
    #[must_use]
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

    /// Those that are different games for a group: players of the house are alike, so that nothing changes
    /// when they change seats. Each team is in each seat equally often.
    #[must_use]
    pub fn of_group(self, group: Group) -> Vec<Seating> {
        let is_first =
            |seating: &Seating| seating.0.iter().filter(|&&member| member >= group.len).is_sorted();
        match self {
            Self::Cyclic => self.list(),
            Self::All => self.list().into_iter().filter(is_first).collect(),
        }
    }
}

/// What a game is called for ever: it follows from the tournament, the meeting, the seating and the
/// versions of the teams.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key([u8; 16]);

impl Key {
    /// The key of a game.
    #[must_use]
    pub fn of_game(plan: &Plan, matchup: &Matchup, seating: Seating) -> Self {
        let mut hash = hash_of(plan, matchup);
        for member in seating.0 {
            let team = matchup.group.teams().get(member).map(|&index| &plan.teams[index]);
            field(&mut hash, team.map_or("", |team| &team.name).as_bytes());
            field(&mut hash, team.map_or("", |team| &team.version).as_bytes());
        }
        Self::from_hash(hash)
    }

    /// The key of a meeting, whose games have it in common.
    #[must_use]
    pub fn of_matchup(plan: &Plan, matchup: &Matchup) -> Self {
        Self::from_hash(hash_of(plan, matchup))
    }

    /// Its bytes.
    #[must_use]
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
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Key({self})")
    }
}

/// The seed of all games of a meeting. It follows from the tournament's seed and who meets where, not
/// from their versions: a changed team meets the same luck again.
#[must_use]
pub fn seed(plan: &Plan, matchup: &Matchup) -> u64 {
    let digest: [u8; 32] = hash_of(plan, matchup).finalize().into();
    let (_, rest) = digest.split_at(16);
    u64::from_le_bytes(*rest.first_chunk().expect("a digest has 32 bytes"))
}

fn hash_of(plan: &Plan, matchup: &Matchup) -> Sha256 {
    let mut hash = Sha256::new();
    plan.conditions.hash_into(&mut hash);
    field(&mut hash, plan.maps[matchup.map].text.as_bytes());
    field(&mut hash, &matchup.round.to_le_bytes());
    let mut names: Vec<_> =
        matchup.group.teams().iter().map(|&team| plan.teams[team].name.as_str()).collect();
    names.sort_unstable();
    for name in names {
        field(&mut hash, name.as_bytes());
    }
    hash
}

/// Takes a field in, so that no two lists of fields give the same bytes.
pub(crate) fn field(hash: &mut Sha256, bytes: &[u8]) {
    hash.update((bytes.len() as u64).to_le_bytes());
    hash.update(bytes);
}
