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
mod pull;
mod walk;
mod wariness;

use game::pacman::rules::BATTLE;
use game::pacman::{Board, Cell, Colour, Direction, Player, Powers, View};

pub use arrivals::Arrivals;
pub use forecast::Forecast;
pub use harvest::Harvest;
pub(crate) use hunter::HUNTERS;
pub use hunter::Hunter;
pub(crate) use pull::Pull;
pub(crate) use walk::Walk;
pub use wariness::Wariness;

/// Points for a battle won.
#[expect(clippy::cast_precision_loss, reason = "the points of a battle are few")]
pub(crate) const WON: f32 = BATTLE as f32;
/// Points that a battle lost costs: those lost, and some of those that another player gains.
pub(crate) const LOST: f32 = 26.0;

/// All players but `me`, with their colours.
pub fn others(view: &View, me: Colour) -> impl Iterator<Item = (Colour, &Player)> {
    Colour::first(Colour::MAX).zip(view.players()).filter(move |(colour, _)| *colour != me)
}

/// Points that a battle brings the owner of a pacman with these powers.
pub(crate) fn battle(powers: Powers) -> f32 {
    if powers.glutton > 0 { WON } else { -LOST }
}

/// The first direction in which a ghost stays on its cell, clockwise from north; `None` if it can walk in each.
pub(crate) fn into_a_wall(board: &Board, ghost: Cell) -> Option<Direction> {
    Direction::ALL.into_iter().find(|&wall| !board.is_open(ghost, wall))
}
