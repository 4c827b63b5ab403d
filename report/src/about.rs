//! The conditions of a tournament, as pages show them.

use serde::Serialize;

use super::ranking::milliseconds;
use plan::{Format, Note, Plan, Seatings};

/// The conditions of a tournament.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct About {
    /// Its name.
    pub name: String,
    /// What the seeds of its games come from; a text, for it may be too large for a number of JavaScript.
    pub seed: String,
    /// The preset of the rules.
    pub rules: String,
    /// Turns of a game.
    pub turns: u32,
    /// Time limit of an answer, in milliseconds.
    pub deadline: f64,
    /// The bot in seats that no team has.
    pub house: String,
    /// Seatings of each meeting.
    pub seatings: usize,
    /// The names of the maps.
    pub maps: Vec<String>,
    /// How it is played: `groups`, `gauntlet`, `pools` or `swiss`.
    pub format: &'static str,
    /// Rounds.
    pub rounds: u32,
    /// What readers have to know of the machine and of its protections.
    pub notes: Vec<Note>,
}

impl About {
    /// The conditions of this plan.
    #[must_use]
    pub fn of(plan: &Plan) -> Self {
        let conditions = &plan.conditions;
        Self {
            name: conditions.name.clone(),
            seed: conditions.seed.to_string(),
            rules: conditions.rules.name().to_owned(),
            turns: conditions.turns,
            deadline: milliseconds(conditions.deadline),
            house: conditions.house.0.name.to_owned(),
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
