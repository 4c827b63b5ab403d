//! Answers of the players, and their counts.

use crate::pyrat::Direction;

/// Answer of a player in a turn (*action*).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Action {
    /// To stay (*rien*).
    #[default]
    Nothing,
    /// To go in a direction.
    Go(Direction),
    /// No answer before the deadline; the rat stays.
    Missed,
    /// An answer that is no action; the rat stays.
    Malformed,
}

/// Number of turns of a player by kind of answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Turns in which the rat stayed on purpose.
    pub nothing: u32,
    /// Turns in which the rat walked, by [direction](Direction::index).
    pub directions: [u32; 4],
    /// Turns in the mud, without a question to the player.
    pub mud: u32,
    /// Turns with a step into a wall, a hole or the edge.
    pub wall: u32,
    /// Turns without an answer in time.
    pub missed: u32,
    /// Turns with an answer that is no action.
    pub malformed: u32,
}

impl Counts {
    /// Turns in which the rat stayed, except those in the mud.
    pub fn wasted(&self) -> u32 {
        self.nothing + self.wall + self.missed + self.malformed
    }
}
