//! Counts of a search.

use super::Value;

/// Nodes between two calls of a search's closure.
pub const STRIDE: u64 = 1 << 16;

/// A value, and what finding it took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HexapawnSolution {
    /// The value of the configuration.
    pub value: Value,
    /// Nodes, as the algorithm counts them.
    pub nodes: u64,
}

/// Counts nodes, and asks from time to time whether to go on.
pub(super) struct Count<W> {
    pub(super) nodes: u64,
    watch: W,
}

impl<E, W: FnMut(u64) -> Result<(), E>> Count<W> {
    pub(super) fn new(watch: W) -> Self {
        Self { nodes: 0, watch }
    }

    /// One more node.
    pub(super) fn advance(&mut self) -> Result<(), E> {
        self.nodes += 1;
        match self.nodes.is_multiple_of(STRIDE) {
            true => (self.watch)(STRIDE),
            false => Ok(()),
        }
    }
}
