//! Random mazes with mud, as graphs to try searches on.

use rand_core::Rng;

use super::WeightedGraph;
use crate::{Cell, Dims, Direction};

/// The weights of mud.
const MUD: std::ops::RangeInclusive<i64> = 4..=9;

impl WeightedGraph {
    /// A random maze (*labyrinthe*) on a bounded grid, cells as vertices: a spanning tree of the
    /// passages between contiguous cells, `loops` percent of the other passages, and `mud` percent
    /// of all these weigh 4 to 9 instead of 1. Passages lead both ways.
    ///
    /// The same draws give the same graph on every machine. Costs n·log n in the cells.
    #[must_use]
    pub fn muddy_grid(dims: Dims, loops: u32, mud: u32, rng: &mut impl Rng) -> Self {
        let onwards = [Direction::East, Direction::South];
        let mut passages: Vec<(Cell, Cell)> = dims
            .cells()
            .flat_map(|cell| {
                onwards.map(|direction| Some((cell, dims.contiguous(cell, direction)?)))
            })
            .flatten()
            .collect();
        for last in (1..passages.len()).rev() {
            passages.swap(last, below(rng, last as u64 + 1) as usize);
        }

        let mut trees = Trees((0..dims.len()).collect());
        let mut successors = vec![Vec::new(); dims.len()];
        for (a, b) in passages.into_iter().map(|(a, b)| (a.index(), b.index())) {
            if trees.join(a, b) || below(rng, 100) < loops.into() {
                let is_mud = below(rng, 100) < mud.into();
                let weight = match is_mud {
                    true => MUD.start() + below(rng, 6).cast_signed(),
                    false => 1,
                };
                successors[a].push((b, weight));
                successors[b].push((a, weight));
            }
        }
        Self::with_names((0..dims.len() as u64).collect(), &successors)
    }
}

/// A whole number below `n`, at least 1 and at most 2³². The odds differ by n in 2³² at most.
fn below(rng: &mut impl Rng, n: u64) -> u64 {
    (u64::from(rng.next_u32()) * n) >> 32
}

/// Trees of a forest: for each vertex another one of its tree, or itself at the root.
struct Trees(Vec<usize>);

impl Trees {
    fn root(&mut self, mut vertex: usize) -> usize {
        while self.0[vertex] != vertex {
            self.0[vertex] = self.0[self.0[vertex]];
            vertex = self.0[vertex];
        }
        vertex
    }

    /// Joins the trees of two vertices; whether there were two.
    fn join(&mut self, a: usize, b: usize) -> bool {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a] = b;
        a != b
    }
}

#[cfg(test)]
mod tests {
    use rand_core::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;
    use crate::traversal::bfs;

    fn maze(loops: u32, mud: u32) -> WeightedGraph {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
        WeightedGraph::muddy_grid(Dims::new(30, 40).unwrap(), loops, mud, &mut rng)
    }

    #[test]
    fn all_cells_are_connected_by_as_many_passages_as_asked_for() {
        for (loops, expected) in [(0, 1199..=1199), (25, 1420..=1510), (100, 2330..=2330)] {
            let maze = maze(loops, 0);
            let passages = maze.edge_count() / 2;
            assert!(expected.contains(&passages), "{passages}");
            let reached = bfs(maze.len(), 7, |vertex| maze.neighbours(vertex)).unwrap();
            assert!(reached.distances.iter().all(Option::is_some));
        }
    }

    #[test]
    fn mud_is_where_it_should_be() {
        let weights = |maze: &WeightedGraph| -> Vec<i64> {
            (0..maze.len()).flat_map(|v| maze.successors(v).map(|edge| edge.1)).collect()
        };
        let some = weights(&maze(100, 20));
        let mud = some.iter().filter(|&&weight| weight != 1).count() / 2;
        assert!((400..530).contains(&mud), "{mud}");
        assert!(some.iter().all(|weight| *weight == 1 || MUD.contains(weight)));
        let mut all = weights(&maze(100, 100));
        all.sort_unstable();
        all.dedup();
        assert_eq!(all, [4, 5, 6, 7, 8, 9]);
    }
}
