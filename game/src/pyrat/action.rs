//! Answers of players, and their counts.

use crate::pyrat::Direction;

/// A player's answer in a turn (*action*).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Action {
    /// To stay (*rien*).
    #[default]
    Nothing,
    /// To go in a direction.
    Go(Direction),
    /// Nothing came before the deadline; the rat stays.
    Missed,
    /// An answer without a meaning; the rat stays.
    Malformed,
}

/// Counts of a player's answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Stayed on purpose.
    pub nothing: u32,
    /// Went, by [direction](Direction::index).
    pub directions: [u32; 4],
    /// Turns in the mud, in which nothing was asked.
    pub mud: u32,
    /// Went into a wall, a hole or the edge.
    pub wall: u32,
    /// Did not answer in time.
    pub missed: u32,
    /// Answered with something that means nothing.
    pub malformed: u32,
}

impl Counts {
    /// Turns in which the rat got nowhere, mud apart.
    #[must_use]
    pub fn wasted(&self) -> u32 {
        self.nothing + self.wall + self.missed + self.malformed
    }
}
