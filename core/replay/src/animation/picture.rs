//! A single picture of a state.

use game::pacman::{Direction, View};

use super::canvas::Canvas;
use super::{scene, still};

/// A picture of a board of Pacman with its objects and pieces, without names and points.
#[derive(Clone, Debug)]
pub struct Picture {
    /// Width in pixels.
    pub width: u16,
    /// Height in pixels.
    pub height: u16,
    /// The red, green and blue bytes of each pixel, row by row.
    pub pixels: Vec<u8>,
}

impl Picture {
    /// Draws a state with cells of `scale` pixels a side, or fewer if the picture would be larger than 65 535 pixels a side.
    /// `headings` are the directions in which the pacmans look, in order of colour; a missing one is east.
    #[must_use]
    pub fn draw(view: &View, headings: &[Direction], scale: u16) -> Self {
        let dims = view.board().dims();
        let scale = scale.clamp(1, u16::MAX / dims.rows().max(dims.cols()));
        let mut canvas = Canvas::new(dims.cols() * scale, dims.rows() * scale, scale, 0);
        still::walls(&mut canvas, view);
        let heading = |player| headings.get(player).copied().unwrap_or(Direction::East);
        scene::draw_pacman(&mut canvas, view, heading);
        let (width, height) = canvas.size();
        Self { width, height, pixels: canvas.colours() }
    }
}
