//! A picture with a palette.

use font8x8::{BASIC_FONTS, LATIN_FONTS, UnicodeFonts};
use gif::Frame;

use super::ink::{FLOOR, Ink, TRANSPARENT};

/// A place on the board, in cells: across, down.
pub(super) type Place = (f32, f32);

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
        let rows = BASIC_FONTS.get(letter).or_else(|| LATIN_FONTS.get(letter));
        let rows = rows.or_else(|| BASIC_FONTS.get('?')).unwrap_or_default();
        self.fill(at, size / 2.0, ink, |x, y| {
            let [col, row] = [x, y].map(|part| whole((part / size + 0.5) * 8.0));
            rows.get(usize::from(row)).is_some_and(|bits| col < 8 && bits >> col & 1 == 1)
        });
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

/// Truncates a number; negative numbers give 0.
#[expect(clippy::cast_sign_loss, reason = "a cast takes negative numbers to 0")]
fn whole(number: f32) -> u16 {
    number as u16
}
