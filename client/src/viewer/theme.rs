//! Colours and signs.

use game::colour::Colour;
use game::pacman::Object;
use language::word;
use ratatui::style::{Color, Modifier, Style};

/// Styles of the screen, with colours or without; what differs in colour only also differs in shape.
#[derive(Clone, Copy, Debug)]
pub struct Theme {
    colours: bool,
}

/// A character as it is drawn.
pub(super) type Sign = (char, Style);

/// Style of text that stands out.
pub(super) const STRONG: Style = Style::new().add_modifier(Modifier::BOLD);

/// Of the players, by colour and again from the start, out of the 256 colours that terminals know.
const PLAYERS: [u8; 8] = [203, 75, 114, 221, 176, 215, 80, 252];
/// On the letter of a pacman or a rat.
const INK: Color = Color::Indexed(16);
/// Behind the letter of a ghost.
const NIGHT: Color = Color::Indexed(237);

/// Turns after which a path looks less fresh.
const FRESH: u32 = 12;
/// Turns after which it looks faded.
const FADED: u32 = 60;

/// Lines that meet, by the bits north, east, south, west: set when one leads there.
pub(super) const LINES: [char; 16] =
    [' ', '╵', '╶', '╰', '╷', '│', '╭', '├', '╴', '╯', '─', '┴', '╮', '┤', '┬', '┼'];

impl Theme {
    /// With colours, or black and white.
    #[must_use]
    pub const fn new(colours: bool) -> Self {
        Self { colours }
    }

    fn foreground(self, index: u8) -> Style {
        match self.colours {
            true => Style::new().fg(Color::Indexed(index)),
            false => Style::new(),
        }
    }

    /// A pacman or a rat: a dark letter on a block of its player's colour.
    pub(super) fn token(self, colour: Colour) -> Style {
        self.block(player(colour))
    }

    /// A ghost: a letter of its player's colour.
    pub(super) fn ghost(self, colour: Colour) -> Style {
        let style = self.player(colour);
        if self.colours { style.bg(NIGHT) } else { style }
    }

    /// A ghost that cannot move.
    pub(super) fn frozen(self, colour: Colour) -> Style {
        match self.colours {
            true => self.ghost(colour).bg(Color::Indexed(24)),
            false => self.ghost(colour).add_modifier(Modifier::DIM),
        }
    }

    /// Style of a player's pieces and name.
    pub(super) fn player(self, colour: Colour) -> Style {
        self.foreground(player(colour)).add_modifier(Modifier::BOLD)
    }

    /// The line of a player's points; the terminal's own colour without colours.
    pub(super) fn curve(self, colour: Colour) -> Color {
        if self.colours { Color::Indexed(player(colour)) } else { Color::Reset }
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
        match self.colours {
            true => self.foreground(238),
            false => Style::new().add_modifier(Modifier::DIM),
        }
    }

    pub(super) fn mud(self) -> Style {
        self.foreground(173)
    }

    pub(super) fn cheese(self) -> Style {
        self.foreground(220).add_modifier(Modifier::BOLD)
    }

    /// The path of a rat where it was `turns_ago` turns ago: it fades.
    pub(super) fn path(self, colour: Colour, turns_ago: u32) -> Sign {
        let style = self.foreground(player(colour));
        match turns_ago {
            0..FRESH => ('•', style),
            FRESH..FADED => ('·', style),
            _ => ('·', style.add_modifier(Modifier::DIM)),
        }
    }

    /// Style of text to be looked up, not looked at.
    pub(super) fn quiet(self) -> Style {
        match self.colours {
            true => self.foreground(245),
            false => Style::new().add_modifier(Modifier::DIM),
        }
    }

    /// The name of the game.
    pub(super) fn heading(self) -> Style {
        self.block(221)
    }

    /// That the screen is up to date.
    pub(super) fn live(self) -> Style {
        self.foreground(114).add_modifier(Modifier::BOLD)
    }

    /// That the screen stands still.
    pub(super) fn paused(self) -> Style {
        self.block(215)
    }

    /// That the game is over.
    pub(super) fn over(self) -> Style {
        self.block(114)
    }

    /// That something is wrong.
    pub(super) fn alert(self) -> Style {
        self.block(203)
    }

    /// Dark letters on a block of a colour.
    fn block(self, index: u8) -> Style {
        match self.colours {
            true => STRONG.fg(INK).bg(Color::Indexed(index)),
            false => STRONG.add_modifier(Modifier::REVERSED),
        }
    }
}

fn player(colour: Colour) -> u8 {
    PLAYERS[colour.index() % PLAYERS.len()]
}

/// The sign of an object: its letter on the wire, but for the dot of a vitamin, which is raised.
pub(super) fn sign(object: Object) -> char {
    match object {
        Object::Vitamin => '·',
        other => other.letter(),
    }
}

/// The English name of an object.
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
