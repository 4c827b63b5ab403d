//! The players of PyRat.
//!
//! To add a player, write its file and list it here.

mod aleatoire;
mod duel;
mod explorer;
mod glouton;
mod planner;
mod tournee;

use game::pyrat::{Cell, Colour, Direction, Mersenne, Rat, State};
use language::Phrase;

use crate::registry::{Entry, entry, find};

use aleatoire::{Aleatoire1, Aleatoire2};
use duel::Duel;
use explorer::Explorer;
use glouton::Glouton;
use planner::{Algorithm, Planner};
use tournee::Tournee;

/// The question that a bot answers: the state of the game, and the bot's colour.
#[derive(Clone, Copy, Debug)]
pub struct Situation<'a> {
    /// The state of the game.
    pub state: &'a State,
    /// The player's colour; the state has a rat of this colour.
    pub me: Colour,
}

impl Situation<'_> {
    /// The player's own rat; `None` if there is none of its colour.
    pub fn rat(&self) -> Option<&Rat> {
        self.state.rats().get(self.me.index())
    }
}

/// Decisions of a player. An implementation may keep memory between turns.
pub trait Bot: Send {
    /// Prepares for a new game, or for a running one that is joined; memory of earlier games is stale. The first game of a bot, and
    /// a game in another maze, may begin without it.
    fn new_game(&mut self, situation: &Situation<'_>) {
        let _ = situation;
    }

    /// The direction to take in this turn; `None` is to stay. Not called while the rat is in the mud.
    fn play(&mut self, situation: &Situation<'_>) -> Option<Direction>;

    /// The thought of the bot about the decision that it has just made, for people to read, as a [`ThinkAloud`](crate::ThinkAloud)
    /// writes it.
    fn thought(&mut self) -> Option<String> {
        None
    }

    /// The cells that it plans to walk to, the next one first; `None` if it plans no path.
    fn line(&self) -> Option<Vec<Cell>> {
        None
    }
}

/// Every player, from weak to strong.
#[rustfmt::skip]
pub const ALL: &[Entry<dyn Bot>] = &[
    entry("aleatoire1", Phrase::new("any of the five actions, at random", "une des cinq actions, au hasard"), |seed| Box::new(Aleatoire1(Mersenne::new(seed)))),
    entry("aleatoire2", Phrase::new("any neighbour, at random", "une case voisine, au hasard"), |seed| Box::new(Aleatoire2(Mersenne::new(seed)))),
    entry("aleatoire3", Phrase::new("at random, rather where it has not been", "au hasard, plutôt là où il n'est pas passé"), |seed| Box::new(Explorer::new(seed))),
    entry("aleatoire4", Phrase::new("as aleatoire3, never into dead ends", "comme aleatoire3, sans entrer dans les impasses"), |seed| Box::new(Explorer::new(seed).prune())),
    entry("aleatoire5", Phrase::new("as aleatoire3, goes back when it is stuck", "comme aleatoire3, revient en arrière quand il est coincé"), |seed| Box::new(Explorer::new(seed).go_back())),
    entry("aleatoire6", Phrase::new("as aleatoire5, never into dead ends", "comme aleatoire5, sans entrer dans les impasses"), |seed| Box::new(Explorer::new(seed).prune().go_back())),
    entry("aleatoire7", Phrase::new("as aleatoire6, rather towards the cheese", "comme aleatoire6, plutôt vers le fromage"), |seed| Box::new(Explorer::new(seed).prune().go_back().head_for_cheese())),
    entry("dfs", Phrase::new("a way found depth first", "un chemin trouvé en profondeur"), |_| Box::new(Planner::new(Algorithm::Dfs))),
    entry("bfs", Phrase::new("the way of the fewest steps, mud or not", "le chemin qui a le moins de pas, boue ou non"), |_| Box::new(Planner::new(Algorithm::Bfs))),
    entry("dijkstra", Phrase::new("a way of the fewest turns", "un chemin qui prend le moins de tours"), |_| Box::new(Planner::new(Algorithm::Dijkstra))),
    entry("a_etoile", Phrase::new("the same by A*", "le même par A*"), |_| Box::new(Planner::new(Algorithm::AStar))),
    entry("floyd_warshall", Phrase::new("the same from the ways between all cells", "le même d'après les chemins entre toutes les cases"), |_| Box::new(Planner::new(Algorithm::FloydWarshall))),
    entry("bellman_ford", Phrase::new("the same, passing over all edges", "le même, en passant par toutes les arêtes"), |_| Box::new(Planner::new(Algorithm::BellmanFord))),
    entry("johnson", Phrase::new("the same from the ways between all cells", "le même d'après les chemins entre toutes les cases"), |_| Box::new(Planner::new(Algorithm::Johnson))),
    entry("glouton", Phrase::new("the nearest cheese, again and again", "le fromage le plus proche, encore et encore"), |_| Box::new(Glouton::default())),
    entry("tournee", Phrase::new("all the cheese in the best order", "tous les fromages, dans le meilleur ordre"), |_| Box::new(Tournee::default())),
    entry("duel", Phrase::new("the cheese that it can have before its rival", "les fromages qu'il peut avoir avant son rival"), |_| Box::new(Duel::default())),
];

/// The player of this name.
///
/// # Errors
///
/// If no player has this name, with the list of all players.
pub fn by_name(name: &str) -> Result<&'static Entry<dyn Bot>, String> {
    find(ALL, name)
}
