//! Fingerprints: hashes of sequences of tokens, of which winnowing selects some.
//!
//! Schleimer, Wilkerson and Aiken, *Winnowing: Local Algorithms for Document Fingerprinting*, SIGMOD 2003.

use super::token::Token;

/// Length in tokens of the sequences that are hashed (k).
pub(crate) const SEQUENCE: usize = 9;
/// Number of successive hashes of which at least one is selected (w).
pub(crate) const WINDOW: usize = 4;

/// A selected hash, and where its sequence begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Fingerprint {
    pub hash: u64,
    pub place: u32,
}

/// The hashes of all sequences of [`SEQUENCE`] tokens, in order.
pub(crate) fn hashes(tokens: &[Token]) -> impl Iterator<Item = u64> {
    tokens.windows(SEQUENCE).map(|sequence| {
        sequence.iter().fold(0xCBF2_9CE4_8422_2325, |hash: u64, token| {
            let mixed = (hash ^ u64::from(token.code)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            mixed ^ (mixed >> 29)
        })
    })
}

/// Selects fingerprints of a run of tokens that begins at `start`, in order of their places.
///
/// In each window of [`WINDOW`] successive hashes, the smallest one is selected, and of equal ones the last one, unless one
/// of them is selected already. Two runs that share [`SEQUENCE`] + [`WINDOW`] − 1 tokens in a row share a fingerprint in them.
pub(crate) fn winnow(tokens: &[Token], start: usize) -> Vec<Fingerprint> {
    let hashes: Vec<u64> = hashes(tokens).collect();
    let mut selected: Vec<Fingerprint> = Vec::new();
    for (first, window) in hashes.windows(WINDOW.min(hashes.len()).max(1)).enumerate() {
        let smallest = window.iter().enumerate().rev().min_by_key(|(_, hash)| **hash);
        let Some((index, &hash)) = smallest else { continue };
        let reached = selected.last().map(|last| (last.hash, last.place as usize));
        if reached.is_none_or(|(last, place)| last != hash || place < start + first) {
            selected.push(Fingerprint { hash, place: (start + first + index) as u32 });
        }
    }
    selected
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn tokens(codes: &[u32]) -> Vec<Token> {
        codes.iter().map(|&code| Token { code, line: 1 }).collect()
    }

    proptest! {
        #[test]
        fn a_long_common_sequence_has_a_common_fingerprint(
            [before, common, after] in [0..30_usize, SEQUENCE + WINDOW - 1..60, 0..30],
            codes in prop::collection::vec(0..5_u32, 240),
        ) {
            let one = tokens(&codes[..before + common + after]);
            let shared = &codes[before..before + common];
            let other = tokens(&[&codes[120..120 + after], shared, &codes[180..180 + before]].concat());
            let inside = |places: Vec<Fingerprint>, start: usize| -> Vec<u64> {
                let within = start..start + common + 1 - SEQUENCE;
                places.iter().filter(|f| within.contains(&(f.place as usize))).map(|f| f.hash).collect()
            };
            let (one, other) = (inside(winnow(&one, 0), before), inside(winnow(&other, 0), after));
            prop_assert!(one.iter().any(|hash| other.contains(hash)));
        }
    }

    #[test]
    fn equal_hashes_are_selected_once_in_a_window() {
        let selected = winnow(&tokens(&[7; 100]), 1000);
        let places: Vec<u32> = selected.iter().map(|fingerprint| fingerprint.place).collect();
        assert_eq!(places.len(), (100 - SEQUENCE + 1) / WINDOW, "{places:?}");
        assert_eq!(places[0] as usize, 1000 + WINDOW - 1);
        assert!(winnow(&tokens(&[7; SEQUENCE - 1]), 0).is_empty());
        assert_eq!(winnow(&tokens(&[7; SEQUENCE]), 0).len(), 1);
    }
}
