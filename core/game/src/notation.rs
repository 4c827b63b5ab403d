//! Notation common to the texts of all games. Letters of the wire exist only here and in the notation of each game.

mod input;

pub use input::Unexpected;
pub(crate) use input::{Expected, Input};

use graph::Direction;

use crate::colour::Colour;

/// Separator of the parts of the text of a state.
pub(crate) const DASHES: &[u8; 21] = b"--------------------\n";

/// The letter for no direction; any other character that is not a direction is equivalent.
pub(crate) const NO_DIRECTION: u8 = b'X';
/// Letters of the directions (`O` for *ouest*), in the order of [`Direction::ALL`].
const DIRECTIONS: [u8; 4] = *b"NESO";

/// Letters of the players and their pacmans, by colour.
pub(crate) const PLAYERS: &[u8; Colour::MAX] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ";
/// Letters of the players as a string.
const LETTERS: &str = match std::str::from_utf8(PLAYERS) {
    Ok(letters) => letters,
    Err(_) => unreachable!(),
};
/// Letters of the ghosts, by colour.
pub(crate) const GHOSTS: &[u8; Colour::MAX] = b"abcdefghijklmnopqrstuvwxyz";

/// The direction with this letter; `None` for any other character.
pub fn direction(letter: u8) -> Option<Direction> {
    let at = DIRECTIONS.iter().position(|&known| known == letter)?;
    Some(Direction::ALL[at])
}

/// The letter of a direction: `N`, `E`, `S` or `O`.
pub fn of_direction(direction: Direction) -> u8 {
    DIRECTIONS[direction.index()]
}

impl Colour {
    /// The upper-case letter, which names the player and its pacman.
    pub const fn letter(self) -> char {
        PLAYERS[self.index()] as char
    }

    /// The upper-case letter as a text.
    pub fn as_str(self) -> &'static str {
        &LETTERS[self.index()..=self.index()]
    }

    /// The colour with this upper-case letter.
    pub fn from_letter(letter: char) -> Option<Self> {
        PLAYERS.iter().position(|&known| char::from(known) == letter).and_then(Self::new)
    }
}
