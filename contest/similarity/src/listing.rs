//! A program as the comparison sees it: one list of tokens, and which of them count.

use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};

use super::Source;
use super::fingerprint::{Fingerprint, SEQUENCE, hashes, winnow};
use super::language::Language;
use super::scanner::scan;
use super::token::{Kind, Token};

/// The bytes of a file that are read; its rest is left out.
pub const MAX_BYTES: usize = 1 << 20;
/// The tokens of a program that are compared; the rest is left out.
pub const MAX_TOKENS: usize = 50_000;

/// Maximum number of places used for each fingerprint in a program. The bound keeps the cost of a program that repeats itself
/// near to linear.
const PLACES: usize = 8;

/// The tokens of a program's files, one file after the other, with an end behind each.
#[derive(Clone, Debug, Default)]
pub(crate) struct Listing {
    pub tokens: Vec<Token>,
    /// For each token, whether it counts: it is no end of a file, and no code of the base.
    pub counts: Vec<bool>,
    /// For each file that was read, its index among the program's files, and where its tokens are.
    files: Vec<(usize, Range<usize>)>,
    /// True if a file or the program was too long, and its rest was left out.
    pub is_cut: bool,
}

impl Listing {
    /// Reads the files of known languages.
    pub(crate) fn new(sources: &[Source]) -> Self {
        let mut listing = Self::default();
        for (index, source) in sources.iter().enumerate() {
            let Some(language) = Language::of(&source.name) else { continue };
            let text = &source.text[..source.text.len().min(MAX_BYTES)];
            let room = MAX_TOKENS.saturating_sub(listing.tokens.len());
            let mut tokens = scan(language, text, room);
            listing.is_cut |= text.len() < source.text.len() || tokens.len() > room;
            tokens.truncate(room);
            let start = listing.tokens.len();
            listing.counts.extend(tokens.iter().map(|_| true));
            listing.tokens.append(&mut tokens);
            listing.files.push((index, start..listing.tokens.len()));
            listing.tokens.push(Token { code: Kind::End.code(language), line: 0 });
            listing.counts.push(false);
        }
        listing
    }

    /// The hashes of all sequences of tokens.
    pub(crate) fn hashes(&self) -> FxHashSet<u64> {
        hashes(&self.tokens).collect()
    }

    /// Leaves out all tokens in sequences that the base has, and what is too short between them to be matched.
    pub(crate) fn leave_out(&mut self, base: &FxHashSet<u64>) {
        for (place, hash) in hashes(&self.tokens).enumerate() {
            if base.contains(&hash) {
                self.counts[place..place + SEQUENCE].fill(false);
            }
        }
        for run in self.counts.split_mut(|counts| !counts) {
            if run.len() < SEQUENCE {
                run.fill(false);
            }
        }
    }

    /// The number of tokens that count.
    pub(crate) fn own(&self) -> usize {
        self.counts.iter().filter(|counts| **counts).count()
    }

    /// The fingerprints of the tokens that count, in order of their places; of equal ones, the first [`PLACES`].
    pub(crate) fn fingerprints(&self) -> Vec<Fingerprint> {
        let mut fingerprints = Vec::new();
        let mut places: FxHashMap<u64, usize> = FxHashMap::default();
        let mut start = 0;
        for run in self.counts.split(|counts| !counts) {
            for fingerprint in winnow(&self.tokens[start..start + run.len()], start) {
                let places = places.entry(fingerprint.hash).or_default();
                *places += 1;
                if *places <= PLACES {
                    fingerprints.push(fingerprint);
                }
            }
            start += run.len() + 1;
        }
        fingerprints
    }

    /// The file of some tokens, and their first and their last line.
    pub(crate) fn lines(&self, tokens: Range<usize>) -> (usize, [u32; 2]) {
        let after = self.files.partition_point(|(_, range)| range.end <= tokens.start);
        let file = self.files.get(after).map_or(0, |(index, _)| *index);
        (file, [self.tokens[tokens.start].line, self.tokens[tokens.end - 1].line])
    }
}
