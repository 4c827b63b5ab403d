//! The players that compute a path during the preparation and then follow it: `dfs`, `bfs`, `dijkstra`, `a_etoile`,
//! `floyd_warshall`, `bellman_ford`, `johnson`.

use game::pyrat::{Cell, Direction, Maze, State};
use graph::traversal::{
    Traversal, TraversalError, a_star, bellman_ford, bfs, dfs, dijkstra, find_route,
    floyd_warshall, johnson,
};

use super::{Bot, Situation};

/// Maximum memory for the paths between all pairs of places, in bytes: in mazes that need more, of more than 2500 places,
/// `floyd_warshall` and `johnson` compute the paths from their own cell only, which are the same. For 141 × 141 places, all pairs
/// would take 12.6 GB.
const MOST_MEMORY: usize = 200_000_000;
/// Bytes for each pair: its distance and a predecessor.
const PAIR: usize = size_of::<Option<i64>>() + size_of::<Option<usize>>();

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Algorithm {
    Dfs,
    Bfs,
    Dijkstra,
    AStar,
    FloydWarshall,
    BellmanFord,
    Johnson,
}

/// Follows a path to the first piece of cheese; once this is eaten, to the next one.
#[derive(Debug)]
pub(super) struct Planner {
    algorithm: Algorithm,
    /// Cells of the path from the current cell, last to first.
    way: Vec<Cell>,
}

impl Planner {
    pub(super) fn new(algorithm: Algorithm) -> Self {
        Self { algorithm, way: Vec::new() }
    }

    /// Plans a path from a cell to the first piece of cheese, if any is left.
    fn plan(&mut self, state: &State, from: Cell) {
        self.way.clear();
        let maze = state.maze();
        if let Some(&target) = state.cheese().first() {
            let searched = self.algorithm.search(maze, from, target);
            let route = searched.ok().and_then(|found| {
                find_route(&found.routing_table, from.index(), target.index()).ok()
            });
            let cells = route.unwrap_or_default().into_iter().rev();
            self.way.extend(cells.filter_map(|index| maze.dims().nth(index)));
        }
    }
}

impl Bot for Planner {
    fn new_game(&mut self, situation: &Situation<'_>) {
        if let Some(rat) = situation.rat() {
            self.plan(situation.state, rat.cell);
        }
    }

    fn play(&mut self, situation: &Situation<'_>) -> Option<Direction> {
        let state = situation.state;
        let here = situation.rat()?.cell;
        // After a late action, the rat is still on the previous cell; another rat may have eaten the cheese.
        if self.way.len() > 1 && self.way[self.way.len() - 2] == here {
            self.way.pop();
        }
        let is_on_its_way = self.way.len() > 1 && self.way.last() == Some(&here);
        if !is_on_its_way || !self.way.first().is_some_and(|goal| state.cheese().contains(goal)) {
            self.plan(state, here);
        }
        let next = self.way.iter().rev().nth(1)?;
        state.maze().direction(here, *next)
    }

    fn line(&self) -> Option<Vec<Cell>> {
        Some(self.way.iter().rev().skip(1).copied().collect())
    }
}

impl Algorithm {
    /// The result of a search from a cell, which covers at least the target.
    fn search(self, maze: &Maze, from: Cell, target: Cell) -> Result<Traversal, TraversalError> {
        let dims = maze.dims();
        let places = dims.len();
        let links = |index| dims.nth(index).map_or(&[][..], |cell| maze.links(cell));
        let next = |index| links(index).iter().map(|(to, _)| to.index());
        let weighted =
            |index| links(index).iter().map(|(to, turns)| (to.index(), i64::from(*turns)));
        let goal = dims.pos(target);
        let crow = |index| {
            let pos = dims.nth(index).map_or(goal, |cell| dims.pos(cell));
            i64::from(pos.row.abs_diff(goal.row)) + i64::from(pos.col.abs_diff(goal.col))
        };
        let source = from.index();
        let own = |mut all: Vec<Traversal>| all.swap_remove(source);
        match self {
            Self::Dfs => dfs(places, source, next),
            Self::Bfs => bfs(places, source, next),
            Self::FloydWarshall | Self::Johnson if all_pairs(places) > MOST_MEMORY => {
                dijkstra(places, source, weighted)
            }
            Self::Dijkstra => dijkstra(places, source, weighted),
            Self::AStar => a_star(places, source, Some(target.index()), weighted, crow),
            Self::FloydWarshall => floyd_warshall(places, weighted).map(own),
            Self::BellmanFord => bellman_ford(places, source, weighted),
            Self::Johnson => johnson(places, weighted).map(own),
        }
    }
}

/// Memory for the paths between all pairs of places, in bytes.
fn all_pairs(places: usize) -> usize {
    places.saturating_mul(places).saturating_mul(PAIR)
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::pyrat::{Recipe, Start};

    #[test]
    fn all_pairs_take_the_memory_that_is_said() {
        let maze = Recipe { width: 20, height: 20, cells: 100.0, ..Recipe::default() };
        let maze = maze.make(1).unwrap();
        let cells = maze.cells();
        let pairs = (cells.len() * cells.len()) as u64;
        for algorithm in [Algorithm::FloydWarshall, Algorithm::Johnson] {
            let search = || drop(algorithm.search(&maze, cells[0], cells[1]).unwrap());
            let bytes = allocation_counter::measure(search).bytes_max;
            // Memory that does not grow with the number of pairs adds less than one byte a pair here.
            assert_eq!(bytes / pairs, PAIR as u64, "{algorithm:?}: {bytes} bytes");
        }
        assert_eq!(PAIR * 141_usize.pow(4) / 100_000_000, 126, "12.6 GB");
        assert_eq!(all_pairs(2500), 200_000_000);
    }

    #[test]
    fn large_mazes_are_planned_in_memory_that_there_is() {
        let maze = Recipe { width: 141, height: 141, ..Recipe::default() }.make(1).unwrap();
        let state = State::start(&maze, 1, &Start::Centre, 1, 1, None).unwrap();
        let way = |algorithm| {
            let mut planner = Planner::new(algorithm);
            planner.plan(&state, state.rats()[0].cell);
            planner.way
        };
        let expected = way(Algorithm::Dijkstra);
        assert!(expected.len() > 1);
        for algorithm in [Algorithm::FloydWarshall, Algorithm::Johnson] {
            assert_eq!(way(algorithm), expected, "{algorithm:?}");
        }
    }
}
