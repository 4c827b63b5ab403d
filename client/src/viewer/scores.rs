//! The table of the scores.

use game::pacman::{Colour, Object, Player};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use crate::viewer::panel::titled;
use crate::viewer::theme::{STRONG, sign};
use crate::viewer::{Moment, Theme};

/// The players by rank, with their points, powers and false moves.
pub(super) struct Scores<'a> {
    pub(super) moment: &'a Moment,
    pub(super) followed: Option<Colour>,
    /// Whether a player takes one line, or two.
    pub(super) one_line: bool,
    pub(super) theme: Theme,
}

/// Of the counter of false moves.
const FALSE_MOVES: char = '×';
/// The objects that give the powers, in the order in which they are shown.
const POWERS: [Object; 3] = [Object::Glutton, Object::Freeze, Object::WallPass];
/// Marker, rank and letter, with the gaps after them.
const HEAD: usize = 7;
/// Of points, with the gap before them.
const POINTS: usize = 7;
/// Of the turns left of a power, and of false moves.
const COLUMN: usize = 4;
/// Of a name, at most and when it is worth the columns of the powers.
const NAME: usize = 32;
const SHORT_NAME: usize = 7;

impl Widget for Scores<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        let area = titled("scores", area, self.theme, buffer);
        let width = usize::from(area.width);
        let columns = 1 + COLUMN * (POWERS.len() + 1);
        let with_columns = self.one_line && width >= HEAD + SHORT_NAME + POINTS + columns;
        let lines_each = if self.one_line { 1 } else { 2 };
        let name = match (self.one_line, with_columns) {
            (true, true) => (width - HEAD - POINTS - columns).min(NAME),
            (true, false) => width.saturating_sub(HEAD + POINTS),
            (false, _) => width.saturating_sub(HEAD),
        };

        if area.is_empty() {
            return;
        }
        let mut rows = area.rows();
        if with_columns {
            rows.next().into_iter().for_each(|row| self.header(name).render(row, buffer));
        }
        let mut ranking = self.moment.view.ranking();
        let room = usize::from(area.height) - usize::from(with_columns);
        self.keep_followed_within(room / lines_each, &mut ranking);
        for (rank, colour, player) in ranking {
            let mut spans = self.head(rank, colour, name);
            if !self.one_line {
                let Some(row) = rows.next() else { return };
                Line::from(spans).render(row, buffer);
                spans = Vec::new();
            }
            spans.push(Span::styled(format!("{:>POINTS$} ", player.points), STRONG));
            spans.extend(match (self.one_line, with_columns) {
                (true, true) => self.columns(player),
                (true, false) => Vec::new(),
                (false, _) => self.compact(player),
            });
            let Some(row) = rows.next() else { return };
            Line::from(spans).render(row, buffer);
        }
    }
}

impl Scores<'_> {
    /// When not all players fit, the followed one takes the place of the last that does.
    fn keep_followed_within(&self, room: usize, ranking: &mut Vec<(usize, Colour, Player)>) {
        let at = ranking.iter().position(|&(_, colour, _)| Some(colour) == self.followed);
        if let Some(at) = at
            && at >= room
            && room > 0
        {
            let kept = ranking[at];
            ranking.truncate(room - 1);
            ranking.push(kept);
        }
    }

    fn header(&self, name: usize) -> Line<'static> {
        let quiet = self.theme.quiet();
        let team = format!("{:HEAD$}{:name$}{:>POINTS$} ", "", "team", "points");
        let mut spans = vec![Span::styled(team, quiet)];
        for power in POWERS {
            spans.push(Span::styled(format!("{:>COLUMN$}", sign(power)), self.theme.object(power)));
        }
        spans.push(Span::styled(format!("{FALSE_MOVES:>COLUMN$}"), quiet));
        Line::from(spans)
    }

    /// Rank, letter and name.
    fn head(&self, rank: usize, colour: Colour, room: usize) -> Vec<Span<'static>> {
        let followed = self.followed == Some(colour);
        let (name, rest) = fitted(self.moment.name(colour), room);
        let style = match followed {
            true => self.theme.player(colour).add_modifier(Modifier::UNDERLINED),
            false => self.theme.player(colour),
        };
        vec![
            Span::styled(if followed { "▸" } else { " " }, STRONG),
            Span::raw(format!("{rank:>2} ")),
            Span::styled(format!("{} ", colour.letter()), self.theme.pacman(colour)),
            Span::raw(" "),
            Span::styled(name, style),
            Span::raw(" ".repeat(rest)),
        ]
    }

    /// The turns left of each power and the false moves, below the signs of the header.
    fn columns(&self, player: Player) -> Vec<Span<'static>> {
        let mut spans = Vec::new();
        for (power, left) in powers(player) {
            let shown = if left > 0 { left.to_string() } else { String::new() };
            spans.push(Span::styled(format!("{shown:>COLUMN$}"), self.theme.object(power)));
        }
        let style = if player.false_moves == 0 { self.theme.quiet() } else { STRONG };
        spans.push(Span::styled(format!("{:>COLUMN$}", player.false_moves), style));
        spans
    }

    /// The false moves and the powers that a player has, each with its sign.
    fn compact(&self, player: Player) -> Vec<Span<'static>> {
        let false_moves = match player.false_moves {
            0 => String::new(),
            made => format!("{FALSE_MOVES}{made} "),
        };
        let mut spans = vec![Span::styled(false_moves, self.theme.quiet())];
        for (power, left) in powers(player).into_iter().filter(|&(_, left)| left > 0) {
            let shown = format!("{}{left} ", sign(power));
            spans.push(Span::styled(shown, self.theme.object(power)));
        }
        spans
    }
}

fn powers(player: Player) -> [(Object, u32); 3] {
    let left = [player.powers.glutton, player.powers.freeze, player.powers.wall_pass];
    [0, 1, 2].map(|at| (POWERS[at], left[at]))
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
