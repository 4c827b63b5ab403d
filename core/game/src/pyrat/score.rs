//! Shares of cheese.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign};

use crate::pyrat::Maze;

/// Exact amount of cheese that a rat has eaten (*score*).
///
/// Counted in units of which every share among up to [`Score::SHARES`] rats is a whole number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(u64);

impl Score {
    /// Maximum number of rats that share a piece of cheese.
    pub const SHARES: u64 = 26;

    /// Units of a whole piece: the least common multiple of 1 to [`Score::SHARES`].
    pub const PIECE: u64 = {
        let mut multiple = 1;
        let mut share = 1;
        while share <= Self::SHARES {
            let (mut a, mut b) = (multiple, share);
            while b > 0 {
                (a, b) = (b, a % b);
            }
            multiple *= share / a;
            share += 1;
        }
        multiple
    };

    /// The score of whole pieces.
    #[must_use]
    pub const fn pieces(count: u32) -> Self {
        Self(count as u64 * Self::PIECE)
    }

    /// `count` of the `parts` of a piece, so that `fraction(1, rats)` is the share of each of 1 to [`Score::SHARES`] rats; `None` if
    /// a part is no whole number of units, or the score exceeds that of any game.
    pub fn fraction(count: u64, parts: u64) -> Option<Self> {
        const MOST: u64 = Score::PIECE * (Maze::MAX_SIDE as u64).pow(2);
        let part = Self::PIECE.checked_div(parts).filter(|part| part * parts == Self::PIECE)?;
        part.checked_mul(count).filter(|&score| score <= MOST).map(Self)
    }

    /// The score in units, of which [`Score::PIECE`] are a piece.
    pub const fn units(self) -> u64 {
        self.0
    }

    /// The difference to a smaller score; 0 if the other score is larger.
    #[must_use]
    pub const fn saturating_sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }

    /// The score in pieces, rounded. The scores of a game are equal only if these numbers are, but sums and differences of these
    /// numbers are not: they depend on the order.
    #[expect(clippy::cast_precision_loss, reason = "need not be exact")]
    pub fn as_f64(self) -> f64 {
        self.0 as f64 / Self::PIECE as f64
    }
}

/// Writes a reduced fraction, such as `3` or `7/2`.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mut divisor, mut rest) = (self.0, Self::PIECE);
        while rest > 0 {
            (divisor, rest) = (rest, divisor % rest);
        }
        match Self::PIECE / divisor {
            1 => write!(f, "{}", self.0 / divisor),
            below => write!(f, "{}/{below}", self.0 / divisor),
        }
    }
}

impl Add for Score {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl AddAssign for Score {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sum for Score {
    fn sum<I: Iterator<Item = Self>>(scores: I) -> Self {
        scores.fold(Self::default(), Add::add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_of_a_piece_make_a_piece() {
        for rats in 1..=Score::SHARES {
            let all: Option<Score> = (0..rats).map(|_| Score::fraction(1, rats)).sum();
            assert_eq!(all, Some(Score::pieces(1)), "{rats}");
        }
        assert_eq!([0, 27].map(|rats| Score::fraction(1, rats)), [None, None]);
    }

    #[test]
    fn scores_are_reduced_fractions() {
        let share = |rats| Score::fraction(1, rats).unwrap();
        let shown = |scores: &[Score]| scores.iter().copied().sum::<Score>().to_string();
        assert_eq!(shown(&[]), "0");
        assert_eq!(shown(&[Score::pieces(21)]), "21");
        assert_eq!(shown(&[Score::pieces(3), share(2)]), "7/2");
        assert_eq!(shown(&[share(3), share(6)]), "1/2");
    }
}
