//! The plan of a tournament: teams, maps, rules.

use std::time::Duration;

use game::pacman::RulesPreset;
use game::pacman::{Map, MapError};
use language::{Note, said};
use protocol::Name;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::matchup::{Matchup, SEATS, Seating, Seatings, hash_field, seed};
use crate::schedule::Schedule;
use crate::team::Team;

/// A tournament: everything that determines its games.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The conditions of every game.
    pub conditions: Conditions,
    /// The maps.
    pub maps: Vec<NamedMap>,
    /// The teams.
    pub teams: Vec<Team>,
    /// The schedule of the matchups.
    pub schedule: Schedule,
    /// Limits of the teams' programs.
    pub limits: TeamLimits,
    /// Notes for readers of the results about the machine and its protections in the last run.
    pub notes: Vec<Note>,
}

/// A map and its name. It is serialised as its name and its text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "MapText", into = "MapText")]
pub struct NamedMap {
    /// The name of the map: the name of its file.
    pub name: String,
    /// The text of the map.
    pub text: String,
    /// The map.
    pub map: Map,
}

/// The text of a named map is not a map.
#[derive(Clone, Debug, Error)]
#[error("{}", said!("the map {name}: {source}", "la carte {name} : {source}"))]
pub struct NamedMapError {
    /// The name of the map.
    pub name: String,
    /// The error in the text of the map.
    pub source: MapError,
}

impl NamedMap {
    /// Reads a map of this name.
    ///
    /// # Errors
    ///
    /// If the text is not a map.
    pub fn parse(name: String, text: String) -> Result<Self, NamedMapError> {
        match Map::parse(text.as_bytes()) {
            Ok(map) => Ok(Self { name, text, map }),
            Err(source) => Err(NamedMapError { name, source }),
        }
    }
}

#[derive(Serialize, Deserialize)]
struct MapText {
    name: String,
    text: String,
}

impl From<NamedMap> for MapText {
    fn from(NamedMap { name, text, map: _ }: NamedMap) -> Self {
        Self { name, text }
    }
}

impl TryFrom<MapText> for NamedMap {
    type Error = NamedMapError;

    fn try_from(MapText { name, text }: MapText) -> Result<Self, NamedMapError> {
        Self::parse(name, text)
    }
}

/// The conditions of every game, which stay the same for the whole tournament.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conditions {
    /// The name of the tournament.
    pub name: String,
    /// The seed from which the seeds of the games are derived.
    pub seed: u64,
    /// The rules.
    pub rules: RulesPreset,
    /// Number of turns of a game.
    pub turns: u32,
    /// Time limit of an answer, from the sending of the state.
    pub deadline: Duration,
    /// The name of the house bot in seats without a team.
    pub house: String,
    /// The seatings of a group that are played.
    pub seatings: Seatings,
}

impl Plan {
    /// The names of the players of a game, by colour: the team names, and for house bots the name of the bot, with a
    /// number if the name is taken.
    pub fn names(&self, matchup: &Matchup, seating: Seating) -> Vec<String> {
        let mut names: Vec<Option<String>> = seating
            .0
            .map(|member| self.member(matchup, member).map(|team| team.name.clone()))
            .into();
        for seat in 0..names.len() {
            if names[seat].is_none() {
                let taken = |name: &str| names.iter().flatten().any(|other| other == name);
                let name = Name::new(&self.conditions.house).distinct(taken).to_string();
                names[seat] = Some(name);
            }
        }
        names.into_iter().flatten().collect()
    }

    /// The seatings of a matchup that are played.
    ///
    /// In cyclic seatings each member always sits after the same other member. This cyclic order is drawn for each matchup,
    /// so that no place in the list of teams has an advantage.
    pub fn seatings(&self, matchup: &Matchup) -> Vec<Seating> {
        let seatings = self.conditions.seatings.of_group(matchup.group);
        if self.conditions.seatings == Seatings::All {
            return seatings;
        }
        let seed = seed(self, matchup).to_le_bytes();
        let mut members: [usize; SEATS] = std::array::from_fn(|member| member);
        members.sort_by_cached_key(|member| {
            let lot: [u8; 32] = Sha256::digest([&seed[..], &[*member as u8]].concat()).into();
            lot
        });
        let drawn = |Seating(seats): Seating| Seating(seats.map(|member| members[member]));
        seatings.into_iter().map(drawn).collect()
    }

    /// The team of this member of a matchup; `None` for the house.
    pub fn member(&self, matchup: &Matchup, member: usize) -> Option<&Team> {
        matchup.group.teams().get(member).map(|&team| &self.teams[team])
    }
}

impl Conditions {
    /// Adds the conditions that affect results to a hash.
    pub(crate) fn hash_into(&self, hash: &mut Sha256) {
        let Self { name: _, seed, rules, turns, deadline, house, seatings: _ } = self;
        hash_field(hash, &seed.to_le_bytes());
        hash_field(hash, rules.name().as_bytes());
        hash_field(hash, &turns.to_le_bytes());
        hash_field(hash, &deadline.as_nanos().to_le_bytes());
        hash_field(hash, house.as_bytes());
    }
}

/// Resource limits of a team's program, with all processes that it starts, in a game. They affect results only if
/// a program exceeds them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TeamLimits {
    /// Time to start and register.
    pub start: Duration,
    /// Memory of all its processes together, in bytes; `None` for no limit.
    pub memory: Option<u64>,
    /// Number of processes and threads; `None` for no limit.
    pub processes: Option<u32>,
    /// Processor time of all its processes together; `None` for no limit.
    pub cpu: Option<Duration>,
    /// Total size of the files that it may write, in bytes.
    pub scratch: u64,
}

impl Default for TeamLimits {
    /// 10 s to start, 2 GiB of memory, 256 processes and threads, unlimited processor time, 64 MiB of files.
    fn default() -> Self {
        Self {
            start: Duration::from_secs(10),
            memory: Some(2 << 30),
            processes: Some(256),
            cpu: None,
            scratch: 64 << 20,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use crate::matchup::Group;
    use crate::testing::plan;

    use super::*;

    #[test]
    fn who_sits_after_whom_is_drawn_for_each_matchup() {
        let plan = plan();
        let group = Group::new(&[0, 1, 2]).unwrap();
        let next = |round| {
            let seatings = plan.seatings(&Matchup { round, map: 0, group });
            let seat = |seating: &Seating, member| {
                seating.0.iter().position(|other| *other == member).unwrap()
            };
            for member in 0..SEATS {
                let seats: BTreeSet<_> = seatings.iter().map(|one| seat(one, member)).collect();
                assert_eq!(seats.len(), SEATS, "everybody sits everywhere");
            }
            seatings[0].0[(seat(&seatings[0], 0) + 1) % SEATS]
        };
        assert_eq!((1..40).map(next).collect::<BTreeSet<_>>(), [1, 2, 3].into());
    }
}
