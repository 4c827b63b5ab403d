//! Static bounds of ranks, from the cells of the pawns.
//!
//! A player wins no earlier than its first pawn can arrive or the opponent's pawns can be blocked one by
//! one, and no later than a pawn arrives that nothing can stop.

use super::position::{Geometry, Position};
use crate::value::Rank;

/// Lower and upper bound of the rank of a position, both included.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    pub(super) least: Rank,
    pub(super) most: Rank,
}

impl Bounds {
    /// The bounds of a position in which both players have pawns, none of them has arrived, and the player to
    /// move can move, but not win at once.
    pub(super) fn of(position: Position, geometry: &Geometry) -> Self {
        let Position { mover, other } = position;
        let free = !position.occupied();
        // The least number of moves that each player needs to arrive.
        let mover_far = geometry.lines_above(mover);
        let other_far = geometry.lines_below(other);

        // A player without a free cell before its pawns has no push. One ply of either player removes at most
        // one such cell: it enters one cell, and a captured pawn had only one cell before it.
        let mover_pushes = (geometry.up(mover) & free).count_ones();
        let other_pushes = (geometry.down(other) & free).count_ones();
        // The winner makes the last move: the player to move wins in an odd number of plies, the other in an even one.
        let win = (2 * mover_far - 1).min(other_pushes | 1);
        let loss = (2 * other_far).min((mover_pushes + 1) & !1).max(2);
        // Plies are far less than the largest `i16`.
        let mut bounds = Self { least: Rank::loss_in(loss as i16), most: Rank::win_in(win as i16) };

        let targets = geometry.up(mover) & free | geometry.up_aside(mover) & other;
        // The player's other pawns do not move meanwhile: opposing pawns only leave their columns to capture.
        let stoppable =
            reach(other, mover, |cells| (geometry.down(cells), geometry.down_aside(cells)));
        let runners = targets & !stoppable;
        if runners != 0 {
            // One move to the target, and one for each line above it.
            let far = geometry.lines_above(runners) + 1;
            if far <= other_far {
                bounds.least = Rank::win_in(2 * far as i16 - 1);
            }
        }
        let stoppable = reach(mover, other, |cells| (geometry.up(cells), geometry.up_aside(cells)));
        let runners = other & !stoppable;
        if runners != 0 {
            let far = geometry.lines_below(runners);
            if far < mover_far {
                bounds.most = bounds.most.min(Rank::loss_in(2 * far as i16));
            }
        }
        bounds
    }
}

/// All cells that pawns can enter or attack: they push freely, and capture only on the cells of `prey`. `next` gives
/// the cells straight ahead of cells, and those that they attack.
fn reach(pawns: u64, prey: u64, next: impl Fn(u64) -> (u64, u64)) -> u64 {
    let (mut reached, mut entered, mut edge) = (0, pawns, pawns);
    while edge != 0 {
        let (ahead, attacked) = next(edge);
        reached |= ahead | attacked;
        edge = (ahead | attacked & prey) & !entered;
        entered |= edge;
    }
    reached
}
