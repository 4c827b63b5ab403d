//! The five generators of perfect mazes.

use std::fmt;

use rand_core::Rng;

use super::{Maze, binary_tree, exploration, fusion, sidewinder, wilson};
use crate::draws::Draws;
use graph::Dims;

/// A generator of perfect mazes (*génération*), which have exactly one path between any two cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Generator {
    /// *Arbre binaire*: each cell opens to the east or to the south.
    BinaryTree,
    /// *Sidewinder*: runs to the east, each with one passage to the south.
    Sidewinder,
    /// *Fusion de chemins*: walls in random order, taken down if they separate two components (Kruskal).
    Fusion,
    /// *Exploration exhaustive*: random depth-first search.
    Exploration,
    /// *Wilson*: loop-erased random walks; all mazes are equally likely.
    Wilson,
}

impl Generator {
    /// All generators, in the order of the subject.
    pub const ALL: [Self; 5] =
        [Self::BinaryTree, Self::Sidewinder, Self::Fusion, Self::Exploration, Self::Wilson];

    /// Maximum number of cells of a generated maze.
    pub const MAX_CELLS: usize = 1 << 30;

    /// The name in the subject's methods: `gen_btree` is `btree`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::BinaryTree => "btree",
            Self::Sidewinder => "sidewinder",
            Self::Fusion => "fusion",
            Self::Exploration => "exploration",
            Self::Wilson => "wilson",
        }
    }

    /// Generates a perfect maze, which is a pure function of the state of the random number generator.
    ///
    /// Nearly O(n) for n cells; O(n·log n) for Wilson. Panics if there are more than [`MAX_CELLS`](Self::MAX_CELLS) cells.
    pub fn generate(self, dims: Dims, rng: &mut impl Rng) -> Maze {
        assert!(dims.len() <= Self::MAX_CELLS, "{dims} cells are too many");
        let draws = Draws::new(rng);
        match self {
            Self::BinaryTree => binary_tree::generate(dims, draws),
            Self::Sidewinder => sidewinder::generate(dims, draws),
            Self::Fusion => fusion::generate(dims, draws),
            Self::Exploration => exploration::generate(dims, draws),
            Self::Wilson => wilson::generate(dims, draws),
        }
    }
}

impl fmt::Display for Generator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
