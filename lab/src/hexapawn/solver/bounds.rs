//! Proofs from a look at the pawns.
//!
//! A player wins no faster than its first pawn can arrive, or than the opponent's pawns can be blocked
//! one by one; and no slower than a pawn that nothing can stop.

use super::position::{Geometry, Position};
use crate::hexapawn::value::Rank;

/// Ranks between which that of a position lies, both included.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    pub(super) least: Rank,
    pub(super) most: Rank,
}

impl Bounds {
    /// Of a position where both players have pawns, none of them has arrived, and the player to move can
    /// move, but not win at once.
    pub(super) fn of(position: Position, geometry: &Geometry) -> Self {
        let Position { mover, other } = position;
        let free = !position.occupied();
        // Least number of moves that each player needs to arrive.
        let mover_far = geometry.lines_above(mover);
        let other_far = geometry.lines_below(other);

        // A player has no move when no cell before its pawns is free. One ply, of either player, takes at
        // most one such cell away: it enters one cell, and what it captures had only one before it.
        let mover_pushes = (geometry.up(mover) & free).count_ones();
        let other_pushes = (geometry.down(other) & free).count_ones();
        // The winner moves last: the player to move in an odd number of plies, the other in an even one.
        let win = (2 * mover_far - 1).min(other_pushes | 1);
        let loss = (2 * other_far).min((mover_pushes + 1) & !1).max(2);
        // Plies are far less than the largest `i16`.
        let mut bounds = Self { least: Rank::loss_in(loss as i16), most: Rank::win_in(win as i16) };

        let targets = geometry.up(mover) & free | geometry.up_aside(mover) & other;
        let runners = targets & !stoppable_up(position, geometry);
        if runners != 0 {
            // The move to the target, and the lines above.
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

/// Cells that the opponent can attack or block before a pawn of the player to move gets from there to its
/// goal, while its other pawns stay where they are.
fn stoppable_up(position: Position, geometry: &Geometry) -> u64 {
    // Opposing pawns only leave their columns to capture.
    closure(
        position.other,
        position.mover,
        |cells| geometry.down(cells),
        |cells| geometry.down_aside(cells),
    )
}

/// The same for pawns of the opponent.
fn stoppable_down(position: Position, geometry: &Geometry) -> u64 {
    closure(
        position.mover,
        position.other,
        |cells| geometry.up(cells),
        |cells| geometry.up_aside(cells),
    )
}

/// All cells that pawns can enter or attack, which go straight on, and aside where there is prey.
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
