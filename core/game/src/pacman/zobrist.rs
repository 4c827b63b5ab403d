//! Zobrist hashing: a position's hash is the exclusive or of a key for each thing at its place, so that a change costs two keys.
//!
//! Zobrist, “A New Hashing Method with Application for Game Playing”, 1970. The keys are not drawn beforehand but computed, by the
//! finaliser of `SplitMix64` (Steele, Lea and Flood, “Fast Splittable Pseudorandom Number Generators”, 2014), for tables would
//! grow with the board.

/// The key of a numbered thing with a value, for example of an object with its cell.
pub(super) fn key(thing: u32, value: u32) -> u64 {
    let mut key = (u64::from(thing) << 32 | u64::from(value)).wrapping_add(0x9e37_79b9_7f4a_7c15);
    key = (key ^ key >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    key = (key ^ key >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    key ^ key >> 31
}
