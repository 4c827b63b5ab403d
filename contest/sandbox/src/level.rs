//! The level of isolation requested by the organiser.

use std::fmt;
use std::str::FromStr;

use language::said;

/// The level of isolation requested by the organiser.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Level {
    /// Every protection that this system has; the others are listed as [`Gap`](crate::Gap)s.
    #[default]
    Auto,
    /// No protection. Descendants of a program still end with the program where the system can identify them.
    None,
    /// Every required protection, or an error that lists those missing on this system.
    Strict,
}

/// A text that names no level.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", said!(
    "{_0:?} is no level of isolation: auto, aucun or strict",
    "{_0:?} n'est pas un isolement : auto, aucun ou strict"
))]
pub struct UnknownLevel(pub String);

impl FromStr for Level {
    type Err = UnknownLevel;

    /// Reads `auto`, `aucun` (or `none`) and `strict`.
    fn from_str(text: &str) -> Result<Self, UnknownLevel> {
        match text {
            "auto" => Ok(Self::Auto),
            "aucun" | "none" => Ok(Self::None),
            "strict" => Ok(Self::Strict),
            _ => Err(UnknownLevel(text.to_owned())),
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Auto => "auto",
            Self::None => "aucun",
            Self::Strict => "strict",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_is_read_as_it_is_written() {
        for level in [Level::Auto, Level::None, Level::Strict] {
            assert_eq!(level.to_string().parse(), Ok(level));
        }
        assert_eq!("none".parse(), Ok(Level::None));
        assert!("".parse::<Level>().is_err());
    }
}
