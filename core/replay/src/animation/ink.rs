//! The colours of an animation.

use crate::colours::{parts, player_parts};

/// The index of a colour in the palette.
pub(super) type Ink = u8;

pub(super) const FLOOR: Ink = 0;
pub(super) const WALL: Ink = 1;
pub(super) const WALL_FILL: Ink = 2;
pub(super) const HOLE: Ink = 3;
pub(super) const MUD: Ink = 4;
pub(super) const CHEESE: Ink = 5;
pub(super) const CHEESE_EDGE: Ink = 6;
pub(super) const VITAMIN: Ink = 7;
pub(super) const GLUTTON: Ink = 8;
pub(super) const FREEZE: Ink = 9;
pub(super) const PASS: Ink = 10;
pub(super) const CHERRY: Ink = 11;
pub(super) const STEM: Ink = 12;
pub(super) const TELEPORTER: Ink = 13;
pub(super) const WHITE: Ink = 14;
/// The ink of pixels that do not change from a picture to the next.
pub(super) const TRANSPARENT: Ink = 15;
const PLAYERS: Ink = 16;

/// The colours of the web page's dark theme, by ink.
#[expect(clippy::unreadable_literal, reason = "a byte a part")]
const NEUTRALS: [u32; PLAYERS as usize] = [
    0x05060a, 0x4f74ff, 0x0e1430, 0x262b38, 0x7a4c29, 0xffd23e, 0xb98500, 0xf3d9a4, 0xffc933,
    0x7fd0ff, 0xc7a2ff, 0xff6250, 0x7ecb61, 0x3fd6a5, 0xffffff, 0x000000,
];

/// The colour of a player.
pub(super) fn player(player: usize) -> Ink {
    PLAYERS + player as Ink
}

/// The ink of letters on a player's colour: floor or white, the one with more contrast.
pub(super) fn letter_on(player: usize) -> Ink {
    let [red, green, blue] = player_parts(player).map(u32::from);
    if 299 * red + 587 * green + 114 * blue > 95_000 { FLOOR } else { WHITE }
}

/// The red, green and blue bytes of all inks, in order.
pub(super) fn palette() -> Vec<u8> {
    let players = (0..game::pyrat::Colour::MAX).map(player_parts);
    NEUTRALS.into_iter().map(parts).chain(players).flatten().collect()
}
