//! A log-linear policy that is fitted to the moves of a piece while the game is played.
//!
//! The probability of a move is proportional to the exponential of a weighted sum of its features: multinomial logistic regression,
//! with the gradient steps of Robbins and Monro, “A Stochastic Approximation Method”, 1951.

use std::collections::VecDeque;

/// Number of features of a move.
pub(super) const FEATURES: usize = 29;
/// Moves of a piece: the four directions, by index, and to stay.
pub(super) const MOVES: usize = 5;
/// Index of the move to stay.
pub(super) const STAY: usize = 4;
/// Observed moves that are kept to learn from.
const KEPT: usize = 192;
/// Share by which the weights return to where they began, for each step.
const PULL: f32 = 0.003;

/// The moves that a piece may choose from, with what is known of each.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    /// Features of each move.
    pub features: [[f32; FEATURES]; MOVES],
    /// True for each move that is no false one, and for staying.
    pub is_legal: [bool; MOVES],
}

impl Choice {
    /// No legal move.
    pub(super) const NONE: Self =
        Self { features: [[0.0; FEATURES]; MOVES], is_legal: [false; MOVES] };
}

/// The first weights of the policy of a kind of piece, and its learning rate.
#[derive(Debug)]
pub(super) struct Prior {
    pub weights: [f32; FEATURES],
    /// Length of a step along the gradient.
    pub rate: f32,
}

/// The policy of a piece.
#[derive(Clone, Debug)]
pub(super) struct Fitted {
    prior: &'static Prior,
    weights: [f32; FEATURES],
    seen: VecDeque<(Choice, usize)>,
}

impl Fitted {
    pub(super) fn new(prior: &'static Prior) -> Self {
        Self { prior, weights: prior.weights, seen: VecDeque::new() }
    }

    /// Probability of each move.
    pub(super) fn probabilities(&self, choice: &Choice) -> [f32; MOVES] {
        let mut worth = [f32::MIN; MOVES];
        for (worth, (features, is_legal)) in
            worth.iter_mut().zip(choice.features.iter().zip(choice.is_legal))
        {
            if is_legal {
                *worth = features.iter().zip(&self.weights).map(|(f, w)| f * w).sum();
            }
        }
        let most = worth.iter().copied().fold(f32::MIN, f32::max);
        let shares = worth.map(|worth| libm::expf(worth - most));
        let sum: f32 = shares.iter().sum();
        shares.map(|share| share / sum)
    }

    /// The gradient of the log-likelihood of a move: its features, less those that are expected.
    pub(super) fn errors(&self, choice: &Choice, chosen: usize) -> [f32; FEATURES] {
        let mut errors = choice.features[chosen];
        for (features, share) in choice.features.iter().zip(self.probabilities(choice)) {
            for (error, feature) in errors.iter_mut().zip(features) {
                *error -= share * feature;
            }
        }
        errors
    }

    #[cfg(test)]
    pub(super) fn set(&mut self, weights: [f32; FEATURES]) {
        self.weights = weights;
    }

    /// Learns from a move, and once more from those before it.
    pub(super) fn learn(&mut self, choice: &Choice, chosen: usize) {
        if !choice.is_legal[chosen] {
            return;
        }
        if self.seen.len() == KEPT {
            self.seen.pop_front();
        }
        self.seen.push_back((*choice, chosen));
        for at in 0..self.seen.len() {
            let (choice, chosen) = &self.seen[at];
            let errors = self.errors(choice, *chosen);
            let weights = self.weights.iter_mut().zip(self.prior.weights);
            for ((weight, first), error) in weights.zip(errors) {
                *weight += self.prior.rate * error + PULL * (first - *weight);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A choice between two directions and staying; the second direction has another feature than the first one.
    fn choice(first: usize) -> Choice {
        let mut choice = Choice::NONE;
        for (index, feature) in [(first, 0), (3 - first, 1), (STAY, 2)] {
            choice.is_legal[index] = true;
            choice.features[index][feature] = 1.0;
        }
        choice
    }

    #[test]
    fn a_habit_is_learned_and_only_legal_moves_are_foreseen() {
        static PRIOR: Prior = Prior { weights: [0.0; FEATURES], rate: 0.06 };
        let mut fitted = Fitted::new(&PRIOR);
        assert!((fitted.probabilities(&choice(1))[1] - 1.0 / 3.0).abs() < 1e-6);
        // It always takes the direction with the second feature, whichever that is.
        for turn in 0..60 {
            let first = 1 + turn % 2;
            fitted.learn(&choice(first), 3 - first);
        }
        for first in [1, 2] {
            let shares = fitted.probabilities(&choice(first));
            assert!(shares[3 - first] > 0.8, "{shares:?}");
            assert!(shares[0] < 1e-6 && shares[3] < 1e-6, "{shares:?}");
        }
        // A false move teaches nothing.
        let before = fitted.probabilities(&choice(1));
        fitted.learn(&choice(1), 0);
        assert!(
            before.iter().zip(fitted.probabilities(&choice(1))).all(|(a, b)| (a - b).abs() < 1e-6)
        );
    }
}
