//! Log of the last events, or how to join a game that waits for players.

use language::{said, word};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use crate::viewer::panel::{titled, whole_words, wrapped};
use crate::viewer::{Model, Moment, Theme};

/// Log of the events up to the state that is shown, newest first.
pub(super) struct Log<'a> {
    pub(super) model: &'a Model,
    /// The state that is shown.
    pub(super) moment: &'a Moment,
    pub(super) theme: Theme,
}

/// From this width on there is room for the names of things.
const WORDY: u16 = 32;

impl Widget for Log<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        if area.is_empty() {
            return;
        }
        let area = titled(word("what happened", "ce qui s'est passé"), area, self.theme, buffer);
        let mut rows = area.rows();
        let mut game = None;
        if self.model.awaits_players() {
            let client = cli::command_elsewhere("client") + self.moment.view().subcommand();
            let server = self.model.server();
            let command =
                said!("{client} NAME --serveur {server}", "{client} NOM --serveur {server}");
            let mut lines = vec![word("To play:", "Pour jouer :").to_owned()];
            lines.extend(wrapped(&command, area.width));
            for (line, row) in lines.into_iter().zip(&mut rows) {
                Line::styled(line, self.theme.quiet()).render(row, buffer);
            }
        }
        for moment in self.model.past() {
            if *game.get_or_insert(moment.game) != moment.game {
                return;
            }
            let remarks = moment.remarks.iter().rev().map(|(colour, text)| {
                let letter = Span::styled(colour.letter().to_string(), self.theme.token(*colour));
                vec![letter, Span::raw(format!(" {text}"))]
            });
            let told = moment.view().tell(self.theme, area.width >= WORDY).into_iter().rev();
            for said in remarks.chain(told) {
                let Some(row) = rows.next() else { return };
                let turn = format!("{:>4} ", moment.turn);
                let mut spans = vec![Span::styled(turn, self.theme.quiet())];
                spans.extend(said);
                whole_words(spans, row.width).render(row, buffer);
            }
        }
    }
}
