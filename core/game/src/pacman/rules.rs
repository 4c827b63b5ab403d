//! The parameters of the rules.

use std::fmt;
use std::str::FromStr;

use language::said;
use thiserror::Error;

/// Points that a battle moves from the loser to the winner, by all sets of rules.
pub const BATTLE: i32 = 20;

/// The parameters in which sets of rules differ. Everything else is common to all sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Counter of false moves, and its condition for a teleport.
    pub false_moves: FalseMoveCounter,
    /// Points for a ghost ordered into a wall.
    pub blocked_ghost: i32,
    /// A ghost is frozen within this Chebyshev distance (cells, on the torus) of a freezing pacman.
    pub freeze_range: u16,
    /// `true` if a ghost that has eaten a pacman stays still during the next turn.
    pub digestion: bool,
}

/// Counter of false moves: one for each player, shared by its pacman and its ghost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FalseMoveCounter {
    /// Counts false moves made, from 0; the one that reaches the limit teleports its piece and
    /// the counter starts again from 0.
    Made {
        /// Number of the false move that teleports.
        limit: i32,
    },
    /// Counts false moves left, from **0**: a false move takes one off, and when none is left it
    /// teleports its piece and the counter is refilled. So a player's very first false move teleports.
    Left {
        /// Value of the counter after a teleport.
        refill: i32,
    },
}

impl FalseMoveCounter {
    /// Counts a false move on a player's counter; `true` if it teleports.
    pub fn count(self, counter: &mut i32) -> bool {
        match self {
            Self::Made { limit } => {
                *counter = counter.saturating_add(1);
                let teleports = *counter >= limit;
                if teleports {
                    *counter = 0;
                }
                teleports
            }
            Self::Left { refill } => {
                *counter = counter.saturating_sub(1);
                let teleports = *counter <= 0;
                if teleports {
                    *counter = refill;
                }
                teleports
            }
        }
    }
}

impl Rules {
    /// The subject as written (*sujet*).
    pub const SUJET: Self = Self {
        false_moves: FalseMoveCounter::Made { limit: 4 },
        blocked_ghost: -1,
        freeze_range: 4,
        digestion: false,
    };

    /// The original server of 2024, which existing bots were tuned on. A ghost ordered into a wall
    /// *earns* a point there, a slip of the original that is kept.
    pub const ORLEANS_2024: Self = Self {
        false_moves: FalseMoveCounter::Left { refill: 4 },
        blocked_ghost: 1,
        freeze_range: 5,
        digestion: true,
    };
}

/// A named set of rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum RulesPreset {
    /// [`Rules::SUJET`].
    #[default]
    Sujet,
    /// [`Rules::ORLEANS_2024`].
    Orleans2024,
}

/// There are no rules of this name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}", said!(
    "there are no rules {0:?}, expected sujet or orleans2024",
    "il n'y a pas de règles {0:?}, sujet ou orleans2024 est attendu",
    self.0
))]
pub struct UnknownRules(pub String);

impl RulesPreset {
    /// All presets.
    pub const ALL: [Self; 2] = [Self::Sujet, Self::Orleans2024];

    /// The preset with these rules; `None` for other rules.
    pub fn of(rules: Rules) -> Option<Self> {
        Self::ALL.into_iter().find(|preset| preset.rules() == rules)
    }

    /// The name of the preset in flags and files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sujet => "sujet",
            Self::Orleans2024 => "orleans2024",
        }
    }

    /// The rules themselves.
    pub fn rules(self) -> Rules {
        match self {
            Self::Sujet => Rules::SUJET,
            Self::Orleans2024 => Rules::ORLEANS_2024,
        }
    }
}

impl fmt::Display for RulesPreset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for RulesPreset {
    type Err = UnknownRules;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let preset = Self::ALL.into_iter().find(|preset| preset.name() == name);
        preset.ok_or_else(|| UnknownRules(name.to_owned()))
    }
}

impl Default for Rules {
    fn default() -> Self {
        Self::SUJET
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_subject_teleports_at_the_fourth_and_the_original_at_the_first_then_after_four() {
        for (rules, expected) in [
            (Rules::SUJET, [(1, false), (2, false), (3, false), (0, true), (1, false)]),
            (Rules::ORLEANS_2024, [(4, true), (3, false), (2, false), (1, false), (4, true)]),
        ] {
            let mut shown = 0;
            let counted = [(); 5].map(|()| (rules.false_moves.count(&mut shown), shown));
            assert_eq!(counted.map(|(teleports, shown)| (shown, teleports)), expected);
        }
    }
}
