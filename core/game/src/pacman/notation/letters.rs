//! The letters of maps and boards.

use crate::pacman::Object;

/// A wall (*mur*).
pub(super) const WALL: u8 = b'#';
/// A corridor (*couloir*) without an object.
pub(super) const EMPTY: u8 = b' ';

/// Letters of the objects, in the order of [`Object::ALL`].
const OBJECTS: [u8; 6] = *b".$@~&!";

impl Object {
    /// The letter of maps and states.
    pub const fn letter(self) -> char {
        OBJECTS[self as usize - 1] as char
    }
}

/// The letter of a corridor, by the code of its object in `Objects`.
pub(super) fn of_code(code: u8) -> u8 {
    match usize::from(code) {
        0 => EMPTY,
        code => OBJECTS[code - 1],
    }
}

/// A letter that is neither an object nor empty.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unknown;

/// The object of a corridor with this letter; `None` if the corridor is empty.
pub(super) fn object(letter: u8) -> Result<Option<Object>, Unknown> {
    if letter == EMPTY {
        return Ok(None);
    }
    let at = OBJECTS.iter().position(|&known| known == letter).ok_or(Unknown)?;
    Ok(Some(Object::ALL[at]))
}
