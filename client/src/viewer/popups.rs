//! What is shown over the board.

use game::pacman::{Colour, Object};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Widget, Wrap};

use crate::viewer::layout::SMALLEST;
use crate::viewer::panel::popup;
use crate::viewer::scores::fitted;
use crate::viewer::theme::{STRONG, name, sign};
use crate::viewer::{Moment, Theme};

/// Who has won.
pub(super) struct FinalRanking<'a> {
    pub(super) moment: &'a Moment,
    pub(super) theme: Theme,
}

impl Widget for FinalRanking<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        const NAME: usize = 24;
        let ranking = self.moment.view.ranking();
        let mut lines = Vec::new();
        for (rank, colour, player) in ranking {
            let (name, rest) = fitted(self.moment.name(colour), NAME);
            lines.push(Line::from(vec![
                Span::raw(format!("{rank:>2} ")),
                Span::styled(format!(" {} ", colour.letter()), self.theme.pacman(colour)),
                Span::raw(" "),
                Span::styled(name, self.theme.player(colour)),
                Span::raw(" ".repeat(rest)),
                Span::styled(format!("{:>7}", player.points), STRONG),
            ]));
        }
        let title = match (self.moment.view.is_over(), self.moment.view.elapsed()) {
            (true, _) => "the game is over".to_owned(),
            (false, turn) => format!("the game is over at turn {turn}"),
        };
        let size = (NAME as u16 + 14, lines.len() as u16);
        let inside = popup(&title, size, area, buffer);
        Paragraph::new(lines).render(inside, buffer);
    }
}

/// The keys and the signs.
pub(super) struct Help {
    pub(super) theme: Theme,
}

const KEYS: [(&str, &str); 8] = [
    ("space", "stand still, or go on with the newest state"),
    ("← →", "one state back or forward: a move of a piece"),
    ("↑ ↓", "one turn back or forward, also PgUp and PgDn"),
    ("Home End", "the oldest state remembered, the newest one"),
    ("A-Z Tab", "follow a player: its board, its line"),
    ("+", "size of the board: as fits, small, medium, large"),
    ("?", "this help, on and off"),
    ("q Esc", "quit"),
];

impl Widget for Help {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        let theme = self.theme;
        let mut lines: Vec<Line<'static>> = KEYS
            .into_iter()
            .map(|(key, what)| {
                Line::from(vec![Span::styled(format!("{key:<10}"), STRONG), what.into()])
            })
            .collect();
        lines.push(Line::default());
        for pair in Object::ALL.chunks(2) {
            let mut spans = Vec::new();
            for &object in pair {
                spans.push(Span::styled(format!("{}  ", sign(object)), theme.object(object)));
                let duration = match object.duration() {
                    0 => String::new(),
                    turns => format!(", {turns} turns"),
                };
                let what = format!("{} +{}{duration}", name(object), object.points());
                spans.push(Span::raw(format!("{what:<28}")));
            }
            lines.push(Line::from(spans));
        }
        lines.push(Line::default());
        for a in Colour::first(1) {
            lines.push(Line::from(vec![
                Span::styled("A ", theme.pacman(a)),
                Span::raw(" pacman  "),
                Span::styled("A$", theme.pacman(a)),
                Span::raw(" with a power  "),
                Span::styled("a ", theme.ghost(a)),
                Span::raw(" ghost  "),
                Span::styled("a*", theme.frozen(a)),
                Span::raw(" frozen"),
            ]));
        }
        let inside = popup("keys and signs", (62, lines.len() as u16), area, buffer);
        Paragraph::new(lines).render(inside, buffer);
    }
}

/// Says that the screen is too small.
pub(super) struct TooSmall;

impl Widget for TooSmall {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        let text = format!(
            "This terminal has {} columns and {} rows, and the viewer needs {} and {}. q quits.",
            area.width, area.height, SMALLEST.width, SMALLEST.height
        );
        Paragraph::new(text).wrap(Wrap { trim: true }).render(area, buffer);
    }
}
