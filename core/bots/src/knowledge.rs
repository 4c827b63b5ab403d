//! Knowledge about a state that the better bots share.
//!
//! - [`Arrivals`]: when the first opponent can be at a cell.
//! - [`Wariness`]: costs of the cells near ghosts.
//! - [`Harvest`]: the object that is worth most for the walk to it.
//! - [`Forecast`]: the likely walk of a pacman.
//! - [`Hunter`]: a ghost that hunts a pacman.

mod arrivals;
mod forecast;
mod harvest;
mod hunter;
mod wariness;

use game::pacman::{Colour, Player, View};

pub use arrivals::Arrivals;
pub use forecast::Forecast;
pub use harvest::Harvest;
pub use hunter::Hunter;
pub use wariness::Wariness;

/// All players but `me`, with their colours.
pub fn others(view: &View, me: Colour) -> impl Iterator<Item = (Colour, &Player)> {
    Colour::first(Colour::MAX).zip(view.players()).filter(move |(colour, _)| *colour != me)
}
