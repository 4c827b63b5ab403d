//! One player against another for the cheese of a maze.

use game::pyrat::{Recipe, Score, Start, State};
use language::word;

use super::play::{PlayerEntry, play, player_seed};
use crate::parallel;
use crate::progress::ProgressDisplay;

/// Games of two players from opposite corners; each maze is played twice, so that both have both
/// corners (*duel*).
#[derive(Clone, Debug)]
pub struct Duel {
    /// Parameters of the mazes.
    pub recipe: Recipe,
    /// Pieces of cheese.
    pub cheese: usize,
    /// Seed of the first maze; each later one takes the next number.
    pub seed: u64,
    /// Games: two a maze.
    pub games: u32,
    /// Whose wins are counted.
    pub challenger: &'static PlayerEntry,
    /// The player's opponent.
    pub rival: &'static PlayerEntry,
    /// Turns after which games end.
    pub most_turns: u32,
}

/// Outcome, as the challenger sees it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DuelScore {
    /// Games in which it got more cheese.
    pub wins: u32,
    /// Games in which both got as much.
    pub draws: u32,
    /// Games in which it got less.
    pub losses: u32,
    /// Cheese that it ate in all.
    pub own: Score,
    /// Cheese that its rival ate in all.
    pub theirs: Score,
    /// Turns played in all.
    pub turns: u64,
}

impl Duel {
    /// Plays it, on all cores.
    ///
    /// # Errors
    ///
    /// When there are no such games, or the user wants the work to stop.
    pub fn run(&self) -> anyhow::Result<DuelScore> {
        let progress = ProgressDisplay::steps(word("playing", "en cours"), self.games.into());
        let games = parallel::map(0..self.games.into(), |game| {
            progress.advance(1)?;
            self.play(game, &progress)
        })?;
        let mut standings = DuelScore::default();
        for (own, theirs, turns) in games {
            standings.add(own, theirs, turns);
        }
        Ok(standings)
    }

    /// Plays a game: cheese of the challenger and of the rival, and its turns.
    fn play(&self, game: u64, progress: &ProgressDisplay) -> anyhow::Result<(Score, Score, u32)> {
        let seed = self.seed.wrapping_add(game / 2);
        let mut entries = [self.challenger, self.rival];
        entries.rotate_left((game % 2) as usize);
        let mut players = entries.map(|entry| entry.make(player_seed(entry, seed)));
        let maze = self.recipe.make(seed)?;
        let most_turns = Some(self.most_turns);
        let state = State::start(&maze, 2, &Start::Corners, self.cheese, seed, most_turns)?;
        let end = play(state, &mut players, progress)?;
        let mut scores = [0, 1].map(|rat: usize| end.rats()[rat].score);
        scores.rotate_right((game % 2) as usize);
        Ok((scores[0], scores[1], end.turn()))
    }
}

impl DuelScore {
    fn add(&mut self, own: Score, theirs: Score, turns: u32) {
        self.wins += u32::from(own > theirs);
        self.draws += u32::from(own == theirs);
        self.losses += u32::from(own < theirs);
        self.own += own;
        self.theirs += theirs;
        self.turns += u64::from(turns);
    }

    /// Games played.
    #[must_use]
    pub fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// Share of wins, 0 to 1; a draw is half a win.
    #[must_use]
    pub fn share(&self) -> f64 {
        (f64::from(self.wins) + f64::from(self.draws) / 2.0) / f64::from(self.games())
    }

    /// Mean turns of a game.
    #[must_use]
    pub fn mean_turns(&self) -> f64 {
        self.turns as f64 / f64::from(self.games())
    }
}
