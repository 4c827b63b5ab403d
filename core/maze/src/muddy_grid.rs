//! Random mazes with mud, as graphs for tests and benchmarks of searches.

use rand_core::Rng;

use crate::Draws;
use graph::{Cell, Dims, Direction, WeightedGraph};
use petgraph::unionfind::UnionFind;

const MUD: std::ops::RangeInclusive<i64> = 4..=9;

/// A random maze (*labyrinthe*) on a bounded grid, with cells as vertices: a spanning tree of the passages between
/// contiguous cells, and about `loops` percent of the other passages. About `mud` percent of them weigh 4 to 9 instead of
/// 1. Passages lead both ways.
///
/// The same draws give the same graph on every machine. O(n·log n) for n cells.
pub fn muddy_grid(dims: Dims, loops: u32, mud: u32, rng: &mut impl Rng) -> WeightedGraph {
    let onwards = [Direction::East, Direction::South];
    let mut passages: Vec<(Cell, Cell)> = dims
        .cells()
        .flat_map(|cell| onwards.map(|direction| Some((cell, dims.contiguous(cell, direction)?))))
        .flatten()
        .collect();
    let mut draws = Draws::new(rng);
    draws.shuffle(&mut passages);
    let mut trees = UnionFind::new(dims.len());
    let mut successors = vec![Vec::new(); dims.len()];
    for (a, b) in passages {
        if trees.union(a.index(), b.index()) || draws.below(100) < loops {
            let weight =
                if draws.below(100) < mud { MUD.start() + i64::from(draws.below(6)) } else { 1 };
            successors[a.index()].push((b.index(), weight));
            successors[b.index()].push((a.index(), weight));
        }
    }
    WeightedGraph::new(&successors).expect("cells are vertices")
}

#[cfg(test)]
mod tests {
    use rand_core::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;
    use graph::traversal::bfs;

    fn maze(loops: u32, mud: u32) -> WeightedGraph {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
        muddy_grid(Dims::new(30, 40).unwrap(), loops, mud, &mut rng)
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
        let weights =
            |maze: &WeightedGraph| -> Vec<i64> { maze.edges().map(|edge| edge.2).collect() };
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
