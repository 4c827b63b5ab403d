//! What the better bots know about a state, in words of their own.
//!
//! - [`Arrivals`]: who is first at a cell.
//! - [`forecast`]: where a pacman probably goes.
//! - [`Hunter`]: a ghost that comes after a pacman.

mod arrivals;
mod forecast;
mod hunter;

use game::pacman::{Colour, Player, View};

pub use arrivals::Arrivals;
pub use forecast::forecast;
pub use hunter::Hunter;

/// The players but one, with their colours.
pub fn others(view: &View, me: Colour) -> impl Iterator<Item = (Colour, &Player)> {
    Colour::first(Colour::MAX).zip(view.players()).filter(move |(colour, _)| *colour != me)
}
