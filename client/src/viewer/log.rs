//! What has just happened.

use language::word;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use crate::viewer::panel::titled;
use crate::viewer::{Moment, Theme};

/// What has happened up to the state that is shown, newest first.
pub(super) struct Log<I> {
    /// The states, newest first.
    pub(super) past: I,
    pub(super) theme: Theme,
}

/// From this width on there is room for the names of things.
const WORDY: u16 = 32;

impl<'a, I: Iterator<Item = &'a Moment>> Widget for Log<I> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        if area.is_empty() {
            return;
        }
        let area = titled(word("what happened", "ce qui s'est passé"), area, self.theme, buffer);
        let mut rows = area.rows();
        let mut game = None;
        for moment in self.past {
            if *game.get_or_insert(moment.game) != moment.game {
                return;
            }
            let remarks = moment.remarks.iter().rev().map(|(colour, text)| {
                let letter = Span::styled(colour.letter().to_string(), self.theme.token(*colour));
                vec![letter, Span::raw(format!(" {text}"))]
            });
            let told = moment.stage().tell(self.theme, area.width >= WORDY).into_iter().rev();
            for said in remarks.chain(told) {
                let Some(row) = rows.next() else { return };
                let turn = format!("{:>4} ", moment.turn);
                let mut spans = vec![Span::styled(turn, self.theme.quiet())];
                spans.extend(said);
                Line::from(spans).render(row, buffer);
            }
        }
    }
}
