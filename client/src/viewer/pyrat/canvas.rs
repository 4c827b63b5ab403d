//! Canvas of a maze.

use std::ops::Range;

use graph::Pos;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use crate::viewer::BoardSize;
use crate::viewer::camera::Camera;
use crate::viewer::panel::put;
use crate::viewer::theme::Sign;

/// Visible part of a maze. Columns and rows count from its upper left; nothing is drawn
/// beyond.
///
/// A place comes with the border at its left and the one above it. In the small size, where a place
/// is one row high, the border above it shares the row of the place above.
pub(super) struct Canvas<'a> {
    pub(super) camera: Camera,
    pub(super) area: Rect,
    pub(super) buffer: &'a mut Buffer,
}

impl Canvas<'_> {
    /// Tests if borders share the rows of places.
    pub(super) fn is_small(&self) -> bool {
        self.camera.scale.size == BoardSize::Small
    }

    /// The width of a place with its left border.
    pub(super) fn width(&self) -> i32 {
        self.camera.scale.cell.0.into()
    }

    /// The height of a place with its upper border.
    pub(super) fn height(&self) -> i32 {
        self.camera.scale.cell.1.into()
    }

    /// The places that are seen, and those of the next row and column, whose borders are: each with
    /// whether its row and whether its column is seen.
    pub(super) fn places(&self) -> impl Iterator<Item = (Pos, bool, bool)> + use<> {
        let Camera { from, rows, cols, .. } = self.camera;
        (0..=rows).flat_map(move |row| {
            (0..=cols).map(move |col| {
                let pos = Pos { row: from.row + row, col: from.col + col };
                (pos, row < rows, col < cols)
            })
        })
    }

    /// Tests if a place is seen.
    pub(super) fn sees(&self, pos: Pos) -> bool {
        let Camera { from, rows, cols, .. } = self.camera;
        (from.row..from.row + rows).contains(&pos.row)
            && (from.col..from.col + cols).contains(&pos.col)
    }

    /// Position at which the borders of a place meet.
    pub(super) fn corner(&self, pos: Pos) -> (i32, i32) {
        let from = self.camera.from;
        let place = |at: u16, from: u16| i32::from(at) - i32::from(from);
        (place(pos.col, from.col) * self.width(), place(pos.row, from.row) * self.height())
    }

    /// The middle of a place.
    pub(super) fn middle(&self, pos: Pos) -> (i32, i32) {
        let (x, y) = self.corner(pos);
        (x + self.width() / 2, y + (self.height() / 2).max(1))
    }

    /// The columns and the rows of a place, without its borders.
    pub(super) fn inside(&self, pos: Pos) -> (Range<i32>, Range<i32>) {
        let (x, y) = self.corner(pos);
        (x + 1..x + self.width(), y + 1..y + self.height().max(2))
    }

    /// Draws a part of a path, if its row is seen.
    pub(super) fn put(&mut self, x: i32, y: i32, sign: Sign) {
        let first = i32::from(self.is_small());
        if (first..=i32::from(self.camera.rows) * self.height()).contains(&y) {
            self.draw(x, y, sign);
        }
    }

    /// Writes a number of turns in the middle of the border at the left of a place.
    pub(super) fn write_left_of(&mut self, pos: Pos, turns: u16, style: Style) {
        let ((x, _), (_, y)) = (self.corner(pos), self.middle(pos));
        let room = if self.height() > 2 { 3 } else { 1 };
        self.write_number(x, y, turns, room, style);
    }

    /// Writes a number of turns in the middle of the border above a place, in the small size as a
    /// small digit at its right.
    pub(super) fn write_above(&mut self, pos: Pos, turns: u16, style: Style) {
        let ((left, y), (x, _)) = (self.corner(pos), self.middle(pos));
        if self.is_small() {
            let digits = ['₀', '₁', '₂', '₃', '₄', '₅', '₆', '₇', '₈', '₉'];
            let digit = digits.get(usize::from(turns)).unwrap_or(&'₊');
            self.draw(left + 2, y, (*digit, style));
        } else {
            self.write_number(x, y, turns, 3, style);
        }
    }

    /// Writes around a column, in the small size from there on.
    pub(super) fn write(&mut self, x: i32, y: i32, signs: impl ExactSizeIterator<Item = Sign>) {
        let before = if self.is_small() { 0 } else { signs.len() / 2 };
        let start = x - i32::try_from(before).unwrap_or(0);
        (start..).zip(signs).for_each(|(x, sign)| self.draw(x, y, sign));
    }

    /// Writes a number around a column, or a `+` where there is no room for it.
    fn write_number(&mut self, x: i32, y: i32, number: u16, room: usize, style: Style) {
        let text = number.to_string();
        let text = if text.len() > room { "+" } else { &text };
        self.write(x, y, text.bytes().map(|digit| (digit.into(), style)));
    }

    /// Draws a character.
    pub(super) fn draw(&mut self, x: i32, y: i32, sign: Sign) {
        if let Some((x, y)) = self.on_screen(x, y) {
            put(self.buffer, x, y, sign);
        }
    }

    /// Underlines what stands there.
    pub(super) fn underline(&mut self, x: i32, y: i32, style: Style) {
        let place = self.on_screen(x, y);
        let Some(cell) = place.and_then(|place| self.buffer.cell_mut(place)) else { return };
        match cell.symbol() {
            " " => cell.set_char('_').set_style(style),
            _ => cell.set_style(Modifier::UNDERLINED),
        };
    }

    fn on_screen(&self, x: i32, y: i32) -> Option<(u16, u16)> {
        let within = |at, len| u16::try_from(at).ok().filter(|&at| at < len);
        let (dx, dy) = (within(x, self.area.width)?, within(y, self.area.height)?);
        Some((self.area.x + dx, self.area.y + dy))
    }
}
