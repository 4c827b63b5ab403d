//! Which vertex a search takes up next.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// A vertex that a search has seen, and from where. Ordered by what comes first here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Entry {
    /// From the source, along `parent`.
    pub(super) distance: i64,
    pub(super) vertex: usize,
    /// The source is its own.
    pub(super) parent: usize,
}

/// The vertices that a search has seen and not yet taken up: all in which searches differ.
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
/// With weights of at least 1, all entries of a vertex by equally good parents are there before the
/// first of them is taken out, and the order of entries makes that the one of the smallest parent.
pub(super) type Nearest = BinaryHeap<Reverse<Entry>>;

impl Frontier for Nearest {
    fn push(&mut self, entry: Entry) {
        self.push(Reverse(entry));
    }

    fn pop(&mut self) -> Option<Entry> {
        self.pop().map(|Reverse(entry)| entry)
    }
}

/// Shortest first, counting the way from the source and what the heuristic guesses is left.
///
/// Among equals the nearer to the source comes first: only then does what is said of [`Nearest`]
/// hold here too.
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
