//! The colours of an animation.

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

/// Okabe and Ito's colours, which colour-blind people can distinguish; later players get paler, then
/// darker, variants, as on the web page.
#[expect(clippy::unreadable_literal, reason = "a byte a part")]
const HUES: [u32; 8] =
    [0xe69f00, 0x56b4e9, 0x009e73, 0xcc79a7, 0xf0e442, 0xd55e00, 0x0072b2, 0x999999];

fn parts(colour: u32) -> [u8; 3] {
    let [_, parts @ ..] = colour.to_be_bytes();
    parts
}

/// The red, green and blue parts of a player's colour, as on the web page.
#[must_use]
pub fn player_parts(player: usize) -> [u8; 3] {
    let (towards, percent) = [(0, 0), (255, 55), (0, 45), (255, 80)][player / HUES.len() % 4];
    let mix = |part| (u32::from(part) * (100 - percent) + towards * percent) / 100;
    // A mean of two bytes is a byte.
    parts(HUES[player % HUES.len()]).map(|part| mix(part) as u8)
}

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

#[cfg(test)]
mod tests {
    use super::HUES;

    #[test]
    fn players_have_the_colours_of_the_page() {
        let hues = HUES.map(|hue| format!("\"#{hue:06x}\""));
        let line = format!("const HUES = [{}];", hues.join(", "));
        assert!(include_str!("../../../../web/page/replay/shapes.js").contains(&line), "{line}");
    }
}
