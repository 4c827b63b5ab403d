//! Statistics of a maze.
#![expect(clippy::cast_precision_loss, reason = "no maze has 2⁵² cells")]

use super::Maze;
use graph::{Cell, Direction};

/// The statistics of a maze (*statistiques*).
#[derive(Clone, Debug, PartialEq)]
pub struct Statistics {
    /// Number of dead ends by the direction of their only passage, in the order of [`Direction::ALL`].
    pub dead_ends: [usize; 4],
    /// Number of passages that lead east or west; the others lead north or south.
    pub horizontal: usize,
    /// Number of corridors by length in steps. A corridor leads from a dead end or junction to the next dead end or junction.
    pub corridors: Vec<usize>,
    /// Statistics of the paths; `None` if the maze is not perfect.
    pub paths: Option<Paths>,
}

/// Statistics of the paths between any two cells of a perfect maze.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Paths {
    /// Steps of the longest path.
    pub longest: u32,
    /// Mean steps between two different cells; 0 in a maze of one cell.
    pub mean: f64,
}

impl Maze {
    /// The statistics of the maze. O(cells).
    pub fn statistics(&self) -> Statistics {
        let mut dead_ends = [0; 4];
        for cell in self.dead_ends() {
            dead_ends[self.passages[cell.index()].trailing_zeros() as usize] += 1;
        }
        let east = |&cell: &Cell| self.is_open(cell, Direction::East);
        Statistics {
            dead_ends,
            horizontal: self.dims.cells().filter(east).count(),
            corridors: self.corridors(),
            paths: self.paths(),
        }
    }

    /// Tests if there is exactly one path between any two cells (*labyrinthe parfait*).
    pub fn is_perfect(&self) -> bool {
        self.paths().is_some()
    }

    fn corridors(&self) -> Vec<usize> {
        let mut counts = Vec::new();
        for end in self.dims.cells().filter(|&cell| self.degree(cell) != 2) {
            for first in self.reachable_cells(end) {
                let (mut before, mut at, mut steps) = (end, first, 1);
                while self.degree(at) == 2 {
                    let next = self.reachable_cells(at).find(|&next| next != before);
                    (before, at) = (at, next.expect("one of two passages leads on"));
                    steps += 1;
                }
                counts.resize(counts.len().max(steps + 1), 0);
                counts[steps] += 1;
            }
        }
        // Each corridor was counted from both of its ends.
        for count in &mut counts {
            *count /= 2;
        }
        counts
    }

    /// Statistics of the paths, by removing dead ends one by one: the neighbour left over accumulates the depth and the
    /// number of cells of the removed part. A maze that does not shrink to one cell is not perfect: `None`.
    fn paths(&self) -> Option<Paths> {
        let cells = self.dims.len();
        if self.passage_count() != cells - 1 {
            return None;
        }
        let mut degrees: Vec<_> = self.dims.cells().map(|cell| self.degree(cell)).collect();
        let mut depths = vec![0_u32; cells];
        let mut sizes = vec![1_u32; cells];
        let (mut longest, mut sum) = (0, 0.0);
        let mut taken = 0;
        let mut ends: Vec<_> = self.dead_ends().collect();
        while let Some(end) = ends.pop().filter(|_| taken < cells - 1) {
            taken += 1;
            degrees[end.index()] = 0;
            let (depth, size) = (depths[end.index()] + 1, sizes[end.index()]);
            // Number of paths through the last passage of the dead end.
            sum += f64::from(size) * (cells as f64 - f64::from(size));
            let left = self.reachable_cells(end).find(|next| degrees[next.index()] > 0)?;
            longest = longest.max(depths[left.index()] + depth);
            depths[left.index()] = depths[left.index()].max(depth);
            sizes[left.index()] += size;
            degrees[left.index()] -= 1;
            if degrees[left.index()] == 1 {
                ends.push(left);
            }
        }
        let pairs = (cells as f64 * (cells as f64 - 1.0) / 2.0).max(1.0);
        (taken == cells - 1).then_some(Paths { longest, mean: sum / pairs })
    }
}

impl Statistics {
    /// Total variation distance between the directions of dead ends and the uniform distribution: from 0 for equal shares
    /// to 0.75 for a single direction. `None` without dead ends.
    pub fn bias(&self) -> Option<f64> {
        let all = self.dead_ends.iter().sum::<usize>();
        let differences = self.dead_ends.iter().map(|&n| (n as f64 / all as f64 - 0.25).abs());
        (all > 0).then(|| differences.sum::<f64>() / 2.0)
    }

    /// Mean steps of a corridor; `None` without corridors.
    pub fn mean_corridor(&self) -> Option<f64> {
        let count = self.corridors.iter().sum::<usize>();
        let steps = self.corridors.iter().enumerate().map(|(steps, &n)| steps * n).sum::<usize>();
        (count > 0).then(|| steps as f64 / count as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use graph::Dims;

    #[test]
    fn figures_of_a_small_maze() {
        let maze: Maze = "\
┏━━━┳━━━┳━━━┓
┃           ┃
┣   ╋   ╋━━━┫
┃   ┃       ┃
┗━━━┻━━━┻━━━┛"
            .parse()
            .unwrap();
        let found = maze.statistics();
        // Corridors: from the middle of the first row west and down, east, and down and east.
        assert_eq!(found.corridors, [0, 1, 2]);
        assert_eq!(found.dead_ends, [1, 0, 0, 2]);
        assert_eq!(found.horizontal, 3);
        assert!((found.bias().unwrap() - 0.5).abs() < 1e-12);
        assert_eq!(found.mean_corridor(), Some(5.0 / 3.0));
        let paths = found.paths.unwrap();
        assert_eq!(paths.longest, 4);
        // A tree with arms of 2, 1 and 2 around its centre.
        assert!((paths.mean - 31.0 / 15.0).abs() < 1e-12, "{}", paths.mean);
    }

    #[test]
    fn figures_agree_with_searches_from_every_cell() {
        for generator in crate::Generator::ALL {
            let mut rng = crate::maze::tests::rng(7);
            let maze = generator.generate(Dims::new(7, 9).unwrap(), &mut rng);
            let paths = maze.statistics().paths.unwrap();
            let steps: Vec<_> =
                maze.dims().cells().flat_map(|c| maze.distances(c)).flatten().collect();
            assert_eq!(paths.longest, *steps.iter().max().unwrap());
            let mean = f64::from(steps.iter().sum::<u32>()) / f64::from(63 * 62);
            assert!((paths.mean - mean).abs() < 1e-9);
        }
    }

    #[test]
    fn only_trees_are_perfect() {
        let dims = Dims::new(2, 3).unwrap();
        assert!(!Maze::empty(dims).is_perfect() && !Maze::filled(dims).is_perfect());
        // The number of passages of a tree, but with a cycle and two separate cells.
        let mut apart = Maze::filled(dims);
        let cells: Vec<_> = dims.cells().collect();
        for (a, b) in [(0, 1), (1, 4), (4, 3), (3, 0), (2, 5)] {
            apart.remove_wall(cells[a], cells[b]).unwrap();
        }
        assert_eq!(apart.passage_count(), 5);
        assert!(!apart.is_perfect());
        let found = Maze::filled(dims).statistics();
        assert_eq!((found.bias(), found.mean_corridor(), found.paths), (None, None, None));
        let one = Maze::filled(Dims::new(1, 1).unwrap());
        assert_eq!(one.statistics().paths, Some(Paths { longest: 0, mean: 0.0 }));
    }
}
