//! The colours of the players.

/// Okabe and Ito's colours, which colour-blind people can distinguish; later players get paler, then
/// darker, variants, as on the web page.
#[expect(clippy::unreadable_literal, reason = "a byte a part")]
const HUES: [u32; 8] =
    [0xe69f00, 0x56b4e9, 0x009e73, 0xcc79a7, 0xf0e442, 0xd55e00, 0x0072b2, 0x999999];

/// The red, green and blue parts of a colour.
pub(crate) fn parts(colour: u32) -> [u8; 3] {
    let [_, parts @ ..] = colour.to_be_bytes();
    parts
}

/// The red, green and blue parts of a player's colour, as on the web page.
pub fn player_parts(player: usize) -> [u8; 3] {
    let (towards, percent) = [(0, 0), (255, 55), (0, 45), (255, 80)][player / HUES.len() % 4];
    let mix = |part| (u32::from(part) * (100 - percent) + towards * percent) / 100;
    // A mean of two bytes is a byte.
    parts(HUES[player % HUES.len()]).map(|part| mix(part) as u8)
}

#[cfg(test)]
mod tests {
    use super::HUES;

    #[test]
    fn players_have_the_colours_of_the_page() {
        let hues = HUES.map(|hue| format!("\"#{hue:06x}\""));
        let line = format!("const HUES = [{}];", hues.join(", "));
        assert!(include_str!("../../../web/page/replay/shapes.js").contains(&line), "{line}");
    }
}
