//! A plan for the tests.

use std::time::Duration;

use game::pacman::RulesPreset;

use crate::matchup::Seatings;
use crate::plan::{Conditions, NamedMap, Plan, TeamLimits};
use crate::schedule::{Format, Schedule};
use crate::team::{Program, Team};

/// Five teams, two small maps.
pub(crate) fn plan() -> Plan {
    let map = |name: &str, text: &str| NamedMap::parse(name.to_owned(), text.to_owned()).unwrap();
    let team = |name| Team::new(name, Program::House("glouton".to_owned()), format!("{name} 1"));
    Plan {
        conditions: Conditions {
            name: "essai".to_owned(),
            seed: 7,
            rules: RulesPreset::Orleans2024,
            turns: 200,
            deadline: Duration::from_secs(1),
            house: "glouton".to_owned(),
            seatings: Seatings::Cyclic,
        },
        maps: vec![
            map("petite", "3;4\n#  #\n    \n#  #\n"),
            map("autre", "3;4\n# .#\n    \n#  #\n"),
        ],
        teams: ["Ada", "Bob", "Cléo", "Dan", "Eva"].map(team).to_vec(),
        schedule: Schedule { format: Format::Swiss, rounds: 3, until: None, lots: 7 },
        limits: TeamLimits::default(),
        notes: Vec::new(),
    }
}
