//! Random draws, defined down to the bits of the generator, so that a seed gives the same maze on every machine and with
//! every version of a library.

use rand_core::Rng;

/// Draws (*tirages*) that use the bits of a generator sparingly: 64 bits are drawn at a time, and each draw takes the bits
/// that it needs.
#[derive(Debug)]
pub struct Draws<'r, R> {
    rng: &'r mut R,
    /// The unused bits of the last 64, lowest first.
    bits: u64,
    left: u32,
}

impl<'r, R: Rng> Draws<'r, R> {
    /// Draws from this generator.
    pub fn new(rng: &'r mut R) -> Self {
        Self { rng, bits: 0, left: 0 }
    }

    /// Draws 64 bits at once, for 64 coin tosses.
    #[inline]
    pub fn word(&mut self) -> u64 {
        self.rng.next_u64()
    }

    /// Draws a number of `count` bits, 1 to 32.
    #[inline]
    pub fn bits(&mut self, count: u32) -> u32 {
        if self.left < count {
            self.bits = self.rng.next_u64();
            self.left = u64::BITS;
        }
        let drawn = self.bits & ((1 << count) - 1);
        self.bits >>= count;
        self.left -= count;
        drawn as u32
    }

    /// Draws an integer below `n` uniformly; `n` is at least 1.
    ///
    /// D. Lemire, *Fast random integer generation in an interval*, 2019: one multiplication, and rarely a division.
    #[inline]
    pub fn below(&mut self, n: u32) -> u32 {
        let mut product = u64::from(self.bits(32)) * u64::from(n);
        if (product as u32) < n {
            let unfair = n.wrapping_neg() % n;
            while (product as u32) < unfair {
                product = u64::from(self.bits(32)) * u64::from(n);
            }
        }
        (product >> 32) as u32
    }

    /// Permutes the items uniformly (Fisher–Yates shuffle).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            // Always fits: no list has 2³² items.
            items.swap(last, self.below(last as u32 + 1) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_core::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    #[test]
    fn bits_come_lowest_first_and_are_not_split_over_two_words() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let [first, second] = [rng.clone().next_u64(), {
            let mut rng = rng.clone();
            rng.next_u64();
            rng.next_u64()
        }];
        let mut draws = Draws::new(&mut rng);
        assert_eq!(u64::from(draws.bits(32)), first & 0xffff_ffff);
        assert_eq!(u64::from(draws.bits(30)), first >> 32 & 0x3fff_ffff);
        assert_eq!(u64::from(draws.bits(3)), second & 7, "two bits were left");
        assert_eq!(u64::from(draws.bits(1)), second >> 3 & 1);
    }

    #[test]
    fn numbers_below_are_all_as_likely() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
        let mut draws = Draws::new(&mut rng);
        for n in [1, 2, 3, 12] {
            let mut counts = vec![0_i32; n as usize];
            for _ in 0..12_000 {
                counts[draws.below(n) as usize] += 1;
            }
            let expected = 12_000 / n.cast_signed();
            // Five standard deviations.
            let most = 5 * f64::from(expected).sqrt() as i32;
            assert!(counts.iter().all(|count| (count - expected).abs() <= most), "{counts:?}");
        }
        // For `n` = 3 · 2³⁰, a biased draw gives one number in three twice as often.
        let low = (0..3000).filter(|_| draws.below(3 << 30).is_multiple_of(3)).count();
        assert!((860..1140).contains(&low), "{low}");
    }

    #[test]
    fn shuffles_give_each_order_as_often() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
        let mut draws = Draws::new(&mut rng);
        let mut counts = std::collections::BTreeMap::new();
        for _ in 0..6000 {
            let mut items = [0, 1, 2];
            draws.shuffle(&mut items);
            *counts.entry(items).or_insert(0) += 1;
        }
        assert_eq!(counts.len(), 6);
        assert!(counts.values().all(|count| (850..1150).contains(count)), "{counts:?}");
    }
}
