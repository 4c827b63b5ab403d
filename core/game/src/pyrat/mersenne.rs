//! Random numbers as Python draws them.
#![cfg_attr(test, allow(clippy::float_cmp, reason = "the same numbers are wanted"))]

use rand_mt::Mt;

/// The generator of Python's module `random`: the Mersenne Twister MT19937, and on top of its 32-bit
/// outputs the draws of the reference interpreter, version 3.
#[derive(Clone, Debug)]
pub struct Mersenne(Mt);

impl Mersenne {
    /// `random.Random(seed)`.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let words = [seed as u32, (seed >> 32) as u32];
        let used = if words[1] == 0 { 1 } else { 2 };
        Self(Mt::new_with_key(words.into_iter().take(used)))
    }

    /// `random()`: from 0 to 1, without 1, a multiple of 2⁻⁵³.
    pub fn random(&mut self) -> f64 {
        let (high, low) = (self.0.next_u32() >> 5, self.0.next_u32() >> 6);
        (f64::from(high) * 67_108_864.0 + f64::from(low)) / 9_007_199_254_740_992.0
    }

    /// `randrange(n)`: an integer below `n`, all equally likely; `n` is at least 1.
    pub fn below(&mut self, n: u64) -> u64 {
        let bits = u64::BITS - n.leading_zeros();
        loop {
            let drawn = self.bits(bits);
            if drawn < n {
                return drawn;
            }
        }
    }

    /// `randint(least, most)`: an integer between the two, both included.
    pub fn between(&mut self, least: u16, most: u16) -> u16 {
        // Below the difference of two u16.
        least + self.below(u64::from(most - least) + 1) as u16
    }

    /// `shuffle`: all orders equally likely. There are fewer than 2³² items.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        let mut last = items.len().saturating_sub(1);
        while last > 0 {
            // Swaps each item with itself or one before it. Branch-free, as rejections are unpredictable: a rejected draw swaps
            // the item with itself and is repeated.
            let drawn = (self.0.next_u32() >> (last as u32 + 1).leading_zeros()) as usize;
            let fits = drawn <= last;
            items.swap(last, if fits { drawn } else { last });
            last -= usize::from(fits);
        }
    }

    /// `choices` of one among items with these weights, whole numbers that add up to `total`, which is
    /// from 1 to 2⁵³: its index.
    pub fn choice(&mut self, weights: impl IntoIterator<Item = u64>, total: u64) -> usize {
        // The sums are integers: a sum exceeds the draw if and only if it exceeds the draw's integer part.
        #[expect(clippy::cast_precision_loss, clippy::cast_sign_loss, reason = "exact, above 0")]
        let drawn = (self.random() * total as f64) as u64;
        let mut sum = 0;
        let not_above = |weight: &u64| {
            sum += weight;
            sum <= drawn
        };
        weights.into_iter().take_while(not_above).count()
    }

    /// `getrandbits(count)` for a `count` of at most 64.
    fn bits(&mut self, count: u32) -> u64 {
        let mut drawn = |count: u32| u64::from(self.0.next_u32() >> (32 - count));
        match count {
            0 => 0,
            1..=32 => drawn(count),
            _ => {
                let low = drawn(32);
                low | drawn(count - 32) << 32
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each figure is what Python 3.11 prints for the draws in the comment.
    #[test]
    fn draws_are_those_of_python() {
        // r = random.Random(42); r.random(), r.random()
        let mut random = Mersenne::new(42);
        assert_eq!(random.random(), 0.639_426_798_457_883_8);
        assert_eq!(random.random(), 0.025_010_755_222_666_936);
        // r = random.Random(0); [r.randrange(10) for _ in range(8)]
        let mut random = Mersenne::new(0);
        let drawn: Vec<u64> = (0..8).map(|_| random.below(10)).collect();
        assert_eq!(drawn, [6, 6, 0, 4, 8, 7, 6, 4]);
        // random.Random(2**40 + 7).randint(0, 2**63 - 1)
        assert_eq!(Mersenne::new((1 << 40) + 7).below(1 << 63), 4_627_263_377_227_786_602);
        // x = list(range(8)); random.Random(5).shuffle(x)
        let mut items = [0, 1, 2, 3, 4, 5, 6, 7];
        Mersenne::new(5).shuffle(&mut items);
        assert_eq!(items, [6, 3, 1, 0, 7, 2, 5, 4]);
        // r = random.Random(9); [r.choices("abcd", [1, 0, 5, 2])[0] for _ in range(6)]
        let mut random = Mersenne::new(9);
        let drawn: Vec<usize> = (0..6).map(|_| random.choice([1, 0, 5, 2], 8)).collect();
        assert_eq!(drawn, [2, 2, 2, 3, 0, 2]);
        // r = random.Random(3); [r.randint(4, 9) for _ in range(6)]
        let mut random = Mersenne::new(3);
        let drawn: Vec<u16> = (0..6).map(|_| random.between(4, 9)).collect();
        assert_eq!(drawn, [5, 8, 8, 5, 6, 8]);
    }
}
