//! A sequential test on pairs of games that a new version of a bot is better than an old one.
//!
//! Two versions of a bot meet in pairs of games: same map, same seed, swapped seats. The two games of a pair depend on
//! each other, so the pair is the unit. Its score is the share of its duels that the new version won: 0, ¼, ½, ¾ or 1.
//!
//! [`PairedTest`] is a test by betting (Waudby-Smith and Ramdas, *Estimating means of bounded random variables by
//! betting*, JRSS B, 2024). For each hypothesis, a gambler starts with a capital of 1 and bets against it, before each
//! pair, a stake that follows from the earlier pairs alone. The capital is multiplied by 1 + λ(score − mean), which
//! does not grow on average while the hypothesis holds. By Ville's inequality it then ever reaches 1/α with
//! probability α at most. This holds for scores of any distribution, after any number of pairs, and for any reason to
//! stop; no normal approximation is needed.

/// Limit of each of the two errors of a [`PairedTest`].
pub const ERROR: f64 = 0.05;

/// The largest loss that a gambler risks in one bet, as a fraction of its capital.
const LARGEST_LOSS: f64 = 0.75;
/// Number of steps from 0 to 1 in the grid of means for an interval.
const GRID: u32 = 400;

/// A sequential test of whether a new version wins more than half of its duels.
///
/// ```
/// use rating::paired::{PairedTest, TestVerdict};
///
/// let mut test = PairedTest::new(0.6);
/// while test.verdict() == TestVerdict::Open {
///     test.add(1.0);
/// }
/// assert_eq!((test.verdict(), test.pairs() < 20), (TestVerdict::Better, true));
/// ```
#[derive(Clone, Debug)]
pub struct PairedTest {
    bound: f64,
    scores: Vec<f64>,
    better: Gambler,
    not_better: Gambler,
    verdict: TestVerdict,
}

/// The verdict of a [`PairedTest`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestVerdict {
    /// No verdict yet.
    Open,
    /// The new version wins more than half of its duels. Wrong with probability [`ERROR`] at most.
    Better,
    /// The new version wins less than the bound. Wrong with probability [`ERROR`] at most.
    NotBetter,
}

impl PairedTest {
    /// A test without pairs. It must not miss a new version that wins the share `bound` of its duels or more.
    ///
    /// # Panics
    ///
    /// Unless `bound` is above ½ and below 1.
    #[must_use]
    pub fn new(bound: f64) -> Self {
        assert!(bound > 0.5 && bound < 1.0, "the bound {bound} is not above ½ and below 1");
        // True leads of half of `bound` − ½ still reach a verdict.
        let least_gap = (bound - 0.5) / 2.0;
        Self {
            bound,
            scores: Vec::new(),
            better: Gambler::new(0.5, least_gap),
            not_better: Gambler::new(1.0 - bound, least_gap),
            verdict: TestVerdict::Open,
        }
    }

    /// Adds the score of a pair, from 0 to 1. The first verdict is final.
    pub fn add(&mut self, score: f64) {
        let score = score.clamp(0.0, 1.0);
        self.scores.push(score);
        self.better.bet(score);
        self.not_better.bet(1.0 - score);
        if self.verdict == TestVerdict::Open {
            self.verdict = match self.evidence() {
                [better, _] if better >= 1.0 / ERROR => TestVerdict::Better,
                [_, not_better] if not_better >= 1.0 / ERROR => TestVerdict::NotBetter,
                _ => TestVerdict::Open,
            };
        }
    }

    /// The verdict so far.
    pub fn verdict(&self) -> TestVerdict {
        self.verdict
    }

    /// Tests if the new version wins less than half of its duels; wrong with probability [`ERROR`] at most.
    pub fn is_worse(&self) -> bool {
        let limit = (1.0 / ERROR).ln();
        let mut gambler = Gambler::new(0.5, self.better.least_gap);
        self.scores.iter().any(|score| {
            gambler.bet(1.0 - score);
            gambler.log_capital >= limit
        })
    }

    /// The share of duels from which on a new version must not be missed.
    pub fn bound(&self) -> f64 {
        self.bound
    }

    /// The number of pairs so far.
    pub fn pairs(&self) -> usize {
        self.scores.len()
    }

    /// The current evidence for "better" and for "not better": the capitals of two gamblers. Each starts at 1; a verdict
    /// needs 1 / [`ERROR`].
    pub fn evidence(&self) -> [f64; 2] {
        [&self.better, &self.not_better].map(|gambler| gambler.log_capital.exp())
    }

    /// The mean score; ½ before the first pair.
    #[expect(clippy::cast_precision_loss, reason = "fewer than 2⁵² pairs")]
    pub fn mean(&self) -> f64 {
        match self.scores.len() {
            0 => 0.5,
            pairs => self.scores.iter().sum::<f64>() / pairs as f64,
        }
    }

