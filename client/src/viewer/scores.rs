//! The table of the scores.

use game::colour::Colour;
use language::word;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use crate::viewer::panel::titled;
use crate::viewer::theme::STRONG;
use crate::viewer::{Moment, Theme};

/// The players by rank, with their scores, what they are in or have for a while, and their mistakes.
pub(super) struct Scores<'a> {
    pub(super) moment: &'a Moment,
    pub(super) followed: Option<Colour>,
    /// `true` if a player takes one line, or two.
    pub(super) one_line: bool,
    pub(super) theme: Theme,
}

/// Character in front of the number of mistakes.
const MISTAKES: char = '×';
/// Width of marker, rank and letter, with the gaps after them.
const HEAD: usize = 7;
/// Width of scores with the gap before them, unless a long number needs more.
const SCORE: usize = 7;
/// Width of a column with the turns left of a condition, or with mistakes.
const COLUMN: usize = 4;
/// Greatest width of a name, and the least that is kept for it beside the columns of turns left.
const NAME: usize = 32;
const SHORT_NAME: usize = 7;

impl Widget for Scores<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        let view = self.moment.view();
        let area = titled(&view.scores_title(), area, self.theme, buffer);
        let width = usize::from(area.width);
        let length = |colour| view.score(colour).chars().count() + 1;
        let lengths = Colour::first(view.players()).map(length);
        let score = lengths.max().unwrap_or(0).max(SCORE);
        let columns = 1 + COLUMN * (view.conditions(self.theme).len() + 1);
        let with_columns = self.one_line && width >= HEAD + SHORT_NAME + score + columns;
        let lines_each = if self.one_line { 1 } else { 2 };
        let name = match (self.one_line, with_columns) {
            (true, true) => (width - HEAD - score - columns).min(NAME),
            (true, false) => width.saturating_sub(HEAD + score),
            (false, _) => width.saturating_sub(HEAD),
        };

        if area.is_empty() {
            return;
        }
        let mut rows = area.rows();
        if with_columns {
            rows.next().into_iter().for_each(|row| self.header(name, score).render(row, buffer));
        }
        let mut ranking = view.ranking();
        let room = usize::from(area.height) - usize::from(with_columns);
        self.keep_followed_within(room / lines_each, &mut ranking);
        for (rank, colour) in ranking {
            let mut spans = self.head(rank, colour, name);
            if !self.one_line {
                let Some(row) = rows.next() else { return };
                Line::from(spans).render(row, buffer);
                spans = Vec::new();
            }
            spans.push(Span::styled(format!("{:>score$} ", view.score(colour)), STRONG));
            spans.extend(match (self.one_line, with_columns) {
                (true, true) => self.columns(colour),
                (true, false) => Vec::new(),
                (false, _) => self.compact(colour),
            });
            let Some(row) = rows.next() else { return };
            Line::from(spans).render(row, buffer);
        }
    }
}

impl Scores<'_> {
    /// Puts the followed player in the last place that fits, unless it is in one already.
    fn keep_followed_within(&self, room: usize, ranking: &mut Vec<(usize, Colour)>) {
        let at = ranking.iter().position(|&(_, colour)| Some(colour) == self.followed);
        if let Some(at) = at
            && at >= room
            && room > 0
        {
            let kept = ranking[at];
            ranking.truncate(room - 1);
            ranking.push(kept);
        }
    }

    fn header(&self, name: usize, score: usize) -> Line<'static> {
        let quiet = self.theme.quiet();
        let unit = self.moment.view().unit().0;
        let team = format!("{:HEAD$}{:name$}{unit:>score$} ", "", word("team", "équipe"));
        let mut spans = vec![Span::styled(team, quiet)];
        for (sign, style) in self.moment.view().conditions(self.theme) {
            spans.push(Span::styled(format!("{sign:>COLUMN$}"), style));
        }
        spans.push(Span::styled(format!("{MISTAKES:>COLUMN$}"), quiet));
        Line::from(spans)
    }

    /// Rank, letter and name.
    fn head(&self, rank: usize, colour: Colour, room: usize) -> Vec<Span<'static>> {
        let followed = self.followed == Some(colour);
        let (name, rest) = fitted(self.moment.name(colour), room);
        let style = if followed {
            self.theme.player(colour).add_modifier(Modifier::UNDERLINED)
        } else {
            self.theme.player(colour)
        };
        vec![
            Span::styled(if followed { "▸" } else { " " }, STRONG),
            Span::raw(format!("{rank:>2} ")),
            Span::styled(format!("{} ", colour.letter()), self.theme.token(colour)),
            Span::raw(" "),
            Span::styled(name, style),
            Span::raw(" ".repeat(rest)),
        ]
    }

    /// The turns left of each condition and the mistakes, below the signs of the header.
    fn columns(&self, colour: Colour) -> Vec<Span<'static>> {
        let mut spans = Vec::new();
        for (_, style, left) in self.conditions(colour) {
            let shown = if left > 0 { left.to_string() } else { String::new() };
            spans.push(Span::styled(format!("{shown:>COLUMN$}"), style));
        }
        let mistakes = self.moment.view().mistakes(colour);
        let style = if mistakes == 0 { self.theme.quiet() } else { STRONG };
        spans.push(Span::styled(format!("{mistakes:>COLUMN$}"), style));
        spans
    }

    /// The mistakes and the conditions that a player is in, each with its sign.
    fn compact(&self, colour: Colour) -> Vec<Span<'static>> {
        let mistakes = match self.moment.view().mistakes(colour) {
            0 => String::new(),
            made => format!("{MISTAKES}{made} "),
        };
        let mut spans = vec![Span::styled(mistakes, self.theme.quiet())];
        for (sign, style, left) in self.conditions(colour).filter(|&(.., left)| left > 0) {
            spans.push(Span::styled(format!("{sign}{left} "), style));
        }
        spans
    }

    fn conditions(&self, colour: Colour) -> impl Iterator<Item = (char, Style, u32)> {
        let view = self.moment.view();
        let left = view.turns_left(colour);
        view.conditions(self.theme)
            .into_iter()
            .zip(left)
            .map(|((sign, style), left)| (sign, style, left))
    }
}

/// As much of a name as fits, and how many columns it leaves.
pub(super) fn fitted(name: &str, room: usize) -> (String, usize) {
    let width = Span::raw(name).width();
    if width <= room {
        return (name.to_owned(), room - width);
    }
    let mut kept = String::new();
    let mut left = room.saturating_sub(1);
    for letter in name.chars() {
        let width = Span::raw(letter.to_string()).width();
        if width > left {
            break;
        }
        kept.push(letter);
        left -= width;
    }
    if room > 0 {
        kept.push('…');
    }
    (kept, left)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_cut_where_they_no_longer_fit() {
        let fitted = |name, room| {
            let (kept, left) = fitted(name, room);
            (kept, left)
        };
        assert_eq!(fitted("Ada", 5), ("Ada".to_owned(), 2));
        assert_eq!(fitted("Ada", 3), ("Ada".to_owned(), 0));
        assert_eq!(fitted("Grace", 3), ("Gr…".to_owned(), 0));
        assert_eq!(fitted("日本語", 4), ("日…".to_owned(), 1));
        assert_eq!(fitted("Ada", 0), (String::new(), 0));
    }
}
