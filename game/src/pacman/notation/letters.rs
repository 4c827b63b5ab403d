//! One letter for each thing on the board.

use crate::pacman::Object;

/// A wall (*mur*).
pub(super) const WALL: u8 = b'#';
/// A corridor (*couloir*) without an object.
pub(super) const EMPTY: u8 = b' ';

/// Of each object, in the order of [`Object::ALL`].
const OBJECTS: [u8; 6] = *b".$@~&!";

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

/// Object in a corridor with this letter.
pub(super) fn object(letter: u8) -> Result<Option<Object>, Unknown> {
    if letter == EMPTY {
        return Ok(None);
    }
    let at = OBJECTS.iter().position(|&known| known == letter).ok_or(Unknown)?;
    Ok(Some(Object::ALL[at]))
}