    /// A confidence interval around the mean: it holds the true mean after every pair at once with probability 1 − [`ERROR`]
    /// at least, so it is valid at any time. Cost: O(pairs).
    pub fn interval(&self) -> (f64, f64) {
        let low = self.limit(|score| score);
        let high = 1.0 - self.limit(|score| 1.0 - score);
        (low.min(self.mean()), high.max(self.mean()))
    }

    /// The lower limit of the interval: the last mean of the grid that the scores, mapped by `side`, refute.
    fn limit(&self, side: impl Fn(f64) -> f64) -> f64 {
        let means = (0..GRID).map(|step| f64::from(step) / f64::from(GRID));
        means.take_while(|&mean| self.refutes(mean, &side)).last().unwrap_or(0.0)
    }

    /// Tests if the scores, mapped by `side`, show that their mean is larger than `mean`.
    fn refutes(&self, mean: f64, side: impl Fn(f64) -> f64) -> bool {
        let mut gambler = Gambler::new(mean, 0.0);
        self.scores.iter().any(|&score| {
            gambler.bet(side(score));
            gambler.log_capital >= (2.0 / ERROR).ln()
        })
    }
}

/// A gambler who bets that the mean score is above `mean`.
#[derive(Clone, Debug)]
struct Gambler {
    mean: f64,
    /// Minimum gap between the true mean and `mean` that the stakes assume.
    least_gap: f64,
    log_capital: f64,
    bets: f64,
    /// Sum of the scores.
    sum: f64,
    /// Sum of the squared distances of each score to the estimated mean after it.
    squares: f64,
}

impl Gambler {
    fn new(mean: f64, least_gap: f64) -> Self {
        Self { mean, least_gap, log_capital: 0.0, bets: 0.0, sum: 0.0, squares: 0.0 }
    }

    /// Bets on a score, and updates the estimates only afterwards.
    fn bet(&mut self, score: f64) {
        self.log_capital += (self.stake() * (score - self.mean)).ln_1p();
        self.bets += 1.0;
        self.sum += score;
        let distance = score - self.estimate();
        self.squares += distance * distance;
    }

    /// The stake λ that lets the capital grow fastest for the mean and the variance of the scores so far.
    fn stake(&self) -> f64 {
        let gap = (self.estimate() - self.mean).max(self.least_gap);
        let variance = (0.25 + self.squares) / (self.bets + 1.0);
        let best = gap / (variance + gap * gap);
        match self.mean {
            0.0 => best,
            mean => best.min(LARGEST_LOSS / mean),
        }
    }

    /// The mean of the scores so far and one more score of ½.
    fn estimate(&self) -> f64 {
        (self.sum + 0.5) / (self.bets + 1.0)
    }
}

#[cfg(test)]
#[expect(clippy::cast_precision_loss, reason = "small")]
mod tests {
    use super::*;
    use crate::bootstrap::Random;

    /// Pairs after which a comparison gives up.
    const MOST: usize = 500;

    /// Probabilities of the scores 0, ¼, ½, ¾ and 1.
    type Scores = [f64; 5];

    fn mean(scores: Scores) -> f64 {
        scores.iter().zip([0.0, 0.25, 0.5, 0.75, 1.0]).map(|(p, score)| p * score).sum()
    }

    /// The scores of pairs whose duels are won with probability `win` unless they are drawn; with probability
    /// `together`, both games of a pair end alike.
    fn pair(win: f64, draw: f64, together: f64) -> Scores {
        let [w, d, l] = [win * (1.0 - draw), draw, (1.0 - win) * (1.0 - draw)];
        let apart = [l * l, 2.0 * l * d, d * d + 2.0 * w * l, 2.0 * w * d, w * w];
        let alike = [l, 0.0, d, 0.0, w];
        std::array::from_fn(|i| together * alike[i] + (1.0 - together) * apart[i])
    }

    fn draw(scores: Scores, random: &mut Random) -> f64 {
        let mut left = random.uniform();
        let index = scores.iter().position(|p| {
            left -= p;
            left <= 0.0
        });
        index.unwrap_or(4) as f64 / 4.0
    }

    /// The frequency of each verdict, and the mean number of pairs.
    #[derive(Debug, Default)]
    struct Found {
        better: f64,
        not_better: f64,
        outside: f64,
        pairs: f64,
    }

    fn simulate(scores: Scores, bound: f64, runs: u32, seed: u64) -> Found {
        let mut random = Random::new(seed);
        let mut found = Found::default();
        let one = 1.0 / f64::from(runs);
        for _ in 0..runs {
            let mut test = PairedTest::new(bound);
            while test.verdict() == TestVerdict::Open && test.pairs() < MOST {
                test.add(draw(scores, &mut random));
            }
            let truth = mean(scores);
            let is_outside = test.refutes(truth, |x| x) || test.refutes(1.0 - truth, |x| 1.0 - x);
            found.outside += if is_outside { one } else { 0.0 };
            found.pairs += one * test.pairs() as f64;
            match test.verdict() {
                TestVerdict::Better => found.better += one,
                TestVerdict::NotBetter => found.not_better += one,
                TestVerdict::Open => {}
            }
        }
        found
    }

