//! Weights of the members of a family of policies, learned from the moves of the piece that may follow one of them.
//!
//! Bayes' rule, but in each turn all members share a part of all weight, for a program may do one thing now and another later:
//! the fixed share of Herbster and Warmuth, “Tracking the Best Expert”, Machine Learning 32, 1998.

use std::sync::LazyLock;

use game::pacman::{Cell, Direction};

use super::super::step::Step;

/// Number of sets of directions, and of orders in which a program may try them.
const SETS: usize = 16;
const ORDERS: usize = 24;
/// Probability that a piece does not make the move that its policy orders.
const SURPRISE: f32 = 0.05;
/// Part of all weight that all members share in each turn.
const SHARED: f32 = 0.01;

/// For each order, the first direction of each set, by index; 4 for the empty set.
static FIRST: LazyLock<[[usize; SETS]; ORDERS]> = LazyLock::new(|| {
    std::array::from_fn(|mut order| {
        let mut rest = vec![0, 1, 2, 3];
        let directions = [4, 3, 2, 1].map(|left| {
            let at = order % left;
            order /= left;
            rest.remove(at)
        });
        std::array::from_fn(|set| {
            directions.into_iter().find(|direction| set >> direction & 1 == 1).unwrap_or(4)
        })
    })
});

/// A set of moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Moves(u8);

impl Moves {
    /// The moves of the largest worth among those in some directions; worths that differ by rounding are equal.
    pub(super) fn best(worths: impl Iterator<Item = (Direction, f32)>) -> Self {
        let (mut best, mut most) = (Self::default(), f32::MIN);
        for (direction, worth) in worths {
            let rounding = 1e-5 * worth.abs();
            if worth > most + rounding {
                (best, most) = (Self::default(), worth);
            }
            if worth >= most - rounding {
                best.insert(direction);
            }
        }
        best
    }

    pub(super) fn insert(&mut self, direction: Direction) {
        self.0 |= 1 << direction.index();
    }
}

/// The members of a family.
#[derive(Clone, Debug)]
pub(super) struct Members {
    weights: Vec<f32>,
    /// Weights of the orders in which the program may try directions: it makes the first one of equally good moves.
    orders: [f32; ORDERS],
    /// The best moves in the eyes of each member; empty if nothing was foreseen.
    moves: Vec<Moves>,
    /// For each set of moves, the weight of the members in whose eyes it is best.
    by_moves: [f32; SETS],
    likeliest: usize,
}

impl Members {
    /// Equal weights.
    pub(super) fn new(number: usize) -> Self {
        let share = 1.0 / f32::from(u16::try_from(number).unwrap_or(u16::MAX));
        let orders = [1.0 / 24.0; ORDERS];
        let weights = vec![share; number];
        Self { weights, orders, moves: Vec::new(), by_moves: [0.0; SETS], likeliest: 0 }
    }

    /// Distribution of the next move of a piece. `ask` adds the best moves in the eyes of each member to a list.
    pub(super) fn foresee(&mut self, from: Cell, ask: impl FnOnce(&mut Vec<Moves>)) -> Step {
        self.moves.clear();
        ask(&mut self.moves);
        self.by_moves = self.weigh_moves();
        let mut step = Step { from, towards: [0.0; 4], stays: SURPRISE };
        for (weight, shares) in self.by_moves.into_iter().zip(self.shares()) {
            for (towards, share) in step.towards.iter_mut().zip(shares) {
                *towards += (1.0 - SURPRISE) * weight * share;
            }
        }
        step
    }

    /// Learns from the move that was foreseen. A piece that has stayed or was teleported teaches nothing.
    pub(super) fn observe(&mut self, chosen: Option<Direction>) {
        if let Some(chosen) = chosen.filter(|_| !self.moves.is_empty()) {
            let chosen = chosen.index();
            let shares = self.shares().map(|shares| shares[chosen]);
            let likelihoods = shares.map(|share| (1.0 - SURPRISE) * share + SURPRISE / 4.0);
            for (weight, moves) in self.weights.iter_mut().zip(&self.moves) {
                *weight *= likelihoods[usize::from(moves.0)];
            }
            share(&mut self.weights);
            for (weight, first) in self.orders.iter_mut().zip(&*FIRST) {
                let right = first.iter().zip(self.by_moves).filter(|(first, _)| **first == chosen);
                *weight *= SURPRISE + right.map(|(_, weight)| weight).sum::<f32>();
            }
            share(&mut self.orders);
            // The bits of positive numbers are in the order of the numbers, and are compared faster.
            let bits = |weight: &f32| weight.to_bits().cast_signed();
            let most = self.weights.iter().map(bits).max();
            let likeliest = self.weights.iter().rposition(|weight| Some(bits(weight)) == most);
            self.likeliest = likeliest.unwrap_or(0);
        }
        self.moves.clear();
    }

