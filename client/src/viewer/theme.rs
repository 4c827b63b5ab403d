//! Colours and signs.

use std::sync::LazyLock;

use game::colour::Colour;
use game::pacman::Object;
use language::word;
use ratatui::style::{Color, Modifier, Style};
use replay::colours::player_parts;

/// Styles of the screen, with colours or without; what differs in colour only also differs in shape.
#[derive(Clone, Copy, Debug)]
pub struct Theme {
    colours: bool,
    /// `true` if the terminal shows any red, green and blue.
    exact: bool,
}

/// A character as it is drawn.
pub(super) type Sign = (char, Style);

/// Style of text that stands out.
pub(super) const STRONG: Style = Style::new().add_modifier(Modifier::BOLD);

/// Colours of the players: of the 256 colours that terminals know, those nearest to the colours of the web page.
static PLAYERS: LazyLock<[u8; Colour::MAX]> =
    LazyLock::new(|| std::array::from_fn(|player| nearest(player_parts(player))));
/// Letters on a bright block, and on a dark one.
const INK: Color = Color::Indexed(16);
const CHALK: Color = Color::Indexed(231);
/// Background of a ghost's letter in a bright colour, and in a dark one.
const NIGHT: Color = Color::Indexed(237);
const DAY: Color = Color::Indexed(254);
/// Background of the letter of a ghost that cannot move, in a bright colour, and in a dark one.
const ICE: [Color; 2] = [Color::Indexed(24), Color::Indexed(153)];

/// Turns after which a path looks less fresh.
const FRESH: u32 = 12;
/// Turns after which it looks faded.
const FADED: u32 = 60;

/// Lines that meet, by the bits north, east, south, west: set when one leads there.
pub(super) const LINES: [char; 16] =
    [' ', '╵', '╶', '╰', '╷', '│', '╭', '├', '╴', '╯', '─', '┴', '╮', '┤', '┬', '┼'];

impl Theme {
    /// A theme with colours, or in black and white.
    #[must_use]
    pub const fn new(colours: bool) -> Self {
        Self { colours, exact: false }
    }

    /// The theme with the exact colours of the web page for players, instead of the nearest of 256.
    #[must_use]
    pub const fn exact(self) -> Self {
        Self { exact: true, ..self }
    }

    /// The colour of a player.
    fn hue(self, colour: Colour) -> Color {
        if self.exact {
            player_parts(colour.index()).into()
        } else {
            Color::Indexed(player(colour))
        }
    }

    /// Text in the colour of a player.
    fn written(self, colour: Colour) -> Style {
        if self.colours { Style::new().fg(self.hue(colour)) } else { Style::new() }
    }

    fn foreground(self, index: u8) -> Style {
        if self.colours { Style::new().fg(Color::Indexed(index)) } else { Style::new() }
    }

    /// A pacman or a rat: a letter on a block of its player's colour.
    pub(super) fn token(self, colour: Colour) -> Style {
        let block = self.block(player(colour));
        if self.colours { block.bg(self.hue(colour)) } else { block }
    }

    /// A ghost: a letter of its player's colour.
    pub(super) fn ghost(self, colour: Colour) -> Style {
        let background = if is_bright(player(colour)) { NIGHT } else { DAY };
        let style = self.written(colour).add_modifier(Modifier::BOLD);
        if self.colours { style.bg(background) } else { style }
    }

    /// A ghost that cannot move.
    pub(super) fn frozen(self, colour: Colour) -> Style {
        if self.colours {
            self.ghost(colour).bg(ICE[usize::from(!is_bright(player(colour)))])
        } else {
            self.ghost(colour).add_modifier(Modifier::DIM)
        }
    }

    /// Style of a player's name: of its colour, unless this is too dark to be read on a dark screen.
    pub(super) fn player(self, colour: Colour) -> Style {
        if is_bright(player(colour)) {
            self.written(colour).add_modifier(Modifier::BOLD)
        } else {
            STRONG
        }
    }

    /// The line of a player's points; the terminal's own colour without colours.
    pub(super) fn curve(self, colour: Colour) -> Color {
        if self.colours { self.hue(colour) } else { Color::Reset }
    }

    /// An object on the board and the turns left of its power.
    pub(super) fn object(self, object: Object) -> Style {
        let bold = Modifier::BOLD;
        match object {
            Object::Vitamin => self.foreground(180),
            Object::Glutton => self.foreground(220).add_modifier(bold),
            Object::Freeze => self.foreground(117).add_modifier(bold),
            Object::WallPass => self.foreground(213).add_modifier(bold),
            Object::Cherry => self.foreground(204).add_modifier(bold),
            Object::Teleporter => self.foreground(121).add_modifier(bold),
        }
    }

    pub(super) fn wall(self) -> Style {
        self.foreground(63)
    }

    /// Style of places without a cell.
    pub(super) fn hole(self) -> Style {
        if self.colours { self.foreground(238) } else { Style::new().add_modifier(Modifier::DIM) }
    }

    pub(super) fn mud(self) -> Style {
        self.foreground(173)
    }

    pub(super) fn cheese(self) -> Style {
        self.foreground(220).add_modifier(Modifier::BOLD)
    }

