//! The right-hand rule (*main droite*).

use super::Maze;
use graph::{Cell, Direction};

/// The walk that keeps the right hand on the wall.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Walk {
    /// The cells in order, both ends included, each as often as it is visited.
    pub cells: Vec<Cell>,
    /// True if the walk ends at the target. In a maze with loops it may cycle; then it stops where it would repeat itself.
    pub arrived: bool,
}

impl Walk {
    /// Walks from one cell to another: at each cell to the right if there is a passage, otherwise straight ahead, otherwise
    /// to the left, otherwise back. Faces north at first.
    ///
    /// In a perfect maze the walk always arrives, after at most two steps per passage.
    #[must_use]
    pub fn right_hand(maze: &Maze, from: Cell, to: Cell) -> Self {
        let mut cells = vec![from];
        let (mut at, mut facing) = (from, Direction::North);
        let mut first = None;
        while at != to {
            let turns = [1, 0, 3, 2].map(|turn| Direction::ALL[(facing.index() + turn) % 4]);
            let Some(way) = turns.into_iter().find(|&direction| maze.is_open(at, direction)) else {
                break;
            };
            if at == from {
                // Each step determines the next step and the previous one, so the first step to be repeated is the very
                // first step.
                if first == Some(way) {
                    break;
                }
                first.get_or_insert(way);
            }
            at = maze.dims.contiguous(at, way).expect("a passage leads to a cell");
            facing = way;
            cells.push(at);
        }
        Self { cells, arrived: at == to }
    }

    /// The walk without its loops: each cell is left as at its last visit.
    pub fn without_loops(&self) -> Vec<Cell> {
        let most = self.cells.iter().map(|cell| cell.index()).max().unwrap_or(0);
        let mut last = vec![0; most + 1];
        for (step, cell) in self.cells.iter().enumerate() {
            last[cell.index()] = step;
        }
        let mut path = Vec::new();
        let mut step = 0;
        while let Some(&cell) = self.cells.get(step) {
            path.push(cell);
            step = last[cell.index()] + 1;
        }
        path
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Generator, maze::tests::rng};
    use graph::{Dims, Pos};

    fn walk(maze: &Maze, from: (u16, u16), to: (u16, u16)) -> (Vec<(u16, u16)>, bool) {
        let cell = |(row, col)| maze.dims().cell(Pos { row, col }).unwrap();
        let walk = Walk::right_hand(maze, cell(from), cell(to));
        let pos = |&cell: &Cell| (maze.dims().pos(cell).row, maze.dims().pos(cell).col);
        (walk.cells.iter().map(pos).collect(), walk.arrived)
    }

    #[test]
    fn the_right_hand_stays_on_the_wall() {
        let maze: Maze = "\
┏━━━┳━━━┳━━━┓
┃       ┃   ┃
┣   ╋   ╋   ┫
┃   ┃       ┃
┗━━━┻━━━┻━━━┛"
            .parse()
            .unwrap();
        let (cells, arrived) = walk(&maze, (1, 0), (0, 2));
        assert_eq!(cells, [(1, 0), (0, 0), (0, 1), (1, 1), (1, 2), (0, 2)]);
        assert!(arrived);
        let (cells, _) = walk(&maze, (1, 1), (1, 0));
        let expected = [(1, 1), (1, 2), (0, 2), (1, 2), (1, 1), (0, 1), (0, 0), (1, 0)];
        assert_eq!(cells, expected, "into the dead end and out again");
        assert_eq!(walk(&maze, (0, 1), (0, 1)), (vec![(0, 1)], true));
    }

    #[test]
    fn the_right_hand_walk_stops_in_a_cycle() {
        let maze = Maze::empty(Dims::new(3, 3).unwrap());
        let round = [(0, 0), (0, 1), (1, 1), (1, 0), (0, 0)].to_vec();
        assert_eq!(walk(&maze, (0, 0), (2, 2)), (round, false));
        let closed = Maze::filled(Dims::new(2, 2).unwrap());
        assert_eq!(walk(&closed, (0, 0), (1, 1)), (vec![(0, 0)], false));
    }

    #[test]
    fn the_right_hand_walk_arrives_in_perfect_mazes() {
        for (seed, generator) in (0..).zip(Generator::ALL) {
            let maze = generator.generate(Dims::new(8, 11).unwrap(), &mut rng(seed));
            let to = maze.dims().nth(87).unwrap();
            for from in maze.dims().cells() {
                let walk = Walk::right_hand(&maze, from, to);
                assert!(walk.arrived && walk.cells.len() <= 2 * 87 + 1);
                let path = walk.without_loops();
                assert_eq!((path[0], path[path.len() - 1]), (from, to));
                assert_eq!(path.len() as u32 - 1, maze.distance_geo(from, to).unwrap());
                let linked = |pair: &[Cell]| maze.reachable_cells(pair[0]).any(|c| c == pair[1]);
                assert!(path.windows(2).all(linked));
            }
        }
    }
}
