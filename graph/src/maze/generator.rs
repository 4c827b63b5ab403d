//! The five ways to make a perfect maze.

use std::fmt;

use rand_core::Rng;

use super::{Maze, binary_tree, exploration, fusion, sidewinder, wilson};
use crate::Dims;
use crate::draws::Draws;

/// Algorithm that makes a perfect maze (*génération*): one with exactly one path between any two cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Generator {
    /// *Arbre binaire*: each cell opens to the east or to the south.
    BinaryTree,
    /// *Sidewinder*: runs to the east, each with one way to the south.
    Sidewinder,
    /// *Fusion de chemins*: walls in random order, taken down where they separate (Kruskal).
    Fusion,
    /// *Exploration exhaustive*: go on into the unknown, step back where there is none.
    Exploration,
    /// *Wilson*: random walks without their loops; every maze is as likely.
    Wilson,
}

impl Generator {
    /// All of them, in the order of the subject.
    pub const ALL: [Self; 5] =
        [Self::BinaryTree, Self::Sidewinder, Self::Fusion, Self::Exploration, Self::Wilson];

    /// Most cells that a maze is made with.
    pub const MAX_CELLS: usize = 1 << 30;

    /// The name in the subject's methods: `gen_btree` is `btree`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::BinaryTree => "btree",
            Self::Sidewinder => "sidewinder",
            Self::Fusion => "fusion",
            Self::Exploration => "exploration",
            Self::Wilson => "wilson",
        }
    }

    /// A perfect maze; the same one for the same state of the generator of random numbers.
    ///
    /// Linear in the cells, or nearly so; for Wilson the logarithm of their number comes on top.
    /// There are at most [`MAX_CELLS`](Self::MAX_CELLS).
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