    /// The path of a rat where it was `turns_ago` turns ago: it fades.
    pub(super) fn path(self, colour: Colour, turns_ago: u32) -> Sign {
        let style = self.written(colour);
        match turns_ago {
            0..FRESH => ('•', style),
            FRESH..FADED => ('·', style),
            _ => ('·', style.add_modifier(Modifier::DIM)),
        }
    }

    /// Style of text to be looked up, not looked at.
    pub(super) fn quiet(self) -> Style {
        if self.colours { self.foreground(245) } else { Style::new().add_modifier(Modifier::DIM) }
    }

    /// The name of the game.
    pub(super) fn heading(self) -> Style {
        self.block(221)
    }

    /// Style of the note that the screen is up to date.
    pub(super) fn live(self) -> Style {
        self.foreground(114).add_modifier(Modifier::BOLD)
    }

    /// Style of the note that the screen is paused.
    pub(super) fn paused(self) -> Style {
        self.block(215)
    }

    /// Style of the note that the game is over.
    pub(super) fn over(self) -> Style {
        self.block(114)
    }

    /// Style of an error.
    pub(super) fn alert(self) -> Style {
        self.block(203)
    }

    /// Letters on a block of a colour.
    fn block(self, index: u8) -> Style {
        let ink = if is_bright(index) { INK } else { CHALK };
        if self.colours {
            STRONG.fg(ink).bg(Color::Indexed(index))
        } else {
            STRONG.add_modifier(Modifier::REVERSED)
        }
    }
}

fn player(colour: Colour) -> u8 {
    PLAYERS[colour.index()]
}

/// Red, green and blue of one of the colours from 16 on, which terminals agree about: a cube and greys, as in xterm.
fn parts(index: u8) -> [u8; 3] {
    const LEVELS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    match index.saturating_sub(16) {
        grey @ 216.. => [8 + 10 * (grey - 216); 3],
        cube => [cube / 36, cube / 6 % 6, cube % 6].map(|level| LEVELS[usize::from(level)]),
    }
}

/// The colour from 16 on that is nearest to these parts.
fn nearest(wanted: [u8; 3]) -> u8 {
    let far = |index: &u8| -> u32 {
        let differences = parts(*index).into_iter().zip(wanted).map(|(a, b)| a.abs_diff(b));
        differences.map(|difference| u32::from(difference).pow(2)).sum()
    };
    (16..=u8::MAX).min_by_key(far).expect("there are colours from 16 on")
}

/// Tests if black is read better than white on one of the colours from 16 on (relative luminance of WCAG).
fn is_bright(index: u8) -> bool {
    let linear = parts(index).map(|part| match f64::from(part) / 255.0 {
        part @ ..=0.04045 => part / 12.92,
        part => ((part + 0.055) / 1.055).powf(2.4),
    });
    0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] > 0.179
}

/// The sign of an object: its letter on the wire, but for the dot of a vitamin, which is raised.
pub(super) fn sign(object: Object) -> char {
    match object {
        Object::Vitamin => '·',
        other => other.letter(),
    }
}

/// The name of an object in the chosen language.
pub(super) fn name(object: Object) -> &'static str {
    match object {
        Object::Vitamin => word("vitamin", "vitamine"),
        Object::Glutton => word("glutton", "glouton"),
        Object::Freeze => word("freeze", "immobilité"),
        Object::WallPass => word("wall-pass", "passe-muraille"),
        Object::Cherry => word("cherry", "cerise"),
        Object::Teleporter => word("teleporter", "téléporteur"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_have_the_colours_of_the_page() {
        // Orange, sky blue, green, purple, yellow, vermilion, blue and grey, as Okabe and Ito have them.
        assert_eq!(PLAYERS[..8], [178, 74, 35, 175, 221, 166, 25, 246]);
        for (player, &index) in PLAYERS.iter().enumerate() {
            let far =
                parts(index).into_iter().zip(player_parts(player)).map(|(a, b)| a.abs_diff(b));
            assert!(far.max() <= Some(51), "player {player}: {:?}", parts(index));
        }
    }

    #[test]
    fn terminals_with_all_colours_show_those_of_the_page() {
        for (player, colour) in Colour::first(Colour::MAX).enumerate() {
            let [red, green, blue] = player_parts(player);
            let expected = Color::Rgb(red, green, blue);
            let theme = Theme::new(true).exact();
            assert_eq!(theme.token(colour).bg, Some(expected));
            assert_eq!([theme.ghost(colour).fg, theme.path(colour, 0).1.fg], [Some(expected); 2]);
            assert_eq!(theme.curve(colour), expected);
            assert_eq!(Theme::new(false).exact().token(colour).bg, None);
        }
    }

    #[test]
    fn letters_are_read_on_all_colours() {
        for colour in Colour::first(Colour::MAX) {
            let theme = Theme::new(true);
            for style in [theme.token(colour), theme.ghost(colour), theme.frozen(colour)] {
                let [letter, ground] = [style.fg, style.bg].map(|colour| match colour {
                    Some(Color::Indexed(index)) => is_bright(index),
                    other => panic!("{other:?}"),
                });
                assert_ne!(letter, ground, "{colour:?}: {style:?}");
            }
        }
    }
}
