//! The conditions of a tournament, as pages show them.

use serde::Serialize;

use super::ranking::milliseconds;
use plan::{Format, Note, Plan, Seatings};

/// The conditions of a tournament.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct About {
    /// The name of the tournament.
    pub name: String,
    /// The seed of the tournament; a text, since it may exceed the integers of JavaScript.
    pub seed: String,
    /// The preset of the rules.
    pub rules: String,
    /// The number of turns of a game.
    pub turns: u32,
    /// Time limit of an answer, in milliseconds.
    pub deadline: f64,
    /// The name of the bot in seats without a team.
    pub house: String,
    /// The number of seatings of each matchup.
    pub seatings: usize,
    /// The names of the maps.
    pub maps: Vec<String>,
    /// The format: `groups`, `gauntlet`, `pools` or `swiss`.
    pub format: &'static str,
    /// The number of rounds.
    pub rounds: u32,
    /// Notes for readers on the machine and its protections.
    pub notes: Vec<Note>,
}

impl About {
    /// The conditions of a plan.
    #[must_use]
    pub fn of(plan: &Plan) -> Self {
        let conditions = &plan.conditions;
        Self {
            name: conditions.name.clone(),
            seed: conditions.seed.to_string(),
            rules: conditions.rules.name().to_owned(),
            turns: conditions.turns,
            deadline: milliseconds(conditions.deadline),
            house: conditions.house.clone(),
            seatings: match conditions.seatings {
                Seatings::Cyclic => 4,
                Seatings::All => 24,
            },
            maps: plan.maps.iter().map(|map| map.name.clone()).collect(),
            format: match plan.schedule.format {
                Format::Groups { .. } => "groups",
                Format::Gauntlet { .. } => "gauntlet",
                Format::Pools { .. } => "pools",
                Format::Swiss => "swiss",
            },
            rounds: plan.schedule.rounds,
            notes: plan.notes.clone(),
        }
    }
}
