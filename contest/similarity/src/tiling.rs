//! The regions that two programs share: greedy string tiling from common fingerprints.
//!
//! Wise, *YAP3: Improved Detection of Similarities in Computer Program and Other Texts*, SIGCSE 1996; Prechelt, Malpohl and
//! Philippsen, *Finding Plagiarisms among a Set of Programs with `JPlag`*, JUCS 2002.

use std::collections::BinaryHeap;

use super::fingerprint::SEQUENCE;
use super::listing::Listing;

/// A sequence of tokens that is in both programs: its length, and where it begins in each.
///
/// Tiles are in order of their lengths; of equal ones, those nearer to the start are the greater ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tile {
    pub tokens: usize,
    pub places: [usize; 2],
}

impl Ord for Tile {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.tokens.cmp(&other.tokens).then_with(|| other.places.cmp(&self.places))
    }
}

impl PartialOrd for Tile {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// Tiles two programs: no token is in two tiles, and longer tiles go first. `seeds` are the places of fingerprints that both
/// have. A tile has [`SEQUENCE`] tokens at least.
///
/// The tiles are in order, longest first.
pub(crate) fn tile(listings: [&Listing; 2], seeds: &mut [[u32; 2]]) -> Vec<Tile> {
    let mut candidates: BinaryHeap<Tile> = extend(listings, seeds).into();
    let mut free = listings.map(|listing| listing.counts.clone());
    let mut tiles = Vec::new();
    while let Some(tile) = candidates.pop() {
        let parts = free_parts(tile, &free);
        if parts == [tile] {
            for (free, place) in free.iter_mut().zip(tile.places) {
                free[place..place + tile.tokens].fill(false);
            }
            tiles.push(tile);
        } else {
            candidates.extend(parts);
        }
    }
    tiles
}

/// The longest common sequences around the seeds, each one once.
fn extend([one, other]: [&Listing; 2], seeds: &mut [[u32; 2]]) -> Vec<Tile> {
    // Seeds on the same diagonal may be in the same sequence: they come one after the other.
    seeds.sort_unstable_by_key(|&[first, second]| (i64::from(first) - i64::from(second), first));
    let alike = |first: usize, second: usize| {
        let tokens = [one.tokens.get(first), other.tokens.get(second)];
        let [Some(this), Some(that)] = tokens else { return false };
        this.code == that.code && one.counts[first] && other.counts[second]
    };
    let mut tiles: Vec<Tile> = Vec::new();
    for seed in seeds {
        let [first, second] = seed.map(|place| place as usize);
        let is_in_last = tiles.last().is_some_and(|&Tile { tokens, places: [a, b] }| {
            (a..a + tokens).contains(&first) && a + second == b + first
        });
        if is_in_last {
            continue;
        }
        let back =
            (1..=first.min(second)).take_while(|&back| alike(first - back, second - back)).count();
        let ahead =
            (0..one.tokens.len()).take_while(|ahead| alike(first + ahead, second + ahead)).count();
        tiles.push(Tile { tokens: back + ahead, places: [first - back, second - back] });
    }
    tiles.retain(|tile| tile.tokens >= SEQUENCE);
    tiles
}

/// The parts of a tile that are still free in both programs, and not too short.
fn free_parts(tile: Tile, free: &[Vec<bool>; 2]) -> Vec<Tile> {
    let [first, second] = tile.places;
    let is_free = |index: usize| free[0][first + index] && free[1][second + index];
    let mut parts = Vec::new();
    let mut index = 0;
    while index < tile.tokens {
        let tokens = (index..tile.tokens).take_while(|&index| is_free(index)).count();
        if tokens >= SEQUENCE {
            parts.push(Tile { tokens, places: [first + index, second + index] });
        }
        index += tokens + 1;
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Source;

    fn listing(text: &str) -> Listing {
        Listing::new(&[Source::new("a.py", text)])
    }

    /// The tiles of two programs with a seed at each pair of places.
    fn tiles(one: &str, other: &str) -> Vec<Tile> {
        let listings = [&listing(one), &listing(other)];
        let [first, second] = listings.map(|listing| listing.tokens.len() as u32);
        let mut seeds: Vec<_> = (0..first).flat_map(|a| (0..second).map(move |b| [a, b])).collect();
        tile(listings, &mut seeds)
    }

    const SUM: &str = "for x in range(n): total += x * 2 - y / 3\n";
    const WALK: &str = "while not done(x): x = step(x) if free[x] else None\n";

    #[test]
    fn order_of_regions_does_not_matter() {
        let [sum, walk] = [SUM, WALK].map(|text| listing(text).tokens.len() - 1);
        let found = tiles(&format!("{SUM}import a\n{WALK}"), &format!("{WALK}pass\n{SUM}"));
        let lengths: Vec<usize> = found.iter().map(|tile| tile.tokens).collect();
        assert_eq!(lengths, [walk.max(sum), walk.min(sum)]);
    }

    #[test]
    fn a_token_is_in_one_tile() {
        let once = listing(SUM).tokens.len() - 1;
        let found = tiles(SUM, &SUM.repeat(5));
        assert_eq!(found, [Tile { tokens: once, places: [0, 0] }]);
        assert_eq!(tiles("x = y", "x = y"), []);
    }
}
