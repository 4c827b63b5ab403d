//! A set of cells that finds its k-th member fast.

use crate::{Cell, Dims};

const WORD: usize = u64::BITS as usize;
const WORDS_PER_BLOCK: usize = 4;
const BLOCK: usize = WORD * WORDS_PER_BLOCK;

/// A set of cells of one grid, as a bitmap with a count a block.
///
/// Inserting, removing and asking cost a few instructions; [`nth`](Self::nth) adds up block counts
/// and then looks into one block.
#[derive(Debug, PartialEq, Eq)]
pub struct CellSet {
    words: Vec<u64>,
    block_len: Vec<u32>,
    len: usize,
}

impl CellSet {
    /// The empty set, for the cells of `dims`.
    #[must_use]
    pub fn new(dims: Dims) -> Self {
        Self {
            words: vec![0; dims.len().div_ceil(WORD)],
            block_len: vec![0; dims.len().div_ceil(BLOCK)],
            len: 0,
        }
    }

    /// Number of members.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no member.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether the cell is a member.
    #[must_use]
    pub fn contains(&self, cell: Cell) -> bool {
        self.words[cell.index() / WORD] >> (cell.index() % WORD) & 1 == 1
    }

    /// Adds a cell; whether it was absent.
    pub fn insert(&mut self, cell: Cell) -> bool {
        let absent = !self.contains(cell);
        if absent {
            self.words[cell.index() / WORD] |= 1 << (cell.index() % WORD);
            self.block_len[cell.index() / BLOCK] += 1;
            self.len += 1;
        }
        absent
    }

    /// Takes a cell out; whether it was present.
    pub fn remove(&mut self, cell: Cell) -> bool {
        let present = self.contains(cell);
        if present {
            self.words[cell.index() / WORD] &= !(1 << (cell.index() % WORD));
            self.block_len[cell.index() / BLOCK] -= 1;
            self.len -= 1;
        }
        present
    }

    /// The number of the `k`-th member, row-major from 0; `None` at [`len`](Self::len) and beyond.
    #[must_use]
    pub fn nth(&self, k: usize) -> Option<usize> {
        if k >= self.len {
            return None;
        }
        let mut left = u32::try_from(k).ok()?;
        let mut block = 0;
        while left >= self.block_len[block] {
            left -= self.block_len[block];
            block += 1;
        }
        for (at, &word) in self.words.iter().enumerate().skip(block * WORDS_PER_BLOCK) {
            if left < word.count_ones() {
                return Some(at * WORD + nth_bit(word, left));
            }
            left -= word.count_ones();
        }
        None
    }
}

impl Clone for CellSet {
    fn clone(&self) -> Self {
        Self { words: self.words.clone(), block_len: self.block_len.clone(), len: self.len }
    }

    /// Copies without allocating when both sets belong to grids of one size.
    fn clone_from(&mut self, other: &Self) {
        self.words.clone_from(&other.words);
        self.block_len.clone_from(&other.block_len);
        self.len = other.len;
    }
}

/// The place of the `k`-th set bit, from the lowest; `k` is below the number of set bits.
fn nth_bit(mut word: u64, mut k: u32) -> usize {
    let mut place = 0;
    for half in [32, 16, 8] {
        let low = (word & ((1 << half) - 1)).count_ones();
        if k >= low {
            k -= low;
            word >>= half;
            place += half;
        }
    }
    for _ in 0..k {
        word &= word - 1;
    }
    place + word.trailing_zeros() as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nth_agrees_with_counting_through() {
        let dims = Dims::new(37, 41).unwrap();
        let mut set = CellSet::new(dims);
        let member = |index: usize| index * index % 7 < 3 || (600..900).contains(&index);
        for cell in dims.cells().filter(|c| member(c.index())) {
            assert!(set.insert(cell));
            assert!(!set.insert(cell));
        }
        for cell in dims.cells().filter(|c| c.index() % 5 == 0) {
            assert_eq!(set.remove(cell), member(cell.index()));
        }
        let expected: Vec<_> = (0..dims.len()).filter(|&i| member(i) && i % 5 != 0).collect();
        assert_eq!(set.len(), expected.len());
        let found: Vec<_> = (0..set.len()).filter_map(|k| set.nth(k)).collect();
        assert_eq!(found, expected);
        assert_eq!(set.nth(set.len()), None);
    }
}
