//! Is the larger one of two samples larger by chance? The test of Mann and Whitney (1947), and the
//! correction of Holm (1979) for many tests.

use statrs::function::erf::erfc;

/// The result of the test for two samples (*test de Mann-Whitney*).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MannWhitney {
    /// Number of pairs, one value of each sample, whose first value is larger; equal values count a half.
    pub u: f64,
    /// The two-sided p-value: the chance of such a difference between samples of one distribution, by the
    /// normal approximation, corrected for ties and for continuity. Too large for samples below ten.
    pub p: f64,
    /// The share of the pairs whose first value is larger, 0 to 1: the common language effect size of
    /// `McGraw` and Wong (1992).
    pub first_is_larger: f64,
}

impl MannWhitney {
    /// Tests two non-empty samples. O(n·log n) for n values.
    #[must_use]
    pub fn test<T: Ord + Copy>(first: &[T], second: &[T]) -> Self {
        let tagged = |sample: &[T], is_first| -> Vec<_> {
            sample.iter().map(move |&value| (value, is_first)).collect()
        };
        let mut all = [tagged(first, true), tagged(second, false)].concat();
        all.sort_unstable();
        let mut below = 0.0;
        let (mut u, mut ties) = (0.0, 0.0);
        for equal in all.chunk_by(|a, b| a.0 == b.0) {
            let count = equal.len() as f64;
            let firsts = equal.iter().filter(|(_, is_first)| *is_first).count() as f64;
            u += firsts * (below + (count - firsts) / 2.0);
            below += count - firsts;
            ties += count * (count * count - 1.0);
        }
        let [n, m] = [first.len(), second.len()].map(|len| len as f64);
        let all = n + m;
        let variance = n * m / 12.0 * (all + 1.0 - ties / (all * (all - 1.0)));
        let from_middle = (u - n * m / 2.0).abs() - 0.5;
        let p = erfc(from_middle / (2.0 * variance).sqrt()).min(1.0);
        Self { u, p, first_is_larger: u / (n * m) }
    }

    /// The rank-biserial correlation: an effect size from −1, the first value is always smaller, to 1, it is
    /// always larger.
    pub fn rank_biserial(&self) -> f64 {
        2.0 * self.first_is_larger - 1.0
    }
}

/// Corrects the p-values of many tests: the probability that any of them is below a level by mere chance
/// is at most that level.
pub fn holm(chances: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..chances.len()).collect();
    order.sort_by(|&a, &b| chances[a].total_cmp(&chances[b]));
    let mut corrected = vec![0.0; chances.len()];
    let mut least = 0.0_f64;
    for (before, &index) in order.iter().enumerate() {
        least = least.max(chances[index] * (chances.len() - before) as f64).min(1.0);
        corrected[index] = least;
    }
    corrected
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "whole numbers and the same sums")]
mod tests {
    use super::*;

    /// `len` numbers below `scale` from a fixed sequence, moved by `shift`.
    fn sample((len, seed, scale, shift): (usize, u32, u32, u32)) -> Vec<u32> {
        let step = |x: &u32| Some(x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223));
        let drawn = std::iter::successors(Some(seed), step).skip(1);
        drawn.map(|x| (x >> 16) % scale + shift).take(len).collect()
    }

    /// The results of `scipy.stats.mannwhitneyu` of version 1.17.1 for the same samples.
    #[test]
    fn figures_are_those_of_scipy() {
        let cases = [
            ((12, 7, 10, 0), (9, 8, 10, 3), 21.5, 0.021_727_322_917_892_82),
            ((200, 1, 30, 0), (150, 2, 30, 3), 13298.5, 0.069_198_786_526_849_33),
            ((1000, 3, 500, 0), (1000, 4, 500, 0), 495_239.5, 0.712_413_099_421_954_3),
            ((1000, 3, 5, 0), (1000, 4, 5, 0), 480_725.0, 0.127_631_404_380_161_5),
            ((1000, 5, 500, 50), (700, 6, 500, 0), 407_789.0, 6.576_537_332_480_813e-9),
            ((1000, 5, 500, 400), (1000, 6, 500, 0), 981_486.5, 2.717_426_285_700_026_7e-304),
            ((20, 5, 1, 7), (30, 6, 1, 7), 300.0, 1.0),
        ];
        for (first, second, u, p) in cases {
            let (first, second) = (sample(first), sample(second));
            let test = MannWhitney::test(&first, &second);
            assert_eq!(test.u, u);
            assert!((test.p / p - 1.0).abs() < 1e-9, "{} instead of {p}", test.p);
            let back = MannWhitney::test(&second, &first);
            assert_eq!(back.p, test.p);
            assert_eq!(back.u + test.u, (first.len() * second.len()) as f64);
        }
    }

    #[test]
    fn effects_are_shares_of_pairs() {
        // 1, 4 and 4 against 2 and 4: larger in two of six pairs, equal in two.
        let test = MannWhitney::test(&[1, 4, 4], &[2, 4]);
        assert_eq!((test.u, test.first_is_larger), (3.0, 0.5));
        assert_eq!(MannWhitney::test(&[5, 6], &[1, 2, 3]).rank_biserial(), 1.0);
    }

    #[test]
    fn the_least_chance_of_many_is_multiplied_most() {
        assert_eq!(holm(&[0.03, 0.01, 0.5, 0.25]), [0.09, 0.04, 0.5, 0.5]);
        assert_eq!(holm(&[0.9, 0.8]), [1.0, 1.0]);
        assert!(holm(&[]).is_empty());
    }
}
