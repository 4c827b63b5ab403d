//! The node counts of searches.

use super::Value;

/// Number of nodes between two calls of a search's closure.
pub const STRIDE: u64 = 1 << 16;

/// A value, and the cost of its search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HexapawnSolution {
    /// The value of the configuration.
    pub value: Value,
    /// Number of nodes, as the algorithm defines them.
    pub nodes: u64,
}

/// Counts nodes; every `STRIDE` nodes, `watch` may stop the search.
pub(super) struct Count<W> {
    pub(super) nodes: u64,
    watch: W,
}

impl<E, W: FnMut(u64) -> Result<(), E>> Count<W> {
    pub(super) fn new(watch: W) -> Self {
        Self { nodes: 0, watch }
    }

    pub(super) fn advance(&mut self) -> Result<(), E> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(STRIDE) { (self.watch)(STRIDE) } else { Ok(()) }
    }
}
