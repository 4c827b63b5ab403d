//! Players alone in mazes, all in the same mazes.

use std::ops::Range;

use anyhow::Context;
use game::pyrat::{Recipe, Start, State};
use language::{said, word};

use super::play::{PlayerEntry, play, player_seed};
use crate::parallel;
use crate::progress::ProgressDisplay;

/// An experiment: every player alone, once with each seed (*expérience*).
#[derive(Clone, Debug)]
pub struct Experiment {
    /// The parameters of the mazes.
    pub recipe: Recipe,
    /// Number of pieces of cheese.
    pub cheese: usize,
    /// The seeds, with a game of each player for each seed.
    pub seeds: Range<u64>,
    /// The players.
    pub players: Vec<&'static PlayerEntry>,
    /// Maximum number of turns of a game, after which it is cut off.
    pub most_turns: Option<u32>,
}

/// The outcome of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExperimentGame {
    /// Turns played.
    pub turns: u32,
    /// Turns spent walking into walls and holes.
    pub walls: u32,
    /// Turns spent in the mud: all turns of each muddy passage except its first.
    pub mud: u32,
    /// True if all the cheese was eaten; otherwise the game was cut off.
    pub is_finished: bool,
}

impl Experiment {
    /// Plays all games, on all cores. Returns them by player, then by seed. Games without progress are
    /// cut off, too.
    ///
    /// # Errors
    ///
    /// If such games are impossible, or the user wants the work to stop.
    pub fn run(&self) -> anyhow::Result<Vec<Vec<ExperimentGame>>> {
        let progress =
            ProgressDisplay::steps(word("playing", "en cours"), self.seeds.end - self.seeds.start);
        let by_seed = parallel::map(self.seeds.clone(), |seed| {
            progress.advance(1)?;
            self.play_all(seed, &progress)
        })?;
        let of = |player: usize| by_seed.iter().map(|games| games[player]).collect();
        Ok((0..self.players.len()).map(of).collect())
    }

    /// The games of one seed, by player.
    fn play_all(
        &self,
        seed: u64,
        progress: &ProgressDisplay,
    ) -> anyhow::Result<Vec<ExperimentGame>> {
        let maze = self.recipe.make(seed)?;
        // No game has more turns than the last u32.
        let most_turns = Some(self.most_turns.unwrap_or(u32::MAX));
        let start = State::start(&maze, 1, &Start::Centre, self.cheese, seed, most_turns)
            .with_context(|| said!("seed {seed}", "graine {seed}"))?;
        let play = |entry: &&'static PlayerEntry| {
            let mut player = [entry.make(player_seed(entry, seed))];
            Ok(ExperimentGame::of(&play(start.clone(), &mut player, progress)?))
        };
        self.players.iter().map(play).collect()
    }
}

impl ExperimentGame {
    fn of(end: &State) -> Self {
        let counts = end.rats()[0].counts;
        Self {
            turns: end.turn(),
            walls: counts.wall,
            mud: counts.mud,
            is_finished: end.cheese().is_empty(),
        }
    }

    /// Turns until all the cheese was eaten; `None` if the game was cut off.
    pub fn finished_in(&self) -> Option<u32> {
        self.is_finished.then_some(self.turns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bots::pyrat::by_name;

    fn experiment(names: &[&str], seeds: Range<u64>) -> Experiment {
        Experiment {
            recipe: Recipe { mud: 30.0, ..Recipe::default() },
            cheese: 1,
            seeds,
            players: names.iter().map(|name| by_name(name).unwrap()).collect(),
            most_turns: None,
        }
    }

    #[test]
    fn weighted_searches_walk_equally_long_paths() {
        let names = ["dijkstra", "a_etoile", "bellman_ford", "floyd_warshall", "johnson"];
        let games = experiment(&names, 260..268).run().unwrap();
        // From cell 96 on, always to the first of the nearest pieces in order.
        assert_eq!(games[0][5].turns, 34);
        for other in &games {
            assert_eq!(other, &games[0]);
        }
    }

    #[test]
    fn seed_265_starts_at_the_first_of_the_nearest_cells() {
        let maze = Recipe { mud: 30.0, ..Recipe::default() }.make(265).unwrap();
        let cells = Start::Centre.cells(&maze, 1, 265).unwrap();
        assert_eq!(cells[0].index(), 96);
    }

    #[test]
    fn games_that_take_too_long_are_cut_off() {
        let all = experiment(&["dijkstra", "aleatoire1"], 0..30);
        let cut = Experiment { most_turns: Some(20), ..all.clone() }.run().unwrap();
        for (games, cut) in all.run().unwrap().iter().zip(cut) {
            for (game, cut) in games.iter().zip(cut) {
                assert_eq!(cut.turns, game.turns.min(20));
                assert_eq!(cut.finished_in(), Some(game.turns).filter(|&turns| turns <= 20));
            }
        }
    }
}
