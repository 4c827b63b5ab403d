//! A picture with a palette.

use font8x8::{BASIC_FONTS, LATIN_FONTS, UnicodeFonts};
use gif::Frame;

use super::ink::{self, FLOOR, Ink, TRANSPARENT, WALL};

/// A place on the board, in cells: across, down.
pub(super) type Place = (f32, f32);

/// Dots of a side of a character of the font.
const GLYPH: u16 = 8;

/// A picture (*image*) of a board. Cells are squares of `scale` pixels, and the board begins `margin` pixels
/// from the top and the left. Places and lengths on the board are in cells.
#[derive(Clone, Debug)]
pub(super) struct Canvas {
    width: u16,
    height: u16,
    pub(super) scale: u16,
    pub(super) margin: u16,
    /// The inks of the pixels, row-major.
    pixels: Vec<Ink>,
}

impl Canvas {
    pub(super) fn new(width: u16, height: u16, scale: u16, margin: u16) -> Self {
        let pixels = vec![FLOOR; usize::from(width) * usize::from(height)];
        Self { width, height, scale, margin, pixels }
    }

    pub(super) fn size(&self) -> (u16, u16) {
        (self.width, self.height)
    }

    /// Paints the pixels in a shape around a place, up to `reach` cells in each direction. `shape` gets the
    /// middle of a pixel, relative to the place.
    pub(super) fn fill(
        &mut self,
        (across, down): Place,
        reach: f32,
        ink: Ink,
        shape: impl Fn(f32, f32) -> bool,
    ) {
        let (scale, margin) = (f32::from(self.scale), f32::from(self.margin));
        let pixels = |middle: f32, size: u16| {
            let pixel = |at: f32| whole(at * scale + margin).min(size);
            pixel(middle - reach)..pixel(middle + reach + 1.0 / scale)
        };
        let place = |pixel: u16| (f32::from(pixel) + 0.5 - margin) / scale;
        for y in pixels(down, self.height) {
            for x in pixels(across, self.width) {
                if shape(place(x) - across, place(y) - down) {
                    self.pixels[usize::from(y) * usize::from(self.width) + usize::from(x)] = ink;
                }
            }
        }
    }

    pub(super) fn disc(&mut self, at: Place, radius: f32, ink: Ink) {
        self.fill(at, radius, ink, |x, y| x.hypot(y) <= radius);
    }

    pub(super) fn rect(&mut self, at: Place, half: (f32, f32), ink: Ink) {
        let shape = |x: f32, y: f32| x.abs() <= half.0 && y.abs() <= half.1;
        self.fill(at, half.0.max(half.1), ink, shape);
    }

    /// Draws a character of `size` cells with its middle at a place, unless it would be smaller than 6 pixels.
    pub(super) fn letter(&mut self, at: Place, size: f32, letter: char, ink: Ink) {
        if size * f32::from(self.scale) < 6.0 {
            return;
        }
        let rows = glyph(letter);
        self.fill(at, size / 2.0, ink, |x, y| {
            let [col, row] = [x, y].map(|part| whole((part / size + 0.5) * 8.0));
            rows.get(usize::from(row)).is_some_and(|bits| col < 8 && bits >> col & 1 == 1)
        });
    }

    /// Draws the letter of a piece with its middle at a place, as large as fits into the piece in whole pixels a dot of the
    /// font, with an outline of the piece's ink. Cells of less than 10 pixels have no room for it.
    pub(super) fn initial(&mut self, (across, down): Place, letter: char, ink: Ink, outline: Ink) {
        if self.scale < 10 {
            return;
        }
        let dot = (self.scale * 2 / 3 / GLYPH).max(1);
        let rows = glyph(letter);
        let is_on = |col: i32, row: i32| {
            let [col, row] = [col, row].map(|at| usize::try_from(at).unwrap_or(usize::MAX));
            rows.get(row).is_some_and(|bits| col < 8 && bits >> col & 1 == 1)
        };
        // The smallest box of the dots that are on is in the middle, as letters differ in width and height.
        let middle = |is_used: &dyn Fn(i32) -> bool| {
            let first = (0..8).find(|at| is_used(*at)).unwrap_or(0);
            let last = (0..8).rfind(|at| is_used(*at)).unwrap_or(7);
            (first + last + 1) * i32::from(dot) / 2
        };
        let [x, y] = [across, down]
            .map(|place| i32::from(whole(place * f32::from(self.scale) + f32::from(self.margin))));
        let left = x - middle(&|col| (0..8).any(|row| is_on(col, row)));
        let top = y - middle(&|row| (0..8).any(|col| is_on(col, row)));
        let dots = || (0..8).flat_map(|row| (0..8).map(move |col| (col, row)));
        let dot = i32::from(dot);
        for (around, ink) in [(1, outline), (0, ink)] {
            for (col, row) in dots().filter(|&(col, row)| is_on(col, row)) {
                for down in -around..dot + around {
                    for right in -around..dot + around {
                        self.paint(left + col * dot + right, top + row * dot + down, ink);
                    }
                }
            }
        }
    }