    /// Forgets what was foreseen.
    pub(super) fn forget(&mut self) {
        self.moves.clear();
    }

    pub(super) fn likeliest(&self) -> usize {
        self.likeliest
    }

    /// The likeliest one of equally good moves.
    pub(super) fn choose(&self, moves: Moves) -> Option<Direction> {
        let orders = self.orders.iter().zip(&*FIRST);
        let (_, first) = orders.max_by(|a, b| a.0.total_cmp(b.0))?;
        Direction::ALL.get(first[usize::from(moves.0)]).copied()
    }

    /// Weights by the set of moves that are best.
    fn weigh_moves(&self) -> [f32; SETS] {
        let mut sums = [0.0; SETS];
        // Neighbours often have the same moves: their sum stays in a register.
        let (mut last, mut sum) = (0, 0.0);
        for (weight, moves) in self.weights.iter().zip(&self.moves) {
            let moves = usize::from(moves.0);
            if moves != last {
                sums[last] = sum;
                (last, sum) = (moves, sums[moves]);
            }
            sum += weight;
        }
        sums[last] = sum;
        sums
    }

    /// For each set of equally good moves, the probability that each one is chosen.
    fn shares(&self) -> [[f32; 5]; SETS] {
        let mut shares = [[0.0; 5]; SETS];
        for (weight, first) in self.orders.iter().zip(&*FIRST) {
            for (shares, first) in shares.iter_mut().zip(first) {
                shares[*first] += weight;
            }
        }
        shares
    }
}

/// Makes the sum of some weights 1, of which they share a part.
fn share(weights: &mut [f32]) {
    let sum: f32 = weights.iter().sum();
    let shared = SHARED / f32::from(u16::try_from(weights.len()).unwrap_or(u16::MAX));
    for weight in weights {
        *weight = (1.0 - SHARED) * *weight / sum + shared;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::pacman::Dims;

    fn set(directions: &[Direction]) -> Moves {
        Moves::best(directions.iter().map(|&direction| (direction, 1.0)))
    }

    #[test]
    fn the_member_that_is_followed_gains_weight_and_so_does_the_order_of_directions() {
        use Direction::{East, North, South, West};
        let from = Dims::new(3, 3).unwrap().nth(4).unwrap();
        let mut members = Members::new(3);
        let all = |turn: usize| {
            let follows = if turn.is_multiple_of(2) { set(&[North, West]) } else { set(&[South]) };
            [set(&[East]), set(&[North]), follows]
        };
        for turn in 0..20 {
            members.foresee(from, |moves| moves.extend(all(turn)));
            members.observe(Some(if turn.is_multiple_of(2) { West } else { South }));
        }
        assert_eq!(members.likeliest(), 2);
        assert_eq!(members.choose(set(&[North, West])), Some(West), "of equally good moves");
        assert_eq!(members.choose(Moves::default()), None);
        let step = members.foresee(from, |moves| moves.extend(all(0)));
        assert!(step.towards[West.index()] > 0.8, "{step:?}");
        assert!((step.towards.iter().sum::<f32>() + step.stays - 1.0).abs() < 1e-4, "{step:?}");
        // To stay, to be teleported, and what was not foreseen teach nothing.
        let before = members.weights.clone();
        members.observe(None);
        members.observe(Some(North));
        assert_eq!(members.weights, before);
    }

    #[test]
    fn weights_of_members_with_the_same_moves_add_up_wherever_they_are() {
        use Direction::{East, North, South};
        let from = Dims::new(3, 3).unwrap().nth(4).unwrap();
        let moves = [East, North, East, South, North, East].map(|direction| set(&[direction]));
        let mut members = Members::new(moves.len());
        members.weights = vec![1.0, 2.0, 4.0, 8.0, 16.0, 32.0];
        members.foresee(from, |all| all.extend(moves));
        let bits = |direction| members.by_moves[usize::from(set(&[direction]).0)].to_bits();
        assert_eq!([East, North, South].map(bits), [37.0, 18.0, 8.0].map(f32::to_bits));
        // The last one of equally likely members.
        let mut equal = Members::new(3);
        equal.foresee(from, |all| all.extend([East, North, East].map(|it| set(&[it]))));
        equal.observe(Some(East));
        assert_eq!(equal.likeliest(), 2);
    }

    #[test]
    fn worths_that_differ_by_rounding_are_equal() {
        use Direction::{East, North, South};
        let best = Moves::best([(North, 7.0), (East, 7.00001), (South, 6.9)].into_iter());
        assert_eq!(best, set(&[North, East]));
    }
}
