//! A set of cells with fast access to the k-th member.

use crate::{Cell, Dims};

const WORD: usize = u64::BITS as usize;
const WORDS_PER_BLOCK: usize = 4;
const BLOCK: usize = WORD * WORDS_PER_BLOCK;
/// Number of bits for the count of a word, which is at most 64.
const LANE: usize = WORD / WORDS_PER_BLOCK;
/// A 1 in each count of a block. Multiplying by it adds up the counts: lane `i` then holds the sum of lanes 0 to `i`.
const LANES: u64 = 0x0001_0001_0001_0001;

/// A set of cells of one grid, as a bitmap with the number of members of each word.
///
/// Insertion, removal and lookup take a few instructions; [`nth`](Self::nth) scans the counts of the blocks, and then one
/// word.
#[derive(Debug, PartialEq, Eq)]
pub struct CellSet {
    words: Vec<u64>,
    /// For each block of four words, the number of members of each word in 16 bits, the first word lowest.
    counts: Vec<u64>,
    len: usize,
}

impl CellSet {
    /// The empty set, for the cells of `dims`.
    #[must_use]
    pub fn new(dims: Dims) -> Self {
        Self {
            words: vec![0; dims.len().div_ceil(WORD)],
            counts: vec![0; dims.len().div_ceil(BLOCK)],
            len: 0,
        }
    }

    /// Number of members.
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Tests if the set has no member.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Tests if the cell is a member.
    #[inline]
    pub fn contains(&self, cell: Cell) -> bool {
        self.words[cell.index() / WORD] >> (cell.index() % WORD) & 1 == 1
    }

    /// Adds a cell; `true` if it was absent.
    #[inline]
    pub fn insert(&mut self, cell: Cell) -> bool {
        let word = cell.index() / WORD;
        let (bits, bit) = (&mut self.words[word], cell.index() % WORD);
        let absent = !*bits >> bit & 1;
        *bits |= 1 << bit;
        self.counts[word / WORDS_PER_BLOCK] += absent << (word % WORDS_PER_BLOCK * LANE);
        self.len += absent as usize;
        absent == 1
    }

    /// Removes a cell; `true` if it was present.
    #[inline]
    pub fn remove(&mut self, cell: Cell) -> bool {
        let word = cell.index() / WORD;
        let (bits, bit) = (&mut self.words[word], cell.index() % WORD);
        let present = *bits >> bit & 1;
        *bits &= !(1 << bit);
        self.counts[word / WORDS_PER_BLOCK] -= present << (word % WORDS_PER_BLOCK * LANE);
        self.len -= present as usize;
        present == 1
    }

    /// The `k`-th member in row-major order, from 0; `None` if `k` is at least [`len`](Self::len).
    pub fn nth(&self, k: usize) -> Option<Cell> {
        let mut left = k as u64;
        for (block, &counts) in self.counts.iter().enumerate() {
            let sums = counts.wrapping_mul(LANES);
            let all = sums >> (u64::BITS - LANE as u32);
            if left < all {
                // The highest bit of each lane is set if the words up to this lane have at most `left` members.
                let passed =
                    (((left * LANES) | (LANES << (LANE - 1))) - sums) >> (LANE - 1) & LANES;
                let word = passed.count_ones() as usize;
                let before = sums << LANE >> (word * LANE) & ((1 << LANE) - 1);
                let word = block * WORDS_PER_BLOCK + word;
                // `left - before` is below the number of members of one word.
                let index = word * WORD + nth_bit(self.words[word], (left - before) as u32);
                return Some(Cell(index as u32));
            }
            left -= all;
        }
        None
    }
}

impl Clone for CellSet {
    fn clone(&self) -> Self {
        Self { words: self.words.clone(), counts: self.counts.clone(), len: self.len }
    }

    /// Copies without allocation if both sets belong to grids of the same size.
    fn clone_from(&mut self, other: &Self) {
        self.words.clone_from(&other.words);
        self.counts.clone_from(&other.counts);
        self.len = other.len;
    }
}

/// The place of the `k`-th set bit, from the lowest; `k` is below the number of set bits. Vigna, “Broadword Implementation of
/// Rank/Select Queries”, 2008.
fn nth_bit(word: u64, k: u32) -> usize {
    /// A 1 in each byte.
    const ONES: u64 = u64::MAX / 255;
    let pairs = word - (word >> 1 & (u64::MAX / 3));
    let nibbles = (pairs & (u64::MAX / 5)) + (pairs >> 2 & (u64::MAX / 5));
    let bytes = (nibbles + (nibbles >> 4)) & (ONES * 15);
    // In each byte, the number of set bits up to this byte.
    let sums = bytes.wrapping_mul(ONES);
    // In each byte, 1 if there are at most `k` set bits up to this byte.
    let passed = (((u64::from(k) * ONES) | (ONES << 7)) - sums) >> 7 & ONES;
    // There are at most seven bytes with a 1.
    let start = (passed.wrapping_mul(ONES) >> 56) as usize * 8;
    let before = sums << 8 >> start & 0xff;
    // The byte with the `k`-th set bit.
    let byte = (word >> start) as u8;
    start + usize::from(SELECT[usize::from(byte)][(u64::from(k) - before) as usize & 7])
}

/// The places of the set bits of each byte, from the lowest.
static SELECT: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut k) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[byte][k] = bit;
                k += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

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
        let found: Vec<_> = (0..set.len()).filter_map(|k| set.nth(k)).map(Cell::index).collect();
        assert_eq!(found, expected);
        assert_eq!(set.nth(set.len()), None);
    }

    #[test]
    fn nth_finds_every_member_of_a_full_set() {
        let dims = Dims::new(20, 30).unwrap();
        let mut set = CellSet::new(dims);
        dims.cells().for_each(|cell| assert!(set.insert(cell)));
        assert!((0..dims.len()).all(|k| set.nth(k) == dims.nth(k)));
        assert_eq!(set.nth(dims.len()), None);
    }
}
