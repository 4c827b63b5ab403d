//! One letter for each thing.

use crate::pacman::{Colour, Object};
use graph::Direction;

/// A wall (*mur*).
pub(super) const WALL: u8 = b'#';
/// A corridor (*couloir*) without an object.
pub(super) const EMPTY: u8 = b' ';

/// Of each object, in the order of [`Object::ALL`].
const OBJECTS: [u8; 6] = *b".$@~&!";
/// Of each direction (`O` for *ouest*), in the order of [`Direction::ALL`].
const DIRECTIONS: [u8; 4] = *b"NESO";

impl Object {
    /// The letter of maps and states.
    #[must_use]
    pub const fn letter(self) -> char {
        OBJECTS[self as usize - 1] as char
    }
}

/// The letter of what a corridor holds, by the codes of `Objects`.
pub(super) fn of_code(code: u8) -> u8 {
    match usize::from(code) {
        0 => EMPTY,
        code => OBJECTS[code - 1],
    }
}

/// A letter that stands for nothing that a corridor can hold.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unknown;

/// What a corridor with this letter holds.
pub(super) fn object(letter: u8) -> Result<Option<Object>, Unknown> {
    if letter == EMPTY {
        return Ok(None);
    }
    let at = OBJECTS.iter().position(|&known| known == letter).ok_or(Unknown)?;
    Ok(Some(Object::ALL[at]))
}

pub(super) fn direction(letter: u8) -> Option<Direction> {
    let at = DIRECTIONS.iter().position(|&known| known == letter)?;
    Some(Direction::ALL[at])
}

pub(super) fn of_direction(direction: Direction) -> u8 {
    DIRECTIONS[direction.index()]
}

/// Of each player and its pacman, by colour.
pub(super) const PACMANS: &[u8; Colour::MAX] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ";
/// Of each player's ghost, by colour.
pub(super) const GHOSTS: &[u8; Colour::MAX] = b"abcdefghijklmnopqrstuvwxyz";

impl Colour {
    /// The upper-case letter, which names the player and its pacman.
    #[must_use]
    pub const fn letter(self) -> char {
        PACMANS[self.index()] as char
    }

    /// The colour with this upper-case letter.
    #[must_use]
    pub fn from_letter(letter: char) -> Option<Self> {
        PACMANS.iter().position(|&known| char::from(known) == letter).and_then(Self::new)
    }
}
