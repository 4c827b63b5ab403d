//! The programs of a class, and the comparison of each with each other.
#![expect(clippy::cast_precision_loss, reason = "fewer than 2⁵² tokens")]

use std::borrow::Borrow;
use std::ops::ControlFlow;

use rustc_hash::{FxHashMap, FxHashSet};

use super::fingerprint::Fingerprint;
use super::listing::Listing;
use super::pair::{Pair, Place, Region};
use super::tiling::{Tile, tile};
use super::{Program, Source};

/// Code in more than this share of the programs, in percent, is common.
const COMMON_PERCENT: usize = 30;
/// Code in at most as many programs is never common.
const NEVER_COMMON: usize = 6;
/// Code in more programs is always common.
const ALWAYS_COMMON: usize = 40;

/// The programs of a class, read and ready to be compared (*promotion*).
#[derive(Clone, Debug)]
pub struct Class {
    listings: Vec<Listing>,
    extents: Vec<Extent>,
}

/// The part of a program that is compared (*étendue*).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// The number of tokens that are compared.
    pub own: usize,
    /// The number of tokens that are left out, because the base or much of the class has them.
    pub left_out: usize,
    /// True if a file or the program was too long, and its rest was not read. See [`MAX_BYTES`](super::MAX_BYTES) and
    /// [`MAX_TOKENS`](super::MAX_TOKENS).
    pub is_cut: bool,
}

/// For each fingerprint, its places: programs in order, and places in order.
type Index = FxHashMap<u64, Vec<(u32, u32)>>;

impl Class {
    /// Reads the programs. Two kinds of code are left out: that of `base`, which the course handed out, and that of more than
    /// 30 % of the programs, if these are more than 6, or of more than 40 programs.
    ///
    /// Costs O(bytes). Each program is dropped before the next one is asked for, so that an iterator that reads their files
    /// needs the memory of one of them, and 1 MB for the tokens of each.
    #[must_use]
    pub fn new<P: Borrow<Program>>(base: &[Source], programs: impl IntoIterator<Item = P>) -> Self {
        let base = Listing::new(base).hashes();
        let programs = programs.into_iter();
        let mut listings: Vec<Listing> =
            programs.map(|program| Listing::new(&program.borrow().sources)).collect();
        let all: Vec<usize> = listings.iter().map(Listing::own).collect();
        for listing in &mut listings {
            listing.leave_out(&base);
        }
        let common = common(&listings);
        for listing in &mut listings {
            listing.leave_out(&common);
        }
        let extents = listings.iter().zip(all).map(|(listing, all)| {
            let own = listing.own();
            Extent { own, left_out: all - own, is_cut: listing.is_cut }
        });
        Self { extents: extents.collect(), listings }
    }

    /// The part of each program that is compared, in the order of the programs.
    pub fn extents(&self) -> &[Extent] {
        &self.extents
    }

    /// All pairs of programs that have a region in common, the most similar ones first.
    ///
    /// Costs O(tokens × programs that share them), and O(n log n) for the n regions of a pair.
    pub fn pairs(&self) -> Vec<Pair> {
        let mut pairs = Vec::new();
        let _: ControlFlow<()> = self.each_pair(|pair| {
            pairs.extend(pair);
            ControlFlow::Continue(())
        });
        pairs.sort_by(Pair::by_likeness);
        pairs
    }

    /// Compares each program with each later one that shares code with it, in the order of the programs, and passes on what they have in common: `None` if
    /// that is nothing. The caller may keep a few pairs only, or break off the comparison.
    ///
    /// Costs as [`pairs`](Self::pairs), and the memory of one pair.
    pub fn each_pair<B>(
        &self,
        mut look: impl FnMut(Option<Pair>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let fingerprints: Vec<Vec<Fingerprint>> =
            self.listings.iter().map(Listing::fingerprints).collect();
        let index = index(&fingerprints);
        let mut seeds: Vec<Vec<[u32; 2]>> = vec![Vec::new(); self.listings.len()];
        for (first, fingerprints) in fingerprints.iter().enumerate() {
            for fingerprint in fingerprints {
                let places = index.get(&fingerprint.hash).map_or(&[][..], Vec::as_slice);
                let after = places.partition_point(|(program, _)| *program as usize <= first);
                for &(second, place) in &places[after..] {
                    seeds[second as usize].push([fingerprint.place, place]);
                }
            }
            for (second, seeds) in
                seeds.iter_mut().enumerate().filter(|(_, seeds)| !seeds.is_empty())
            {
                look(self.pair(first, second, seeds))?;
                seeds.clear();
            }
        }
        ControlFlow::Continue(())
    }

    /// The common regions of two programs; `None` if there are none.
    fn pair(&self, first: usize, second: usize, seeds: &mut [[u32; 2]]) -> Option<Pair> {
        let tiles = tile([&self.listings[first], &self.listings[second]], seeds);
        let matched = tiles.iter().map(|tile| tile.tokens).sum::<usize>();
        let [own, other] = [first, second].map(|program| self.extents[program].own);
        (matched > 0).then(|| Pair {
            first,
            second,
            matched,
            of_smaller: matched as f64 / own.min(other) as f64,
            of_both: 2.0 * matched as f64 / (own + other) as f64,
            regions: tiles.iter().map(|tile| self.region([first, second], tile)).collect(),
        })
    }

    fn region(&self, programs: [usize; 2], tile: &Tile) -> Region {
        let [first, second] = [0, 1].map(|side| {
            let start = tile.places[side];
            let (source, [from, to]) =
                self.listings[programs[side]].lines(start..start + tile.tokens);
            Place { source, lines: from..=to }
        });
        Region { tokens: tile.tokens, first, second }
    }
}

/// The fingerprints of code that too many programs have for it to tell anything.
fn common(listings: &[Listing]) -> FxHashSet<u64> {
    let mut programs: FxHashMap<u64, usize> = FxHashMap::default();
    for listing in listings {
        let hashes = listing.fingerprints().into_iter().map(|fingerprint| fingerprint.hash);
        for hash in hashes.collect::<FxHashSet<u64>>() {
            *programs.entry(hash).or_default() += 1;
        }
    }
    let most = (listings.len() * COMMON_PERCENT / 100).clamp(NEVER_COMMON, ALWAYS_COMMON);
    programs.into_iter().filter(|(_, programs)| *programs > most).map(|(hash, _)| hash).collect()
}

/// The places of all fingerprints.
fn index(fingerprints: &[Vec<Fingerprint>]) -> Index {
    let mut index = Index::default();
    for (program, fingerprints) in fingerprints.iter().enumerate() {
        for fingerprint in fingerprints {
            let places = index.entry(fingerprint.hash).or_default();
            places.push((program as u32, fingerprint.place));
        }
    }
    index
}
