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
        let runners = targets & !stoppable_up(position, geometry);
        if runners != 0 {
            // One move to the target, and one for each line above it.
            let far = geometry.lines_above(runners) + 1;
            if far <= other_far {
                bounds.least = Rank::win_in(2 * far as i16 - 1);
            }
        }
        let runners = other & !stoppable_down(position, geometry);
        if runners != 0 {
            let far = geometry.lines_below(runners);
            if far < mover_far {
                bounds.most = bounds.most.min(Rank::loss_in(2 * far as i16));
            }
        }
        bounds
    }
}

/// Cells from which a pawn of the player to move may be attacked or blocked on its path to the goal, while
/// the player's other pawns do not move.
fn stoppable_up(position: Position, geometry: &Geometry) -> u64 {
    // Opposing pawns only leave their columns to capture.
    closure(
        position.other,
        position.mover,
        |cells| geometry.down(cells),
        |cells| geometry.down_aside(cells),
    )
}

/// As `stoppable_up`, for pawns of the opponent.
fn stoppable_down(position: Position, geometry: &Geometry) -> u64 {
    closure(
        position.mover,
        position.other,
        |cells| geometry.up(cells),
        |cells| geometry.up_aside(cells),
    )
}

/// All cells that pawns can enter or attack: they push freely, and capture only on the cells of `prey`.
fn closure(
    pawns: u64,
    prey: u64,
    straight: impl Fn(u64) -> u64,
    aside: impl Fn(u64) -> u64,
) -> u64 {
    let (mut reached, mut entered, mut edge) = (0, pawns, pawns);
    while edge != 0 {
        let (ahead, attacked) = (straight(edge), aside(edge));
        reached |= ahead | attacked;
        edge = (ahead | attacked & prey) & !entered;
        entered |= edge;
    }
    reached
}
