//! Paths through a maze, by the searches of [`traversal`].

use super::Maze;
use graph::Cell;
use graph::traversal::{self, Traversal};

/// The search for a path through a maze (*résolution*).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Solver {
    /// *Parcours en largeur*: nearest cells first; finds a shortest path.
    BreadthFirst,
    /// *Parcours en profondeur*: newest cells first; finds any path.
    DepthFirst,
    /// *Dijkstra*: like breadth-first search, since all passages have the same length.
    Dijkstra,
    /// *A étoile*: most promising cells first, by Manhattan distance; finds a shortest path.
    AStar,
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The cells of the path, both ends included; empty without a path.
    pub path: Vec<Cell>,
    /// Number of cells visited until the search arrived, both ends included.
    pub visited: usize,
}

impl Solver {
    /// All searches.
    pub const ALL: [Self; 4] = [Self::BreadthFirst, Self::DepthFirst, Self::Dijkstra, Self::AStar];

    /// Searches a path between two cells. O(n) for n cells with the first two searches, O(n·log n) with the others.
    pub fn solve(self, maze: &Maze, from: Cell, to: Cell) -> Solution {
        let (len, source, target) = (maze.dims.len(), from.index(), to.index());
        let cells = maze.dims();
        let cell_at = |at: usize| cells.nth(at).expect("searches only see cells");
        let (mut visited, mut arrived) = (0, false);
        // The target and the cells taken out after it get no successors.
        let mut successors = |at: usize| {
            arrived |= at == target;
            visited += usize::from(!arrived);
            let goes_on = !arrived;
            maze.reachable_cells(cell_at(at)).map(Cell::index).filter(move |_| goes_on)
        };
        let weighted = |at| successors(at).map(|next| (next, 1));
        let guess = |at| i64::from(maze.distance_man(cell_at(at), to));
        let found = match self {
            Self::BreadthFirst => traversal::bfs(len, source, successors),
            Self::DepthFirst => traversal::dfs(len, source, successors),
            Self::Dijkstra => traversal::dijkstra(len, source, weighted),
            Self::AStar => traversal::a_star(len, source, Some(target), weighted, guess),
        };
        let Traversal { routing_table, .. } = found.expect("mazes only lead to their own cells");
        let route = traversal::find_route(&routing_table, source, target);
        let path: Vec<_> =
            route.expect("searches make no loops").into_iter().map(cell_at).collect();
        visited += usize::from(!path.is_empty());
        Solution { path, visited }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Generator, maze::tests::rng};
    use graph::Dims;

    #[test]
    fn paths_are_shortest_except_depth_first() {
        let mut maze = Generator::Fusion.generate(Dims::new(9, 12).unwrap(), &mut rng(1));
        for loops in 0..4 {
            let to = maze.dims().nth(107 - loops).unwrap();
            for from in maze.dims().cells() {
                let steps = maze.distance_geo(from, to).unwrap() as usize;
                let solutions = Solver::ALL.map(|solver| solver.solve(&maze, from, to));
                for (solver, Solution { path, visited }) in Solver::ALL.into_iter().zip(&solutions)
                {
                    assert_eq!((path[0], path[path.len() - 1]), (from, to));
                    let linked =
                        |pair: &[Cell]| maze.reachable_cells(pair[0]).any(|c| c == pair[1]);
                    assert!(path.windows(2).all(linked));
                    let exact = solver != Solver::DepthFirst || loops == 0;
                    assert!(path.len() == steps + 1 || !exact && path.len() > steps);
                    assert!((path.len()..=108).contains(visited), "{solver:?} {visited}");
                }
                let [bfs, _, dijkstra, a_star] = solutions.map(|solution| solution.visited);
                assert!(a_star <= dijkstra.max(bfs));
            }
            let wall = maze.walls().nth(10 * loops).unwrap();
            maze.remove_wall(wall.0, wall.1).unwrap();
        }
    }

    #[test]
    fn unreachable_targets_have_no_path() {
        let maze: Maze = "┏━━━┳━━━┓\n┃       ┃\n┣━━━╋━━━┫\n┃       ┃\n┗━━━┻━━━┛".parse().unwrap();
        let cells: Vec<_> = maze.dims().cells().collect();
        for solver in Solver::ALL {
            let none = Solution { path: Vec::new(), visited: 2 };
            assert_eq!(solver.solve(&maze, cells[0], cells[3]), none);
            let here = Solution { path: vec![cells[1]], visited: 1 };
            assert_eq!(solver.solve(&maze, cells[1], cells[1]), here);
        }
        assert_eq!(maze.distance_geo(cells[0], cells[3]), None);
        assert_eq!(maze.distance_geo(cells[0], cells[1]), Some(1));
    }
}
