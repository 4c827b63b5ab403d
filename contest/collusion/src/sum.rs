//! The exact distribution of a sum of independent whole numbers.

/// Probabilities below this one are left out at both ends.
const NEGLIGIBLE: f64 = 1e-30;

/// The distribution of a sum of independent whole numbers from 0.
#[derive(Clone, Debug)]
pub(crate) struct Sum {
    /// The smallest sum with a probability.
    first: usize,
    /// The probabilities of the sums from the smallest one on.
    chances: Vec<f64>,
}

impl Sum {
    /// The distribution of no numbers: the sum is 0.
    pub(crate) fn new() -> Self {
        Self { first: 0, chances: vec![1.0] }
    }

    /// Adds a number that has one of these values, each with its probability. Costs O(sums).
    pub(crate) fn add(&mut self, values: &[(u32, f64)]) {
        let least = values.iter().map(|(value, _)| *value).min().unwrap_or(0);
        let most = values.iter().map(|(value, _)| *value).max().unwrap_or(0);
        let mut chances = vec![0.0; self.chances.len() + (most - least) as usize];
        for (value, chance) in values {
            let from = (value - least) as usize;
            for (place, before) in chances[from..].iter_mut().zip(&self.chances) {
                *place += before * chance;
            }
        }
        let is_left = |chance: &f64| *chance >= NEGLIGIBLE;
        let start = chances.iter().position(is_left).unwrap_or(0);
        let end = chances.iter().rposition(is_left).map_or(chances.len(), |last| last + 1);
        chances.truncate(end);
        chances.drain(..start);
        self.first += least as usize + start;
        self.chances = chances;
    }

    /// The probability of a sum of at most this one, and that of less than it.
    pub(crate) fn up_to(&self, sum: u32) -> [f64; 2] {
        let below = (sum as usize).saturating_sub(self.first).min(self.chances.len());
        let less: f64 = self.chances[..below].iter().sum();
        let equal = (sum as usize).checked_sub(self.first).and_then(|at| self.chances.get(at));
        let up_to = less + equal.copied().unwrap_or(0.0);
        // Sums that were left out have a smaller probability than this.
        [up_to.clamp(NEGLIGIBLE, 1.0), less.clamp(0.0, 1.0)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_have_their_probabilities() {
        let mut sum = Sum::new();
        for _ in 0..3 {
            sum.add(&[(2, 0.5), (1, 0.25), (1, 0.25)]);
        }
        let is_near = |[up_to, less]: [f64; 2], expected: [f64; 2]| {
            (up_to - expected[0]).abs() < 1e-12 && (less - expected[1]).abs() < 1e-12
        };
        assert!(is_near(sum.up_to(3), [0.125, 0.0]));
        assert!(is_near(sum.up_to(4), [0.5, 0.125]));
        assert!(is_near(sum.up_to(7), [1.0, 1.0]));
        assert!(sum.up_to(0)[0] <= NEGLIGIBLE, "never 0, so that it has a deviation");
        for _ in 0..2000 {
            sum.add(&[(0, 0.9), (24, 0.1)]);
        }
        assert!(sum.chances.len() < 24 * 500, "what is negligible is left out");
    }
}
