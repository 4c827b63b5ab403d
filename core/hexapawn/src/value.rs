//! Values of configurations.

use std::fmt;

/// The value of a configuration for the player to move (*valeur*): `+k` wins in k plies and `-k` loses in
/// k plies, if the winner hurries and the loser delays; `0` is lost already.
///
/// `Display` prints the value as the contest does: in decimal, without a `+`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Value(i16);

impl Value {
    /// Lost already: no move is left, or an opposing pawn has arrived.
    pub const LOST: Self = Self(0);

    /// The value of a configuration from those of its successors.
    #[must_use]
    pub fn of_successors(values: impl IntoIterator<Item = Self>) -> Self {
        values.into_iter().map(Self::before).max_by_key(|value| value.rank()).unwrap_or(Self::LOST)
    }

    /// Tests if the player to move wins.
    pub fn is_win(self) -> bool {
        self.0 > 0
    }

    /// Number of remaining plies with best play.
    pub fn plies(self) -> u16 {
        self.0.unsigned_abs()
    }

    /// The value as a number.
    pub fn get(self) -> i16 {
        self.0
    }

    /// The value of a move that leads to a configuration of this value, for the player who moves.
    fn before(self) -> Self {
        if self.is_win() { Self(-self.0 - 1) } else { Self(-self.0 + 1) }
    }

    /// The rank of the value: the player to move prefers higher ranks.
    pub(super) fn rank(self) -> Rank {
        if self.is_win() { Rank(Rank::BEST - self.0) } else { Rank(-Rank::BEST - self.0) }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A value as a number that grows with the preference of the player to move: losses below 0, late losses
/// above early ones; wins above 0, early wins above late ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rank(i16);

impl Rank {
    /// More than any number of plies: each ply advances a pawn, and on a column of 64 cells all pawns together
    /// have less than 64 · 63 / 2 lines ahead of them.
    const BEST: i16 = 1 << 12;
    /// A rank that every value reaches.
    pub(super) const LOWEST: Self = Self(-Self::BEST);
    /// A rank that no value reaches.
    pub(super) const UNREACHED: Self = Self(Self::BEST);
    /// The lowest rank of a win.
    pub(super) const WIN: Self = Self(1);

    pub(super) fn win_in(plies: i16) -> Self {
        Self(Self::BEST - plies)
    }

    pub(super) fn loss_in(plies: i16) -> Self {
        Self(plies - Self::BEST)
    }

    pub(super) fn above(self) -> Self {
        Self(self.0 + 1)
    }

    /// The refutation of a move at this rank: the move has at least this rank if and only if the configuration
    /// after it has less than the returned rank.
    pub(super) fn refutation(self) -> Self {
        if self >= Self::WIN { Self(-self.0) } else { Self(2 - self.0) }
    }

    pub(super) fn value(self) -> Value {
        if self >= Self::WIN { Value(Self::BEST - self.0) } else { Value(-Self::BEST - self.0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wins_come_early_and_losses_late() {
        for (successors, expected) in [
            (&[][..], 0),
            (&[0], 1),
            (&[3, 0, -2], 1),
            (&[5, -4, -2, 1], 3),
            (&[1], -2),
            (&[1, 7, 3], -8),
        ] {
            let value = Value::of_successors(successors.iter().map(|&value| Value(value)));
            assert_eq!(value, Value(expected), "{successors:?}");
        }
    }

    #[test]
    fn ranks_order_values_and_their_refutations() {
        let values = [0, -2, -4, -98, 99, 5, 3, 1].map(Value);
        assert!(values.map(Value::rank).is_sorted());
        for value in values {
            assert_eq!(value.rank().value(), value);
            for wanted in values {
                let refuted = value.rank() < wanted.rank().refutation();
                assert_eq!(value.before().rank() >= wanted.rank(), refuted, "{value} {wanted}");
            }
        }
    }
}
