//! Events of a turn.

use crate::pacman::{Cell, Colour, Object, Piece};

/// One thing that happened, in the order in which the rules let it happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A malformed or impossible order was priced and counted.
    FalseMove {
        /// Whose order.
        piece: Piece,
        /// The mistake in it.
        cause: FalseMove,
    },
    /// A piece walked one cell.
    Moved {
        /// Which.
        piece: Piece,
        /// Cell that it left.
        from: Cell,
        /// Cell that it entered.
        to: Cell,
    },
    /// A pacman took the object of its cell.
    Took {
        /// Whose pacman.
        colour: Colour,
        /// What.
        object: Object,
        /// Where.
        cell: Cell,
    },
    /// A teleporter or a false move carried a piece elsewhere.
    Teleported {
        /// Which.
        piece: Piece,
        /// Cell before.
        from: Cell,
        /// Cell after.
        to: Cell,
    },
    /// A pacman and a ghost met; the winner took points from the other.
    Battle {
        /// Owner of the pacman.
        pacman: Colour,
        /// Owner of the ghost.
        ghost: Colour,
        /// `true` if the ghost ate the pacman; else the glutton ate the ghost.
        bitten: bool,
    },
    /// A frozen ghost stayed where it is.
    Frozen(Colour),
    /// A ghost stayed where it is because it ate in the last turn.
    Digesting(Colour),
    /// A piece has done all that it does in this turn.
    Done(Piece),
    /// An object appeared.
    Appeared {
        /// What.
        object: Object,
        /// Where.
        cell: Cell,
    },
    /// The turn is over and counted.
    TurnEnded,
}

/// The mistake that makes an order a false move (*faux mouvement*).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FalseMove {
    /// It names no direction.
    Malformed,
    /// A wall is in the way.
    Blocked,
}
