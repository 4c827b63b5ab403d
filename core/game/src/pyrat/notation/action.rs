//! Answers as one letter.

use crate::notation::{NO_DIRECTION, direction, of_direction};
use crate::pyrat::Action;

impl Action {
    /// Reads what a client sent: one letter, that of a direction or `X` to stay. A `;` and what follows it are ignored; anything
    /// else is malformed.
    #[must_use]
    pub fn decode(text: &[u8]) -> Self {
        match text {
            [NO_DIRECTION] | [NO_DIRECTION, b';', ..] => Self::Nothing,
            [letter] | [letter, b';', ..] => direction(*letter).map_or(Self::Malformed, Self::Go),
            _ => Self::Malformed,
        }
    }

    /// The letter to send; `X` for every action but a direction.
    pub fn encode(self) -> u8 {
        match self {
            Self::Go(direction) => of_direction(direction),
            Self::Nothing | Self::Missed | Self::Malformed => NO_DIRECTION,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pyrat::Direction;

    #[test]
    fn answers_are_one_letter() {
        for answer in Direction::ALL.map(Action::Go).into_iter().chain([Action::Nothing]) {
            assert_eq!(Action::decode(&[answer.encode()]), answer);
        }
        assert_eq!(Action::decode(b"O"), Action::Go(Direction::West));
        assert_eq!(Action::decode(b"O;to the cheese"), Action::Go(Direction::West));
        assert_eq!(Action::decode(b"X;"), Action::Nothing);
        for malformed in [&b""[..], b"n", b"W", b"NN", b"N\n", b"N ;", b";N", b"\xc3\xa9", b"\xff"]
        {
            assert_eq!(Action::decode(malformed), Action::Malformed);
        }
    }
}
