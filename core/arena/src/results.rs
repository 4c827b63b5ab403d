//! The results of games.

use std::fmt;

use game::pyrat::{Counts, Score};
use referee::Thinking;

/// The progress of a game.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    /// The number of the game, from 1; 0 before the first game.
    pub game: u32,
    /// The number of turns played.
    pub elapsed: u32,
    /// The maximum number of turns of the game.
    pub total: u32,
    /// Points, in order of colour.
    pub points: Vec<Points>,
}

/// The score of a player.
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

/// The standing of a player in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The score of the player.
    pub points: Points,
    /// The rank, from 1; equal points share a rank.
    pub rank: usize,
    /// The number of orders that were malformed or led into a wall.
    pub false_moves: u32,
    /// The counts of the player's answers; `None` if the game has none.
    pub counts: Option<Counts>,
}

/// The reason for the end of a game or a series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndReason {
    /// All turns or games were played.
    Finished,
    /// All players were gone before.
    Deserted,
    /// The game or series was told to stop.
    Interrupted,
}

/// The result of a game, complete or cut short.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameResult {
    /// The number of the game, from 1.
    pub game: u32,
    /// The seed of the game.
    pub seed: u64,
    /// The number of turns played.
    pub elapsed: u32,
    /// The maximum number of turns of the game.
    pub total: u32,
    /// The players in order of colour.
    pub players: Vec<PlayerResult>,
}

/// The result of a player in a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerResult {
    /// The name of the player.
    pub name: String,
    /// The letter of the player's colour.
    pub letter: char,
    /// The final standing of the player.
    pub standing: Standing,
    /// The thinking times of the player.
    pub thinking: Thinking,
}

impl GameResult {
    /// The text of the file of scores: a line `NAME;POINTS` for each player, in order of colour.
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
    fn scores_are_in_order_of_colour_and_separators_in_names_are_replaced() {
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
