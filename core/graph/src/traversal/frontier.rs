//! The order in which searches take vertices out.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// A vertex seen by a search, with its parent. Entries are ordered by their fields, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Entry {
    /// The distance from the source, via `parent`.
    pub(super) distance: i64,
    pub(super) vertex: usize,
    /// The parent of the vertex; the source is its own parent.
    pub(super) parent: usize,
}

/// The vertices seen by a search and not yet taken out: the only difference between searches.
pub(super) trait Frontier {
    fn push(&mut self, entry: Entry);
    fn pop(&mut self) -> Option<Entry>;
}

/// First in, first out.
impl Frontier for VecDeque<Entry> {
    fn push(&mut self, entry: Entry) {
        self.push_back(entry);
    }

    fn pop(&mut self) -> Option<Entry> {
        self.pop_front()
    }
}

/// Last in, first out.
impl Frontier for Vec<Entry> {
    fn push(&mut self, entry: Entry) {
        self.push(entry);
    }

    fn pop(&mut self) -> Option<Entry> {
        self.pop()
    }
}

/// Nearest to the source first.
///
/// With weights of at least 1, all entries of a vertex with equally good parents are queued before the first of them is
/// taken out. By the order of entries, this is the entry with the smallest parent.
pub(super) type Nearest = BinaryHeap<Reverse<Entry>>;

impl Frontier for Nearest {
    fn push(&mut self, entry: Entry) {
        self.push(Reverse(entry));
    }

    fn pop(&mut self) -> Option<Entry> {
        self.pop().map(|Reverse(entry)| entry)
    }
}

/// Smallest sum of the distance from the source and the heuristic first.
///
/// Among equal sums, the entry nearer to the source comes first, so that the smallest parent wins as in [`Nearest`].
pub(super) struct Promising<H> {
    heap: BinaryHeap<Reverse<(i64, Entry)>>,
    heuristic: H,
}

impl<H: Fn(usize) -> i64> Promising<H> {
    pub(super) fn new(heuristic: H) -> Self {
        Self { heap: BinaryHeap::new(), heuristic }
    }
}

impl<H: Fn(usize) -> i64> Frontier for Promising<H> {
    fn push(&mut self, entry: Entry) {
        let guess = entry.distance.saturating_add((self.heuristic)(entry.vertex));
        self.heap.push(Reverse((guess, entry)));
    }

    fn pop(&mut self) -> Option<Entry> {
        self.heap.pop().map(|Reverse((_, entry))| entry)
    }
}
