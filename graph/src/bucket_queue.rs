//! A priority queue for small steps.

use crate::Cell;

/// Cells in the order of what it costs to get there, for searches whose steps cost little: a bucket
/// a cost, used round and round (Dial 1969).
///
/// A cost is taken out a bucket at a time, which is sound because no step costs 0.
#[derive(Clone, Debug, Default)]
pub(crate) struct BucketQueue {
    /// Cells of cost `c` are in bucket `c` modulo their number, which is a power of two.
    buckets: Vec<Bucket>,
    /// The cost that was taken out last, or 0.
    last: u32,
}

/// The cells of a cost. There is always a place behind the last one, so that a cell may be written
/// before it is known whether it counts.
#[derive(Clone, Debug)]
pub(crate) struct Bucket {
    places: Vec<Cell>,
    len: usize,
}

impl Bucket {
    const EMPTY: Self = Self { places: Vec::new(), len: 0 };

    pub(crate) fn cells(&self) -> &[Cell] {
        &self.places[..self.len]
    }
}

impl BucketQueue {
    /// Makes it ready for a search from a cell whose steps cost at most `most`.
    pub(crate) fn start(&mut self, source: Cell, most: u16) {
        let needed = (usize::from(most) + 1).next_power_of_two();
        for bucket in &mut self.buckets {
            bucket.len = 0;
        }
        if self.buckets.len() < needed {
            self.buckets.resize(needed, Bucket::EMPTY);
        }
        self.last = 0;
        self.push_if(true, 0, source);
    }

    /// Adds a cell if `counts` holds, without a branch on it. It costs more than what was taken out
    /// last, by at most the largest step.
    pub(crate) fn push_if(&mut self, counts: bool, cost: u32, cell: Cell) {
        let index = cost as usize & (self.buckets.len() - 1);
        let bucket = &mut self.buckets[index];
        if bucket.len == bucket.places.len() {
            bucket.places.resize((2 * bucket.len).max(64), cell);
        }
        bucket.places[bucket.len] = cell;
        bucket.len += usize::from(counts);
    }

    /// Takes out all cells of the lowest cost; to be given back with [`put_back`](Self::put_back).
    pub(crate) fn take(&mut self) -> Option<(u32, Bucket)> {
        for cost in self.last..=self.last.saturating_add(self.buckets.len() as u32) {
            let index = cost as usize & (self.buckets.len() - 1);
            if self.buckets[index].len > 0 {
                self.last = cost;
                return Some((cost, std::mem::replace(&mut self.buckets[index], Bucket::EMPTY)));
            }
        }
        None
    }

    /// Takes back the bucket of a cost, to be filled again.
    pub(crate) fn put_back(&mut self, cost: u32, bucket: Bucket) {
        let index = cost as usize & (self.buckets.len() - 1);
        self.buckets[index] = Bucket { len: 0, ..bucket };
    }
}
