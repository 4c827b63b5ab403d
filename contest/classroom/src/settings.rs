//! The settings of a course.

use std::time::Duration;

use course::LadderRules;
use game::pacman::RulesPreset;
use plan::{NamedMap, TeamLimits};
use sandbox::Level;
use similarity::Source;

use crate::Rest;

/// The settings of a course, from its configuration.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The name of the course.
    pub name: String,
    /// The rules of all games.
    pub rules: RulesPreset,
    /// The number of turns of a game of the ladder.
    pub turns: u32,
    /// Time limit of an answer.
    pub deadline: Duration,
    /// The maps of the ladder; at least one.
    pub maps: Vec<NamedMap>,
    /// Resource limits of programs.
    pub programs: TeamLimits,
    /// House bots that play on the ladder, and from which marks follow; at least one.
    pub levels: Vec<String>,
    /// The isolation of programs.
    pub isolation: Level,
    /// The number of games at a time on this machine; 0 if only others play.
    pub parallel: usize,
    /// The hours in which no game of the ladder begins.
    pub rest: Vec<Rest>,
    /// The rules by which the ladder chooses games.
    pub ladder: LadderRules,
    /// Maximum numbers of versions and requests of a team.
    pub hand_in: course::Limits,
    /// The limits of an upload.
    pub upload: intake::Limits,
    /// Number of bytes of recordings and outputs that are kept.
    pub recordings: u64,
    /// The address at which the pages are found, as `https://pacman.example` of a reverse proxy with TLS; `None` for numeric
    /// addresses only.
    pub address: Option<String>,
    /// Files that the course has handed out: what they have does not count when sources are compared.
    pub given: Vec<Source>,
}
