//! The common loop of all searches.

use super::frontier::{Entry, Frontier};
use super::{Traversal, TraversalError};

/// A search in progress: vertices are taken out of the frontier, and their successors added.
///
/// A vertex counts as reached when it is taken out for the first time; its distance and its parent are those of this
/// entry.
pub(super) struct Search<F> {
    pub(super) found: Traversal,
    pub(super) frontier: F,
    /// Minimum of the weights: 1, or 0; then parents need not have the smallest index.
    pub(super) least_weight: i64,
    /// Heads of edges along which the distance does not fit. They are too far unless a shorter path is found.
    too_far: Vec<usize>,
}

impl<F: Frontier> Search<F> {
    pub(super) fn new(
        vertices: usize,
        source: usize,
        mut frontier: F,
    ) -> Result<Self, TraversalError> {
        if source >= vertices {
            return Err(TraversalError::UnknownVertex(source));
        }
        frontier.push(Entry { distance: 0, vertex: source, parent: source });
        Ok(Self { found: Traversal::new(vertices), frontier, least_weight: 1, too_far: Vec::new() })
    }

    /// Takes out the next unreached vertex, and marks it as reached; `None` if there is none.
    pub(super) fn next(&mut self) -> Option<Entry> {
        self.next_if(|_| true)
    }

    /// Takes out the next unreached vertex that is wanted, and marks it as reached; unwanted vertices are dropped.
    pub(super) fn next_if(&mut self, wanted: impl Fn(&Entry) -> bool) -> Option<Entry> {
        loop {
            let entry = self.frontier.pop()?;
            let Entry { distance, vertex, parent } = entry;
            if self.found.distances[vertex].is_none() && wanted(&entry) {
                self.found.distances[vertex] = Some(distance);
                self.found.routing_table[vertex] = (parent != vertex).then_some(parent);
                return Some(entry);
            }
        }
    }

    /// Adds the successors of a vertex to the frontier; `successors` has the weights of the edges.
    pub(super) fn expand(
        &mut self,
        at: Entry,
        successors: impl IntoIterator<Item = (usize, i64)>,
    ) -> Result<(), TraversalError> {
        let from = at.vertex;
        self.found.expanded += 1;
        for (to, weight) in successors {
            let reached = self.found.distances.get(to);
            let reached = reached.ok_or(TraversalError::UnknownSuccessor { from, to })?;
            if weight < self.least_weight {
                return Err(TraversalError::WeightBelowOne { from, to, weight });
            }
            if reached.is_none() {
                match at.distance.checked_add(weight) {
                    Some(distance) => {
                        self.frontier.push(Entry { distance, vertex: to, parent: from });
                    }
                    None => self.too_far.push(to),
                }
            }
        }
        Ok(())
    }

    /// Searches until all reachable vertices are reached.
    pub(super) fn run<I: IntoIterator<Item = (usize, i64)>>(
        mut self,
        mut successors: impl FnMut(usize) -> I,
    ) -> Result<Traversal, TraversalError> {
        while let Some(entry) = self.next() {
            self.expand(entry, successors(entry.vertex))?;
        }
        self.finish()
    }

    /// The result once the frontier is empty; an error if a vertex can only be reached along paths that are too long.
    pub(super) fn finish(self) -> Result<Traversal, TraversalError> {
        let is_unreached = |&vertex: &usize| self.found.distances[vertex].is_none();
        match self.too_far.into_iter().find(is_unreached) {
            Some(vertex) => Err(TraversalError::TooFar(vertex)),
            None => Ok(self.found),
        }
    }
}
