//! Shared parts of panels.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
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
