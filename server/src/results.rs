//! What a game comes to.

use std::fmt;

use game::pyrat::{Counts, Score};
use referee::Thinking;

/// How far a game is.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    /// Which one, from 1; 0 before the first one.
    pub game: u32,
    /// Turns played.
    pub elapsed: u32,
    /// Turns of the whole game, at most.
    pub total: u32,
    /// Points, in order of colour.
    pub points: Vec<Points>,
}

/// What a player has won.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Points {
    /// Points of Pacman.
    Whole(i32),
    /// Cheese of PyRat.
    Cheese(Score),
}

impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole(points) => write!(f, "{points}"),
            Self::Cheese(score) => write!(f, "{score}"),
        }
    }
}

/// How a player stands in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// What it has won.
    pub points: Points,
    /// From 1; equal points share a rank.
    pub rank: usize,
    /// Its orders that were malformed or led into a wall.
    pub false_moves: u32,
    /// What it has answered, where the game counts that.
    pub counts: Option<Counts>,
}

/// How a game, or a series of games, ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// All turns, or all games, are played.
    Finished,
    /// All players were gone before that.
    Deserted,
    /// It was told to stop.
    Interrupted,
}

/// The result of a game, of all its turns or of those that were played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameResult {
    /// Which game, from 1.
    pub game: u32,
    /// Its seed.
    pub seed: u64,
    /// Turns played.
    pub elapsed: u32,
    /// Turns of the whole game, at most.
    pub total: u32,
    /// The players in order of colour.
    pub players: Vec<PlayerResult>,
}

/// What a player has made of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerResult {
    /// Its name.
    pub name: String,
    /// Its colour's letter.
    pub letter: char,
    /// How it stands in the end.
    pub standing: Standing,
    /// How long it has thought.
    pub thinking: Thinking,
}

impl GameResult {
    /// The scores as a file has them: `NAME;POINTS` a line, in order of colour.
    #[must_use]
    pub fn scores(&self) -> String {
        let line = |player: &PlayerResult| {
            let name = player.name.replace('~', ".").replace(';', ",");
            format!("{name};{}\n", player.standing.points)
        };
        self.players.iter().map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_in_order_of_colour_and_names_keep_their_fields_apart() {
        let player = |((name, points), letter): ((&str, i32), char)| PlayerResult {
            name: name.to_owned(),
            letter,
            standing: Standing {
                points: Points::Whole(points),
                rank: 1,
                false_moves: 0,
                counts: None,
            },
            thinking: Thinking::default(),
        };
        let players = [("a~b", -3), ("c;d", 12), ("Équipe", -3)].into_iter().zip('A'..='C');
        let players = players.map(player).collect();
        let result = GameResult { game: 1, seed: 1, elapsed: 1, total: 1, players };
        assert_eq!(result.scores(), "a.b;-3\nc,d;12\nÉquipe;-3\n");
    }
}
