//! One player against another for the cheese of a maze.

use game::pyrat::{Recipe, Score, Start, State};
use language::word;

use super::play::{PlayerEntry, play, player_seed};
use crate::parallel;
use crate::progress::ProgressDisplay;

/// Games of two players from opposite corners; each maze is played twice, with exchanged corners (*duel*).
#[derive(Clone, Debug)]
pub struct Duel {
    /// The parameters of the mazes.
    pub recipe: Recipe,
    /// Number of pieces of cheese.
    pub cheese: usize,
    /// Seed of the first maze; each later one takes the next number.
    pub seed: u64,
    /// Number of games: two for each maze.
    pub games: u32,
    /// The player whose wins are counted.
    pub challenger: &'static PlayerEntry,
    /// The challenger's opponent.
    pub rival: &'static PlayerEntry,
    /// Maximum number of turns of a game.
    pub most_turns: u32,
}

/// The result, from the challenger's point of view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DuelScore {
    /// Games in which the challenger got more cheese.
    pub wins: u32,
    /// Games in which both got the same amount.
    pub draws: u32,
    /// Games in which the challenger got less cheese.
    pub losses: u32,
    /// Total cheese of the challenger.
    pub own: Score,
    /// Total cheese of the rival.
    pub theirs: Score,
    /// Total turns played.
    pub turns: u64,
}

impl Duel {
    /// Plays the duel, on all cores.
    ///
    /// # Errors
    ///
    /// If such games are impossible, or the user wants the work to stop.
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

    /// Plays a game. Returns the cheese of the challenger, the cheese of the rival, and the number of turns.
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

    /// Number of games played.
    pub fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// Share of wins, 0 to 1; a draw is half a win.
    pub fn share(&self) -> f64 {
        (f64::from(self.wins) + f64::from(self.draws) / 2.0) / f64::from(self.games())
    }

    /// Mean turns of a game.
    pub fn mean_turns(&self) -> f64 {
        self.turns as f64 / f64::from(self.games())
    }
}
