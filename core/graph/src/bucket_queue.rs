//! A bucket queue: a priority queue for searches with small step costs.

use crate::Cell;

/// Cells in the order of their costs, for searches with small step costs: a circular array with a bucket per cost
/// (Dial 1969).
///
/// A bucket is taken out as a whole, which is correct because every step costs at least 1.
#[derive(Clone, Debug, Default)]
pub(crate) struct BucketQueue {
    /// Cells of cost `c` are in bucket `c` modulo the number of buckets, which is a power of two.
    buckets: Vec<Vec<Cell>>,
    /// The cost taken out last, or 0.
    last: u32,
}

impl BucketQueue {
    /// Prepares a search from a cell, with steps that cost at most `most`.
    pub(crate) fn start(&mut self, source: Cell, most: u16) {
        let needed = (usize::from(most) + 1).next_power_of_two();
        for bucket in &mut self.buckets {
            bucket.clear();
        }
        if self.buckets.len() < needed {
            self.buckets.resize_with(needed, Vec::new);
        }
        self.last = 0;
        self.push(0, source);
    }

    /// Adds a cell, whose cost exceeds the cost taken out last by at most the largest step.
    pub(crate) fn push(&mut self, cost: u32, cell: Cell) {
        let index = cost as usize & (self.buckets.len() - 1);
        self.buckets[index].push(cell);
    }

    /// Takes out the bucket of the lowest cost, which must be returned with [`put_back`](Self::put_back).
    pub(crate) fn take(&mut self) -> Option<(u32, Vec<Cell>)> {
        for cost in self.last..=self.last.saturating_add(self.buckets.len() as u32) {
            let index = cost as usize & (self.buckets.len() - 1);
            if !self.buckets[index].is_empty() {
                self.last = cost;
                return Some((cost, std::mem::take(&mut self.buckets[index])));
            }
        }
        None
    }

    /// Takes back the bucket of a cost, for reuse.
    pub(crate) fn put_back(&mut self, cost: u32, mut bucket: Vec<Cell>) {
        let index = cost as usize & (self.buckets.len() - 1);
        bucket.clear();
        self.buckets[index] = bucket;
    }
}
