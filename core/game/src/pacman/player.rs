//! The players, their pieces and their orders.

use crate::pacman::{Board, Cell, Colour, Direction, Object};

/// Public data of a player (*joueur*).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Player {
    /// Points, possibly negative.
    pub points: i32,
    /// The counter of false moves as the wire shows it: moves made or left, depending on the rules.
    pub false_moves: i32,
    /// Cell of the pacman; a wall perhaps, thanks to the wall-pass.
    pub pacman: Cell,
    /// Cell of the ghost (*fantôme*).
    pub ghost: Cell,
    /// Turns left of each power of the pacman.
    pub powers: Powers,
}

/// Turns left of each power of a pacman; 0 without the power.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Powers {
    /// Battles turn in the pacman's favour (*glouton*).
    pub glutton: u32,
    /// Ghosts near the pacman cannot move (*immobilité*).
    pub freeze: u32,
    /// Walls do not stop the pacman (*passe-muraille*).
    pub wall_pass: u32,
}

impl Powers {
    /// Directions in which a pacman with these powers can walk from a cell, clockwise from north.
    #[inline]
    pub fn exits(&self, board: &Board, cell: Cell) -> &'static [Direction] {
        if self.wall_pass > 0 { &Direction::ALL } else { board.exits(cell) }
    }

    /// Adds the duration of the power that an object gives; without effect for objects without a lasting power.
    pub fn gain(&mut self, object: Object) {
        let left = match object {
            Object::Glutton => &mut self.glutton,
            Object::Freeze => &mut self.freeze,
            Object::WallPass => &mut self.wall_pass,
            Object::Vitamin | Object::Cherry | Object::Teleporter => return,
        };
        *left = left.saturating_add(object.duration());
    }

    /// Takes a turn off each power, as the end of a turn does.
    #[inline]
    pub fn lose_a_turn(&mut self) {
        for left in [&mut self.glutton, &mut self.freeze, &mut self.wall_pass] {
            *left = left.saturating_sub(1);
        }
    }
}

/// The orders of a player for its two pieces in a turn.
///
/// `None` is an order that names no direction: the rules price it, so it is data, not an error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Orders {
    /// The pacman's order.
    pub pacman: Option<Direction>,
    /// The ghost's order.
    pub ghost: Option<Direction>,
}

/// Pacman or ghost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PieceKind {
    /// The collector.
    Pacman,
    /// The attacker (*fantôme*).
    Ghost,
}

/// One piece of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Piece {
    /// Owner of the piece.
    pub colour: Colour,
    /// Kind of the piece.
    pub kind: PieceKind,
}

impl Piece {
    /// The pacman of a player.
    #[must_use]
    pub const fn pacman(colour: Colour) -> Self {
        Self { colour, kind: PieceKind::Pacman }
    }

    /// The ghost of a player.
    #[must_use]
    pub const fn ghost(colour: Colour) -> Self {
        Self { colour, kind: PieceKind::Ghost }
    }
}
