//! Log of the last events, or how to join a game that waits for players.

use language::{said, word};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;
use replay::{AnswerFault, EpisodeKind};

use crate::viewer::panel::{titled, whole_words, wrapped};
use crate::viewer::scene_view::Told;
use crate::viewer::theme::STRONG;
use crate::viewer::{Model, Moment, Theme};

/// Log of the episodes up to the state that is shown, newest first.
pub(super) struct Log<'a> {
    pub(super) model: &'a Model,
    /// The state that is shown.
    pub(super) moment: &'a Moment,
    pub(super) theme: Theme,
}

/// Least width for the names of things.
const WORDY: u16 = 32;

impl Widget for Log<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        if area.is_empty() {
            return;
        }
        let area = titled(word("what happened", "ce qui s'est passé"), area, self.theme, buffer);
        let mut rows = area.rows();
        if self.model.awaits_players() {
            let client = cli::command_elsewhere("client") + self.moment.view().subcommand();
            let server = self.model.server();
            let command = said!("{client} NAME --host {server}", "{client} NOM --serveur {server}");
            let mut lines = vec![word("To play:", "Pour jouer :").to_owned()];
            lines.extend(wrapped(&command, area.width));
            for (line, row) in lines.into_iter().zip(&mut rows) {
                Line::styled(line, self.theme.quiet()).render(row, buffer);
            }
        }
        for (line, row) in self.lines(area.height.into(), area.width >= WORDY).into_iter().zip(rows)
        {
            let turn = Span::styled(format!("{:>4} ", line.last), self.theme.quiet());
            let count = (line.count > 1).then(|| format!(" ×{}", line.count));
            let points = line.told.points.map(|points| format!(" {points:+}"));
            let figures = count.into_iter().chain(points).map(|text| Span::styled(text, STRONG));
            let spans = [turn].into_iter().chain(line.told.said).chain(figures).collect();
            whole_words(spans, row.width).render(row, buffer);
        }
    }
}

/// The events of an episode.
struct EventLine {
    told: Told,
    count: u32,
    /// The turns of the first and of the last event.
    first: u32,
    last: u32,
}

impl Log<'_> {
    /// The last `most` episodes of the game, the one with the newest event first.
    fn lines(&self, most: usize, wordy: bool) -> Vec<EventLine> {
        let mut lines: Vec<EventLine> = Vec::new();
        let mut game = None;
        for moment in self.model.past() {
            let goes_on = |line: &EventLine| {
                line.told
                    .patience
                    .is_some_and(|turns| moment.turn.saturating_add(turns) >= line.first)
            };
            let is_full = lines.len() >= most && !lines.iter().any(goes_on);
            if is_full || *game.get_or_insert(moment.game) != moment.game {
                break;
            }
            let remarks = moment.remarks.iter().rev().map(|(colour, text)| {
                let letter = Span::styled(colour.letter().to_string(), self.theme.token(*colour));
                let said = vec![letter, Span::raw(format!(" {text}"))];
                let patience = EpisodeKind::Fault(AnswerFault::Missed).patience();
                Told { patience: Some(patience), ..said.into() }
            });
            let told = moment.view().tell(self.theme, wordy).into_iter().rev();
            for told in remarks.chain(told) {
                let same =
                    lines.iter_mut().find(|line| line.told.said == told.said && goes_on(line));
                if let Some(line) = same {
                    line.count += 1;
                    line.first = moment.turn;
                    line.told.points =
                        line.told.points.zip(told.points).map(|(a, b)| a.saturating_add(b));
                } else {
                    lines.push(EventLine { told, count: 1, first: moment.turn, last: moment.turn });
                }
            }
        }
        lines
    }
}
