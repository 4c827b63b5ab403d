//! Shared parts of panels.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Borders, Clear, Widget};

use crate::viewer::Theme;
use crate::viewer::theme::{STRONG, Sign};

/// Draws a rule with a title across the top of a panel; what is left of it.
pub(super) fn titled(title: &str, area: Rect, theme: Theme, buffer: &mut Buffer) -> Rect {
    let title = Span::styled(format!(" {title} "), STRONG);
    let title = Line::from(vec![Span::styled("─", theme.quiet()), title]);
    let block = Block::new().borders(Borders::TOP).border_style(theme.quiet()).title(title);
    let inside = block.inner(area);
    block.render(area, buffer);
    inside
}

/// Cuts a line that does not fit after its last whole word that fits, and adds an ellipsis. A first word that is too long
/// is cut within.
pub(super) fn whole_words(spans: Vec<Span<'static>>, room: u16) -> Line<'static> {
    let room = usize::from(room);
    let line = Line::from(spans);
    if line.width() <= room {
        return line;
    }
    let letters: Vec<(char, Style)> = line
        .iter()
        .flat_map(|span| span.content.chars().map(|letter| (letter, span.style)))
        .collect();
    let width = |letter: char| Span::raw(letter.to_string()).width();
    let mut used = 1;
    let fits = |(letter, _): &&(char, Style)| {
        used += width(*letter);
        used <= room
    };
    let fitting = letters.iter().take_while(fits).count();
    let is_blank = |at: &usize| letters[*at].0 == ' ';
    let ends_a_word = |at: &usize| is_blank(at) && *at > 0 && !is_blank(&(at - 1));
    let kept = (0..=fitting).rfind(ends_a_word).unwrap_or(fitting);
    let kept = letters[..kept].iter().copied().chain((room > 0).then_some(('…', Style::new())));
    kept.map(|(letter, style)| Span::styled(letter.to_string(), style)).collect()
}

/// The words of a text in lines that are not longer than a room, if no word is.
pub(super) fn wrapped(text: &str, room: u16) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if Span::raw(format!("{line} {word}")).width() <= room.into() => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Clears a box in the middle of an area and draws its border; what is inside. The size is that of
/// the inside.
pub(super) fn popup(
    title: &str,
    (width, height): (u16, u16),
    area: Rect,
    buffer: &mut Buffer,
) -> Rect {
    let size = (width.saturating_add(4).min(area.width), height.saturating_add(2).min(area.height));
    let place = Rect {
        x: area.x + (area.width - size.0) / 2,
        y: area.y + (area.height - size.1) / 2,
        width: size.0,
        height: size.1,
    };
    // A column to either side sets it off.
    let cleared = Rect { x: place.x.saturating_sub(1), width: place.width + 2, ..place };
    Clear.render(cleared.intersection(area), buffer);
    let title = Line::styled(format!(" {title} "), STRONG).centered();
    let block = Block::bordered().border_type(BorderType::Rounded).title(title);
    let inside = block.inner(place);
    block.render(place, buffer);
    Rect { x: inside.x + 1, width: inside.width.saturating_sub(2), ..inside }
}

/// Draws a character over what stands there, if there is room.
pub(super) fn put(buffer: &mut Buffer, x: u16, y: u16, (character, style): Sign) {
    if let Some(cell) = buffer.cell_mut((x, y)) {
        cell.reset();
        cell.set_char(character).set_style(style);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_at_a_word() {
        for (spans, room, expected) in [
            (vec!["  12 ", "A", " takes a cherry"], 21, "  12 A takes a cherry"),
            (vec!["  12 ", "A", " takes a cherry"], 20, "  12 A takes a…"),
            (vec!["  12 ", "A", " takes a cherry"], 15, "  12 A takes a…"),
            (vec!["  12 ", "A", " takes a cherry"], 14, "  12 A takes…"),
            (vec!["  12 ", "A", " takes a cherry"], 7, "  12 A…"),
            (vec!["malformed"], 5, "malf…"),
            (vec!["日本 語語"], 6, "日本…"),
            (vec!["A"], 0, ""),
        ] {
            let line = whole_words(spans.iter().copied().map(Span::raw).collect(), room);
            assert_eq!(line.to_string(), expected, "{spans:?} in {room}");
            assert!(line.width() <= room.into());
        }
    }

    #[test]
    fn words_go_on_in_the_next_line() {
        let text = "client pyrat NAME --serveur 127.0.0.1:1111";
        assert_eq!(wrapped(text, 60), [text]);
        assert_eq!(wrapped(text, 18), ["client pyrat NAME", "--serveur", "127.0.0.1:1111"]);
        assert_eq!(wrapped("127.0.0.1:1111", 3), ["127.0.0.1:1111"]);
    }
}
