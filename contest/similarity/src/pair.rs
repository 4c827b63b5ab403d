//! The common regions of two programs, as a person reads them.

use std::cmp::Ordering;
use std::ops::RangeInclusive;

/// The matched share of the smaller program from which a pair is suspicious.
pub const SUSPICIOUS: f64 = 0.3;
/// The matched share of both programs together below which no pair is suspicious: a short program matches much of a
/// long one by chance.
pub const LEAST_OF_BOTH: f64 = 0.1;
/// The number of matched tokens below which no pair is suspicious.
pub const FEWEST_TOKENS: usize = 40;

/// Two programs and what they have in common (*paire*).
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    /// The index of the first program.
    pub first: usize,
    /// The index of the second program, which is larger.
    pub second: usize,
    /// The number of matched tokens in each program.
    pub matched: usize,
    /// The matched share of the smaller program, 0 to 1.
    pub of_smaller: f64,
    /// The matched share of both programs together, 0 to 1.
    pub of_both: f64,
    /// The matched regions, longest first.
    pub regions: Vec<Region>,
}

impl Pair {
    /// The order of pairs: the most similar ones first.
    pub fn by_likeness(&self, other: &Self) -> Ordering {
        let order = other.of_smaller.total_cmp(&self.of_smaller);
        order.then_with(|| other.matched.cmp(&self.matched))
    }

    /// Tests if a person should look at this pair.
    pub fn is_suspicious(&self) -> bool {
        self.of_smaller >= SUSPICIOUS
            && self.of_both >= LEAST_OF_BOTH
            && self.matched >= FEWEST_TOKENS
    }
}

/// A sequence of tokens that is in both programs (*passage commun*).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// The length in tokens.
    pub tokens: usize,
    /// The place in the first program.
    pub first: Place,
    /// The place in the second program.
    pub second: Place,
}

/// Lines of a file of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The index of the file among the program's files.
    pub source: usize,
    /// The lines, from 1, both ends included.
    pub lines: RangeInclusive<u32>,
}
