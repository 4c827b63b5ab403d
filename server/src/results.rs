//! What a game comes to.

use game::pacman::View;

/// How far a game is.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    /// Which one, from 1; 0 before the first one.
    pub game: u32,
    /// Turns played.
    pub elapsed: u32,
    /// Turns of the whole game.
    pub total: u32,
    /// Points, in order of colour.
    pub points: Vec<i32>,
}

impl Progress {
    pub(crate) fn update(&mut self, game: u32, view: &View) {
        self.game = game;
        self.elapsed = view.elapsed();
        self.total = view.total();
        self.points.clear();
        self.points.extend(view.players().iter().map(|player| player.points));
    }
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
    /// Turns of the whole game.
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
    /// Its points.
    pub points: i32,
    /// From 1; equal points share a rank.
    pub rank: usize,
}

impl GameResult {
    pub(crate) fn new(game: u32, seed: u64, view: &View, names: &[String]) -> Self {
        let mut players: Vec<_> = view
            .ranking()
            .into_iter()
            .map(|(rank, colour, player)| PlayerResult {
                name: names[colour.index()].clone(),
                letter: colour.letter(),
                points: player.points,
                rank,
            })
            .collect();
        players.sort_by_key(|player| player.letter);
        Self { game, seed, elapsed: view.elapsed(), total: view.total(), players }
    }

    /// The scores as a file has them: `NAME;POINTS` a line, in order of colour.
    #[must_use]
    pub fn scores(&self) -> String {
        let line = |player: &PlayerResult| {
            let name = player.name.replace('~', ".").replace(';', ",");
            format!("{name};{}\n", player.points)
        };
        self.players.iter().map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_in_order_of_colour_and_names_keep_their_fields_apart() {
        let player = |(name, points): (&str, i32), letter| PlayerResult {
            name: name.to_owned(),
            letter,
            points,
            rank: 1,
        };
        let players = [("a~b", -3), ("c;d", 12), ("Équipe", -3)].into_iter().zip('A'..='C');
        let players = players.map(|(named, letter)| player(named, letter)).collect();
        let result = GameResult { game: 1, seed: 1, elapsed: 1, total: 1, players };
        assert_eq!(result.scores(), "a.b;-3\nc,d;12\nÉquipe;-3\n");
    }
}
