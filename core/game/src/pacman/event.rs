//! The events of a turn.

use crate::pacman::{Cell, Colour, Object, Piece};

/// An event of a turn. Events come in the order of the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A malformed or impossible order was priced and counted.
    FalseMove {
        /// The piece with the false order.
        piece: Piece,
        /// The kind of false move.
        cause: FalseMove,
    },
    /// A piece walked one cell.
    Moved {
        /// The piece.
        piece: Piece,
        /// Cell before the step.
        from: Cell,
        /// Cell after the step.
        to: Cell,
    },
    /// A pacman took the object of its cell.
    Took {
        /// Owner of the pacman.
        colour: Colour,
        /// The object.
        object: Object,
        /// Cell of the object.
        cell: Cell,
    },
    /// A teleporter or a false move carried a piece elsewhere.
    Teleported {
        /// The piece.
        piece: Piece,
        /// Cell before the teleport.
        from: Cell,
        /// Cell after the teleport.
        to: Cell,
    },
    /// A pacman and a ghost met; the winner took points from the other.
    Battle {
        /// Owner of the pacman.
        pacman: Colour,
        /// Owner of the ghost.
        ghost: Colour,
        /// `true` if the ghost ate the pacman, `false` if the glutton ate the ghost.
        bitten: bool,
    },
    /// A frozen ghost stayed where it is.
    Frozen(Colour),
    /// A ghost stayed where it is because it ate in the last turn.
    Digesting(Colour),
    /// A piece has ended its part of the turn.
    Done(Piece),
    /// An object appeared.
    Appeared {
        /// The object.
        object: Object,
        /// Cell of the object.
        cell: Cell,
    },
    /// The turn is over and counted.
    TurnEnded,
}

/// The kind of a false move (*faux mouvement*).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FalseMove {
    /// The order names no direction.
    Malformed,
    /// A wall is in the way.
    Blocked,
}
