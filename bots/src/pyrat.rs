//! The players of PyRat.
//!
//! To add one, write its file and name it here.

mod aleatoire;
mod duel;
mod explorer;
mod glouton;
mod planner;
mod tournee;
mod ways;

use game::pyrat::{Colour, Direction, Rat, State};

use crate::registry::{Entry, entry, find};

use aleatoire::{Aleatoire1, Aleatoire2};
use duel::Duel;
use explorer::Explorer;
use glouton::Glouton;
use planner::{Algorithm, Planner};
use tournee::Tournee;

/// What a player is asked about: the state of the game, and which rat is its own.
#[derive(Clone, Copy, Debug)]
pub struct Situation<'a> {
    /// The state of the game.
    pub state: &'a State,
    /// The player's colour; the state has a rat of it.
    pub me: Colour,
}

impl Situation<'_> {
    /// The player's own rat; `None` if there is none of its colour.
    #[must_use]
    pub fn rat(&self) -> Option<&Rat> {
        self.state.rats().get(self.me.index())
    }
}

/// A player's mind. It may keep memory between turns.
pub trait Player: Send {
    /// A new game starts, or a running one is joined: whatever is remembered is of no use. This is
    /// the time for preparations.
    fn new_game(&mut self, situation: &Situation<'_>) {
        let _ = situation;
    }

    /// Where to go in this turn; `None` is to stay. It is not asked in the mud.
    fn play(&mut self, situation: &Situation<'_>) -> Option<Direction>;
}

/// Every player, from weak to strong.
#[rustfmt::skip]
pub const ALL: &[Entry<dyn Player>] = &[
    entry("aleatoire1", "any of the five actions, at random", |seed| Box::new(Aleatoire1::new(seed))),
    entry("aleatoire2", "any neighbour, at random", |seed| Box::new(Aleatoire2::new(seed))),
    entry("aleatoire3", "at random, rather where it has not been", |seed| Box::new(Explorer::new(seed))),
    entry("aleatoire4", "as aleatoire3, never into dead ends", |seed| Box::new(Explorer::new(seed).prune())),
    entry("aleatoire5", "as aleatoire3, goes back when it is stuck", |seed| Box::new(Explorer::new(seed).go_back())),
    entry("aleatoire6", "as aleatoire5, never into dead ends", |seed| Box::new(Explorer::new(seed).prune().go_back())),
    entry("aleatoire7", "as aleatoire6, rather towards the cheese", |seed| Box::new(Explorer::new(seed).prune().go_back().head_for_cheese())),
    entry("dfs", "a way found depth first", |_| Box::new(Planner::new(Algorithm::Dfs))),
    entry("bfs", "the way of the fewest steps, mud or not", |_| Box::new(Planner::new(Algorithm::Bfs))),
    entry("dijkstra", "a way of the fewest turns", |_| Box::new(Planner::new(Algorithm::Dijkstra))),
    entry("a_etoile", "the same by A*", |_| Box::new(Planner::new(Algorithm::AStar))),
    entry("floyd_warshall", "the same from the ways between all cells", |_| Box::new(Planner::new(Algorithm::FloydWarshall))),
    entry("bellman_ford", "the same, passing over all edges", |_| Box::new(Planner::new(Algorithm::BellmanFord))),
    entry("johnson", "the same from the ways between all cells", |_| Box::new(Planner::new(Algorithm::Johnson))),
    entry("glouton", "the nearest cheese, again and again", |_| Box::new(Glouton::default())),
    entry("tournee", "all the cheese in the best order", |_| Box::new(Tournee::default())),
    entry("duel", "the cheese that it can have before its rival", |_| Box::new(Duel::default())),
];

/// The player of this name.
///
/// # Errors
///
/// When there is none, with the list of those there are.
pub fn by_name(name: &str) -> Result<&'static Entry<dyn Player>, String> {
    find(ALL, name)
}
