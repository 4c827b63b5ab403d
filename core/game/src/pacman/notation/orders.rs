//! Orders as two letters.

use crate::notation::{NO_DIRECTION, direction, of_direction};
use crate::pacman::Orders;

impl Orders {
    /// Reads what a client sent: the first character is the pacman's direction, the second the
    /// ghost's. A missing character, or one that is no direction, is `None`; more characters are ignored. Bytes that are not
    /// UTF-8 count as the replacement characters of lossy decoding.
    #[must_use]
    pub fn decode(text: &[u8]) -> Self {
        let [pacman, ghost] = match text {
            // The usual case, and the only one in which both can be directions.
            [pacman, ghost, ..] if pacman.is_ascii() => [Some(*pacman), Some(*ghost)],
            [pacman] => [Some(*pacman), None],
            _ => {
                // A character has at most four bytes: two characters fit into eight.
                let start = String::from_utf8_lossy(&text[..text.len().min(8)]);
                let mut characters = start.chars().map(|c| u8::try_from(c).ok());
                [(); 2].map(|()| characters.next().flatten())
            }
        };
        Self { pacman: pacman.and_then(direction), ghost: ghost.and_then(direction) }
    }

    /// The two letters to send.
    pub fn encode(self) -> [u8; 2] {
        [self.pacman, self.ghost].map(|order| order.map_or(NO_DIRECTION, of_direction))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use graph::Direction;

    #[test]
    fn characters_are_unicode_scalar_values() {
        let both = |pacman, ghost| Orders { pacman, ghost };
        let (north, west) = (Some(Direction::North), Some(Direction::West));
        for (text, expected) in [
            ("NO".as_bytes(), both(north, west)),
            (b"NOS", both(north, west)),
            (b"", both(None, None)),
            (b"N", both(north, None)),
            (b"no", both(None, None)),
            (b" O", both(None, west)),
            ("éO".as_bytes(), both(None, west)),
            ("NéO".as_bytes(), both(north, None)),
            ("🕹O".as_bytes(), both(None, west)),
            ("🕹🕹O".as_bytes(), both(None, None)),
            (b"\xffO", both(None, west)),
            (b"\xc3O", both(None, west)),
            (b"\xc3\xa9O", both(None, west)),
        ] {
            assert_eq!(Orders::decode(text), expected, "{text:?}");
        }
    }

    #[test]
    fn what_is_sent_is_what_is_read() {
        let orders = [None, Some(Direction::North), Some(Direction::East)];
        for pacman in orders {
            for ghost in orders {
                let both = Orders { pacman, ghost };
                assert_eq!(Orders::decode(&both.encode()), both);
            }
        }
    }

    #[test]
    fn any_bytes_are_orders() {
        bolero::check!().for_each(|text: &[u8]| {
            let lossy = String::from_utf8_lossy(text);
            let mut expected = lossy.chars().map(|c| {
                let at = "NESO".find(c)?;
                Some(Direction::ALL[at])
            });
            let expected = [(); 2].map(|()| expected.next().flatten());
            let Orders { pacman, ghost } = Orders::decode(text);
            assert_eq!([pacman, ghost], expected);
        });
    }
}
