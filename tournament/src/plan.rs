//! What a tournament is: who plays, on which maps, by which rules.

use std::time::Duration;

use game::pacman::Map;
use serde::{Deserialize, Serialize};
use sha2::Sha256;

use crate::matchup::{Seatings, field};
use crate::schedule::Schedule;
use crate::team::Team;

/// A tournament, as far as its games follow from it.
#[derive(Clone, Debug)]
pub struct Plan {
    /// What holds for every game.
    pub conditions: Conditions,
    /// The maps.
    pub maps: Vec<NamedMap>,
    /// The teams.
    pub teams: Vec<Team>,
    /// Who meets whom.
    pub schedule: Schedule,
}

/// A map, and what it is called.
#[derive(Clone, Debug)]
pub struct NamedMap {
    /// Its name: that of its file.
    pub name: String,
    /// Its text.
    pub text: String,
    /// The map.
    pub map: Map,
}

/// What holds for every game, from the first to the last one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conditions {
    /// What the tournament is called.
    pub name: String,
    /// What the seeds of its games come from.
    pub seed: u64,
    /// The preset of the rules, by its name.
    pub rules: String,
    /// Turns of a game.
    pub turns: u32,
    /// For an order to come.
    pub deadline: Duration,
    /// The house's bot in seats that no team has.
    pub house: String,
    /// Which seatings of a group are played.
    pub seatings: Seatings,
}

impl Conditions {
    /// Takes in what the results of games depend on.
    pub(crate) fn hash_into(&self, hash: &mut Sha256) {
        let Self { name: _, seed, rules, turns, deadline, house, seatings: _ } = self;
        field(hash, &seed.to_le_bytes());
        field(hash, rules.as_bytes());
        field(hash, &turns.to_le_bytes());
        field(hash, &deadline.as_nanos().to_le_bytes());
        field(hash, house.as_bytes());
    }
}
