//! A game in process.

use bots::pyrat::{Bot, Situation};
use bots::registry::Entry;
use game::pyrat::{Action, Colour, State};
use graph::Distances;
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::SplitMix64;

use crate::progress::{Interrupted, ProgressDisplay};

/// A player of PyRat in the registry.
pub type PlayerEntry = Entry<dyn Bot>;

/// Plays a game until its end, with a player for each rat. Returns its last state.
///
/// The game is cut off after a time without cheese in which even a random walk would have found some:
/// otherwise players that walk in circles would never end.
///
/// # Errors
///
/// If the user wants the work to stop.
pub fn play(
    mut state: State,
    players: &mut [Box<dyn Bot>],
    progress: &ProgressDisplay,
) -> Result<State, Interrupted> {
    /// Number of turns without cheese between two checks for a reason to stop.
    const SOMETIMES: u64 = 1 << 16;
    for (me, player) in Colour::first(players.len()).zip(&mut *players) {
        player.new_game(&Situation { state: &state, me });
    }
    let mut answers = vec![Action::Nothing; players.len()];
    let mut hungry = 0;
    while !state.is_over() {
        for (me, player) in Colour::first(players.len()).zip(&mut *players) {
            if state.rats()[me.index()].mud.is_none() {
                let way = player.play(&Situation { state: &state, me });
                answers[me.index()] = way.map_or(Action::Nothing, Action::Go);
            }
        }
        let cheese = state.cheese().len();
        state.play_turn(&answers);
        hungry = if state.cheese().len() < cheese { 0 } else { hungry + 1 };
        if hungry % SOMETIMES == SOMETIMES - 1 {
            progress.advance(0)?;
            if hungry > patience(&state) {
                break;
            }
        }
    }
    Ok(state)
}

/// The seed of a player, given the seed of the maze: independent of the draws of the maze and of the
/// other kinds of players.
pub fn player_seed(entry: &PlayerEntry, seed: u64) -> u64 {
    let mix = |mixed, byte| SplitMix64::seed_from_u64(mixed ^ u64::from(byte)).next_u64();
    entry.name.bytes().fold(seed, mix)
}

/// Number of turns without cheese that bad luck cannot explain.
///
/// A walk that draws every action, walls included, gets from one cell to another and back in at most
/// d·w turns on average, where d is the number of steps between the two and w the sum of the turns
/// that all actions take in all cells (Chandra, Raghavan, Ruzzo, Smolensky and Tiwari, 1989). So it
/// arrives within 2·d·w turns with a probability of at least ½; the result is 32 times that number.
fn patience(state: &State) -> u64 {
    const ACTIONS: u64 = 5;
    let maze = state.maze();
    let mut steps = Distances::new();
    steps.fill_through(maze, maze.cells()[0], 0);
    let farthest = steps.reached().last().map_or(0, |&cell| steps.to(cell));
    let turns = |&(_, turns): &(_, u16)| u64::from(turns);
    let around = |&cell| ACTIONS + maze.links(cell).iter().map(turns).sum::<u64>();
    let most_steps = 2 * u64::from(farthest);
    32 * 2 * most_steps * maze.cells().iter().map(around).sum::<u64>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::pyrat::{Direction, Recipe, Start};

    /// A player that always walks into a wall.
    struct Wall;

    impl Bot for Wall {
        fn play(&mut self, situation: &Situation<'_>) -> Option<Direction> {
            let exits = situation.state.maze().exits(situation.rat()?.cell);
            Direction::ALL.into_iter().find(|direction| !exits.contains(direction))
        }
    }

    #[test]
    fn a_player_without_progress_is_cut_off() {
        let recipe = Recipe { width: 2, height: 2, cells: 100.0, ..Recipe::default() };
        let state = State::start(&recipe.make(0).unwrap(), 1, &Start::Centre, 1, 0, None).unwrap();
        let patience = patience(&state);
        let progress = ProgressDisplay::open_ended("playing");
        let end = play(state, &mut [Box::new(Wall)], &progress).unwrap();
        assert!(u64::from(end.turn()) > patience && end.cheese().len() == 1);
        assert_eq!(end.rats()[0].counts.wall, end.turn());
    }
}
