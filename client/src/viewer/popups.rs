//! What is shown over the board.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Widget, Wrap};

use crate::viewer::layout::SMALLEST;
use crate::viewer::panel::popup;
use crate::viewer::scores::fitted;
use crate::viewer::stage::Stage;
use crate::viewer::theme::STRONG;
use crate::viewer::{Moment, Theme};

/// Who has won.
pub(super) struct FinalRanking<'a> {
    pub(super) moment: &'a Moment,
    pub(super) theme: Theme,
}

impl Widget for FinalRanking<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        const NAME: usize = 24;
        let stage = self.moment.stage();
        let mut lines = Vec::new();
        for (rank, colour) in stage.ranking() {
            let (name, rest) = fitted(self.moment.name(colour), NAME);
            lines.push(Line::from(vec![
                Span::raw(format!("{rank:>2} ")),
                Span::styled(format!(" {} ", colour.letter()), self.theme.token(colour)),
                Span::raw(" "),
                Span::styled(name, self.theme.player(colour)),
                Span::raw(" ".repeat(rest)),
                Span::styled(format!("{:>7}", stage.score(colour)), STRONG),
            ]));
        }
        let title = match (self.moment.is_over(), self.moment.elapsed()) {
            (true, _) => "the game is over".to_owned(),
            (false, turn) => format!("the game is over at turn {turn}"),
        };
        let size = (NAME as u16 + 14, lines.len() as u16);
        let inside = popup(&title, size, area, buffer);
        Paragraph::new(lines).render(inside, buffer);
    }
}

/// The keys and the signs.
pub(super) struct Help<'a> {
    pub(super) stage: &'a dyn Stage,
    pub(super) theme: Theme,
}

const KEYS: [(&str, &str); 7] = [
    ("space", "stand still, or go on with the newest state"),
    ("↑ ↓", "one turn back or forward, also PgUp and PgDn"),
    ("Home End", "the oldest state remembered, the newest one"),
    ("A-Z Tab", "follow a player: its board, its line"),
    ("+", "size of the board: as fits, small, medium, large"),
    ("?", "this help, on and off"),
    ("q Esc", "quit"),
];

impl Widget for Help<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        let theme = self.theme;
        let step = format!("one state back or forward: {}", self.stage.step());
        let mut keys = KEYS.to_vec();
        keys.insert(1, ("← →", &step));
        let key = |(key, what): (&str, &str)| {
            let key = Span::styled(format!("{key:<10}"), STRONG);
            Line::from(vec![key, Span::raw(what.to_owned())])
        };
        let mut lines: Vec<_> = keys.into_iter().map(key).collect();
        lines.push(Line::default());
        lines.extend(self.stage.signs(theme));
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
