//! A transposition table: the proofs about positions.

use super::position::Position;
use crate::value::Rank;

/// Proofs by position, in flat memory that grows up to a limit. Then a new position replaces the one with
/// the fewest nodes in its bucket.
#[derive(Clone, Debug)]
pub(super) struct Table {
    /// Buckets of [`BUCKET`] entries, a power of two of them; the hash of a position selects its bucket.
    entries: Vec<Entry>,
    used: usize,
    /// Maximum number of entries, a power of two.
    most: usize,
}

/// An entry of a bucket, empty if its position has no pawns.
#[derive(Clone, Copy, Debug)]
struct Entry {
    position: Position,
    proof: Proof,
    /// Number of nodes of the last proof.
    work: u32,
}

/// A position has at least the rank `least`, and less than `below`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Proof {
    pub(super) least: Rank,
    pub(super) below: Rank,
}

const BUCKET: usize = 4;

/// Initial number of entries, a multiple of `BUCKET`: 96 KiB.
const FIRST: usize = 1 << 12;

const NOTHING: Entry = Entry {
    position: Position { mover: 0, other: 0 },
    proof: Proof { least: Rank::LOWEST, below: Rank::UNREACHED },
    work: 0,
};

impl Table {
    /// A table for at most `most` positions, rounded up to a power of two.
    pub(super) fn new(most: usize) -> Self {
        let most = most.max(BUCKET).next_power_of_two();
        Self { entries: vec![NOTHING; most.min(FIRST)], used: 0, most }
    }

    pub(super) fn get(&self, position: Position) -> Option<Proof> {
        let start = self.bucket(position);
        let bucket = &self.entries[start..start + BUCKET];
        bucket.iter().find(|entry| entry.position == position).map(|entry| entry.proof)
    }

    /// Records a proof that a position has at least this rank or, unless it `holds`, less; `work` is its number of nodes.
    pub(super) fn note(&mut self, position: Position, rank: Rank, holds: bool, work: u64) {
        // A bucket overflows long before all entries are used; until then growing is cheap.
        if self.used * 2 > self.entries.len() && self.entries.len() < self.most {
            self.grow();
        }
        let start = self.bucket(position);
        let bucket = &mut self.entries[start..start + BUCKET];
        let known = bucket.iter().position(|entry| entry.position == position);
        let cheapest = || (0..BUCKET).min_by_key(|&at| bucket[at].work).expect("not empty");
        let at = known.unwrap_or_else(cheapest);
        let entry = &mut bucket[at];
        if known.is_none() {
            self.used += usize::from(entry.position == NOTHING.position);
            *entry = Entry { position, ..NOTHING };
        }
        entry.work = u32::try_from(work).unwrap_or(u32::MAX).max(1);
        let proof = &mut entry.proof;
        if holds {
            proof.least = proof.least.max(rank);
        } else {
            proof.below = proof.below.min(rank);
        }
    }

    /// Doubles the number of entries.
    fn grow(&mut self) {
        let larger = vec![NOTHING; self.entries.len() * 2];
        let entries = std::mem::replace(&mut self.entries, larger);
        self.used = 0;
        for entry in entries.into_iter().filter(|entry| entry.position != NOTHING.position) {
            let start = self.bucket(entry.position);
            // The entries of a new bucket all come from one old bucket, so they fit.
            let free = self.entries[start..start + BUCKET]
                .iter_mut()
                .find(|free| free.position == NOTHING.position)
                .expect("a bucket is split in two");
            *free = entry;
            self.used += 1;
        }
    }

    /// Index of the first entry of a position's bucket.
    fn bucket(&self, position: Position) -> usize {
        const ODD: u64 = 0xd6e8_feb8_6659_fd93;
        let mut hash = position.mover.wrapping_mul(ODD) ^ position.other;
        hash = (hash ^ hash >> 32).wrapping_mul(ODD);
        hash = (hash ^ hash >> 32).wrapping_mul(ODD);
        // A larger table uses more bits of the same hash.
        (hash >> 24) as usize & (self.entries.len() - 1) & !(BUCKET - 1)
    }
}

impl Proof {
    /// Tests if the position has at least this rank; `None` if neither is proved.
    pub(super) fn answer(self, rank: Rank) -> Option<bool> {
        match () {
            () if self.least >= rank => Some(true),
            () if self.below <= rank => Some(false),
            () => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(number: u64) -> Position {
        Position { mover: number + 1, other: number << 32 }
    }

    #[test]
    fn proofs_of_a_position_are_merged() {
        let mut table = Table::new(1 << 8);
        assert_eq!(table.get(position(0)), None);
        for (plies, holds) in [(5, false), (11, true), (7, false), (9, true), (3, false)] {
            table.note(position(0), Rank::win_in(plies), holds, 1);
        }
        let proof = table.get(position(0)).unwrap();
        assert_eq!(proof, Proof { least: Rank::win_in(9), below: Rank::win_in(7) });
        assert_eq!(proof.answer(Rank::win_in(5)), Some(false));
        assert_eq!(proof.answer(Rank::win_in(8)), None);
        assert_eq!(proof.answer(Rank::WIN), Some(true));
    }

    #[test]
    fn a_table_that_may_grow_forgets_little() {
        let mut table = Table::new(1 << 20);
        for number in 0..50_000 {
            table.note(position(number), Rank::WIN, true, 1);
        }
        let known = (0..50_000).filter(|&number| table.get(position(number)).is_some()).count();
        assert_eq!(known, table.used);
        assert!(known > 46_000, "{known}");
    }

    #[test]
    fn a_full_table_keeps_the_proofs_with_the_most_nodes() {
        let mut table = Table::new(1 << 4);
        for number in 0..1000 {
            let work = if number < 4 { 1000 } else { number % 7 };
            table.note(position(number), Rank::WIN, true, work);
            assert!(table.get(position(number)).is_some());
        }
        assert_eq!(table.entries.len(), 1 << 4);
        assert!((0..4).any(|number| table.get(position(number)).is_some()));
    }
}