    /// The errors for equal versions and for versions better by the bound, with several kinds of games.
    #[test]
    fn both_errors_are_rare_and_the_interval_holds() {
        let runs = 200;
        // Three standard deviations of the simulated frequency above the limit.
        let most = ERROR + 3.0 * (ERROR * (1.0 - ERROR) / f64::from(runs)).sqrt();
        let mut seed = 0;
        for bound in [0.55, 0.6, 0.7] {
            for (kind, draws, together) in [
                ("independent games", 0.0, 0.0),
                ("games that end alike", 0.0, 1.0),
                ("half of them drawn", 0.5, 0.3),
                ("nearly always drawn", 0.8, 0.0),
            ] {
                let win = 0.5 + (bound - 0.5) / (1.0 - draws);
                if win > 1.0 {
                    continue;
                }
                for (win, mean) in [(0.5, 0.5), (win, bound)] {
                    let scores = pair(win, draws, together);
                    assert!((self::mean(scores) - mean).abs() < 1e-9);
                    seed += 1;
                    let found = simulate(scores, bound, runs, seed);
                    let error = if mean > 0.5 { found.not_better } else { found.better };
                    assert!(error <= most, "bound {bound}, {kind}, mean {mean}: {found:?}");
                    assert!(found.outside <= most, "bound {bound}, {kind}, mean {mean}: {found:?}");
                }
            }
        }
    }

    /// Under its hypothesis, a capital stays positive and does not grow on average, whatever came before: by Ville's inequality,
    /// both errors are then at most [`ERROR`].
    #[test]
    fn capital_is_a_martingale_under_its_hypothesis() {
        let mut random = Random::new(1);
        for mean in [0.3, 0.4, 0.45, 0.5, 0.6] {
            for least_gap in [0.0, 0.05] {
                for history in [pair(0.2, 0.1, 0.5), pair(0.5, 0.5, 0.0), pair(0.9, 0.0, 0.2)] {
                    let mut gambler = Gambler::new(mean, least_gap);
                    for _ in 0..300 {
                        let next = pair(mean, 0.0, random.uniform());
                        assert!((self::mean(next) - mean).abs() < 1e-9);
                        let growth: f64 = (0_u8..)
                            .zip(next)
                            .map(|(quarters, p)| {
                                let mut later = gambler.clone();
                                later.bet(f64::from(quarters) / 4.0);
                                let factor = (later.log_capital - gambler.log_capital).exp();
                                assert!(factor >= 1.0 - LARGEST_LOSS - 1e-9, "{mean}: {factor}");
                                p * factor
                            })
                            .sum();
                        assert!((growth - 1.0).abs() < 1e-9, "{mean}, {gambler:?}: {growth}");
                        gambler.bet(draw(history, &mut random));
                    }
                }
            }
        }
    }

    #[test]
    fn paired_test_stops_early() {
        let found = |win| simulate(pair(win, 0.0, 0.0), 0.6, 200, 7);
        let (equal, better, far) = (found(0.5), found(0.6), found(0.8));
        assert!(equal.not_better > 0.85 && equal.pairs < 200.0, "{equal:?}");
        assert!(better.better > 0.85 && better.pairs < 200.0, "{better:?}");
        assert!(far.better > 0.99 && far.pairs < 30.0, "{far:?}");
    }

    #[test]
    fn identical_deterministic_versions_are_found_equal_at_once() {
        let mut test = PairedTest::new(0.6);
        while test.verdict() == TestVerdict::Open {
            test.add(0.5);
        }
        assert_eq!(test.verdict(), TestVerdict::NotBetter);
        assert!(!test.is_worse());
        assert!(test.pairs() < 60, "{}", test.pairs());
        let (low, high) = test.interval();
        assert!(low > 0.35 && low < 0.5 && high > 0.5 && high < 0.65, "{low} {high}");
    }

    #[test]
    fn paired_test_is_symmetric_and_knows_nothing_without_pairs() {
        assert_eq!(PairedTest::new(0.6).interval(), (0.0, 1.0));
        let [mut test, mut mirrored] = [PairedTest::new(0.6), PairedTest::new(0.6)];
        for score in [1.0, 0.75, 0.0, 1.0, 0.5, 1.0].repeat(3) {
            test.add(score);
            mirrored.add(1.0 - score);
        }
        let ((low, high), (other_low, other_high)) = (test.interval(), mirrored.interval());
        assert!((low - (1.0 - other_high)).abs() < 1e-9 && (high - (1.0 - other_low)).abs() < 1e-9);
        assert!(low > 0.0 && low < test.mean() && test.mean() < high);
        let mut worst = PairedTest::new(0.6);
        (0..10).for_each(|_| worst.add(0.0));
        assert!(worst.is_worse() && !test.is_worse());
    }
}