    /// Paints a pixel, if it lies in the picture.
    fn paint(&mut self, x: i32, y: i32, ink: Ink) {
        if let (Ok(x), Ok(y)) = (u16::try_from(x), u16::try_from(y))
            && x < self.width
            && y < self.height
        {
            self.pixels[usize::from(y) * usize::from(self.width) + usize::from(x)] = ink;
        }
    }

    /// Draws a box with a border in the middle of the area above `bottom`, and lines of text in it, as large as they fit.
    pub(super) fn board(&mut self, bottom: u16, lines: &[(String, Ink)]) {
        let longest = lines.iter().map(|(line, _)| line.chars().count()).max().unwrap_or(0);
        let [cols, rows] = [longest + 2, 2 * lines.len() + 1];
        let fits = |size: &u16| {
            let size = usize::from(*size);
            cols * size <= usize::from(self.width) && rows * size <= 2 * usize::from(bottom)
        };
        let size = [4, 3, 2].map(|dots| dots * GLYPH).into_iter().find(fits).unwrap_or(GLYPH);
        // A text that fits nowhere is cut at the edges of the picture.
        let pixels = |length: usize, all: u16| {
            u16::try_from(length * usize::from(size)).map_or(all, |length| length.min(all))
        };
        let (width, height) = (pixels(cols, self.width), pixels(rows, u16::MAX).min(bottom));
        let (left, top) = ((self.width - width) / 2, (bottom - height) / 2);
        for y in 0..height {
            for x in 0..width {
                let is_edge = [x, y, width - 1 - x, height - 1 - y].into_iter().any(|far| far < 2);
                let ink = if is_edge { WALL } else { FLOOR };
                self.paint((left + x).into(), (top + y).into(), ink);
            }
        }
        for (line, (text, ink)) in (0_u16..).zip(lines) {
            self.text((left + size, top + size + line * size * 2 - size / 4), size, text, *ink);
        }
    }

    /// Draws a line of characters of `size` pixels, with its left top corner at a pixel.
    pub(super) fn text(&mut self, (left, top): (u16, u16), size: u16, text: &str, ink: Ink) {
        let [scale, margin, left, top, size] =
            [self.scale, self.margin, left, top, size].map(f32::from);
        for (at, letter) in (0_u16..).zip(text.chars()) {
            let middle = left + (f32::from(at) + 0.5) * size;
            let place = |pixel: f32| (pixel - margin) / scale;
            self.letter((place(middle), place(top + size / 2.0)), size / scale, letter, ink);
        }
    }

    /// The whole picture.
    pub(super) fn whole(&self) -> Frame<'static> {
        Frame::from_indexed_pixels(self.width, self.height, self.pixels.clone(), None)
    }

    /// The red, green and blue bytes of the pixels, row-major.
    pub(super) fn colours(&self) -> Vec<u8> {
        let palette = ink::palette();
        self.pixels.iter().flat_map(|&ink| palette[3 * usize::from(ink)..][..3].to_vec()).collect()
    }

    /// The changes since an earlier picture of the same size: the smallest rectangle that holds them.
    pub(super) fn since(&self, earlier: &Self) -> Frame<'static> {
        let width = usize::from(self.width);
        let rows = || self.pixels.chunks(width).zip(earlier.pixels.chunks(width));
        let (mut left, mut right, mut top, mut bottom) = (width, 0, None, 0);
        for (y, (new, old)) in rows().enumerate() {
            let differs = |x: &usize| new[*x] != old[*x];
            if let Some(first) = (0..width).find(differs) {
                left = left.min(first);
                right = right.max((0..width).rfind(differs).map_or(first, |last| last) + 1);
                top = top.or(Some(y));
                bottom = y + 1;
            }
        }
        let Some(top) = top else {
            return Frame::from_indexed_pixels(1, 1, [TRANSPARENT], Some(TRANSPARENT));
        };
        let change = |(new, old): (&Ink, &Ink)| if new == old { TRANSPARENT } else { *new };
        let cut = rows().take(bottom).skip(top);
        let pixels: Vec<Ink> = cut
            .flat_map(|(new, old)| new[left..right].iter().zip(&old[left..right]).map(change))
            .collect();
        // All four lie in the picture, whose sides are 16-bit numbers.
        let [left, right, top, bottom] = [left, right, top, bottom].map(|side| side as u16);
        let (width, height) = (right - left, bottom - top);
        let frame = Frame::from_indexed_pixels(width, height, pixels, Some(TRANSPARENT));
        Frame { left, top, ..frame }
    }
}

/// The rows of a character, from the top, each with its dots from the left as bits from the lowest.
fn glyph(letter: char) -> [u8; 8] {
    let rows = BASIC_FONTS.get(letter).or_else(|| LATIN_FONTS.get(letter));
    rows.or_else(|| BASIC_FONTS.get('?')).unwrap_or_default()
}

/// Truncates a number; negative numbers give 0.
#[expect(clippy::cast_sign_loss, reason = "a cast takes negative numbers to 0")]
fn whole(number: f32) -> u16 {
    number as u16
}
