//! Every random number of a game, handed in from outside.

use std::collections::VecDeque;

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro128PlusPlus;

use crate::pacman::{Board, Cell, Colour, Object};
use graph::CellSet;

/// Source of the random draws of a game.
///
/// The order of the draws is part of the rules: the starts (A's pacman, A's ghost, B's pacman, …);
/// then per turn the play order, teleports as they happen, the object that appears if any, and its cell.
pub trait Chance {
    /// Called before the draws of a turn, counted from 1; 0 stands for the starts.
    fn begin_turn(&mut self, turn: u32);

    /// An integer below `n`, all equally likely; `n` is at least 1.
    fn below(&mut self, n: u32) -> u32;

    /// Draws the play order: shuffles `colours`, given in order.
    fn play_order(&mut self, colours: &mut [Colour]) {
        for last in (1..colours.len()).rev() {
            // At most 26 colours.
            colours.swap(last, self.below(last as u32 + 1) as usize);
        }
    }

    /// The cell where a piece starts, a teleport ends or an object appears.
    fn cell(&mut self, candidates: &Candidates<'_>) -> Cell {
        candidates.nth(self.below(candidates.len()))
    }

    /// The object that appears at the end of a turn: one in five turns, all objects equally likely.
    fn appearing(&mut self) -> Option<Object> {
        let kinds = Object::APPEARING.len() as u32;
        (self.below(5) == 0).then(|| Object::APPEARING[self.below(kinds) as usize])
    }
}

/// The cells that a draw chooses from; at least one.
pub struct Candidates<'a>(Kind<'a>);

enum Kind<'a> {
    /// The empty cells.
    Empty(&'a CellSet),
    /// The corridors except the occupied ones, if no cell is empty.
    Corridors { board: &'a Board, occupied: &'a [Cell], len: u32 },
}

impl<'a> Candidates<'a> {
    /// The empty cells, or else the corridors that are not `occupied`, or else all corridors.
    pub(crate) fn new(board: &'a Board, empty: &'a CellSet, occupied: &'a [Cell]) -> Self {
        if !empty.is_empty() {
            return Self(Kind::Empty(empty));
        }
        let count = |occupied: &[Cell]| {
            // A board has far fewer than 2³² cells.
            board.corridors().filter(|cell| !occupied.contains(cell)).count() as u32
        };
        match count(occupied) {
            0 => Self(Kind::Corridors { board, occupied: &[], len: count(&[]) }),
            len => Self(Kind::Corridors { board, occupied, len }),
        }
    }

    /// Number of candidates; at least 1.
    #[expect(clippy::len_without_is_empty, reason = "never empty")]
    pub fn len(&self) -> u32 {
        match self.0 {
            // A board has far fewer than 2³² cells.
            Kind::Empty(cells) => cells.len() as u32,
            Kind::Corridors { len, .. } => len,
        }
    }

    /// The `k`-th candidate in row-major order, from 0; the last one if `k` is too large.
    pub fn nth(&self, k: u32) -> Cell {
        let k = k.min(self.len() - 1) as usize;
        let found = match &self.0 {
            Kind::Empty(cells) => cells.nth(k),
            Kind::Corridors { board, occupied, .. } => {
                board.corridors().filter(|cell| !occupied.contains(cell)).nth(k)
            }
        };
        found.expect("k is below the number of candidates")
    }

    /// Tests if the cell is a candidate.
    pub fn contains(&self, cell: Cell) -> bool {
        match &self.0 {
            Kind::Empty(cells) => cells.contains(cell),
            Kind::Corridors { board, occupied, .. } => {
                !board.is_wall(cell) && !occupied.contains(&cell)
            }
        }
    }
}

/// The draws of a real game: `ChaCha8` keyed by the game's seed, one stream for each turn, so that a replay can begin at any turn
/// and players cannot predict draws from earlier ones.
#[derive(Clone, Debug)]
pub struct Seeded {
    seed: u64,
    turn: ChaCha8Rng,
}

impl Seeded {
    /// The draws of the game with this seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { seed, turn: keyed(seed) }
    }
}

/// The generator with this seed as its key.
fn keyed(seed: u64) -> ChaCha8Rng {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    ChaCha8Rng::from_seed(key)
}

impl Chance for Seeded {
    fn begin_turn(&mut self, turn: u32) {
        self.turn = keyed(self.seed);
        self.turn.set_stream(turn.into());
    }

    fn below(&mut self, n: u32) -> u32 {
        below(&mut self.turn, n)
    }
}

/// An integer below `n` (at least 1) by rejection sampling: takes the bit length of `n` from the top of each 32-bit output, until
/// the value is below `n`.
pub fn below(generator: &mut impl Rng, n: u32) -> u32 {
    let shift = n.max(1).leading_zeros();
    loop {
        let value = generator.next_u32() >> shift;
        if value < n.max(1) {
            return value;
        }
    }
}

/// Cheap draws for look-ahead, unrelated to those of real games and slightly biased (by less than `n` / 2³², and 8! / 2³² for the
/// play order).
#[derive(Clone, Debug)]
pub struct Quick(Xoshiro128PlusPlus);

impl Quick {
    /// The same seed gives the same draws.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(Xoshiro128PlusPlus::seed_from_u64(seed))
    }
}

impl Chance for Quick {
    fn begin_turn(&mut self, _turn: u32) {}

    fn below(&mut self, n: u32) -> u32 {
        // The high half of a product of two 32-bit numbers fits 32 bits.
        ((u64::from(self.0.next_u32()) * u64::from(n)) >> 32) as u32
    }

    /// Shuffles the last eight colours, which have 40 320 orders, by one draw: Brackett-Rozinsky and Lemire, “Batched
    /// Ranged Random Integer Generation”, 2024.
    fn play_order(&mut self, colours: &mut [Colour]) {
        let mut fraction = 0;
        for last in (1..colours.len()).rev() {
            if last + 1 == colours.len() || last >= 7 {
                fraction = self.0.next_u32();
            }
            // At most 26 colours, and both halves of the product fit 32 bits.
            let product = u64::from(fraction) * (last as u64 + 1);
            colours.swap(last, (product >> 32) as usize);
            fraction = product as u32;
        }
    }

    fn appearing(&mut self) -> Option<Object> {
        // An object in one of five draws, all objects equally likely.
        let kinds = Object::APPEARING.len();
        Object::APPEARING.get(self.below(5 * kinds as u32) as usize).copied()
    }
}

/// Predetermined draws: those of a recorded game, or those that a test needs.
#[derive(Clone, Debug, Default)]
pub struct Scripted {
    /// The play order; missing players move last, by colour.
    pub play_order: Vec<Colour>,
    /// The cells, in the order in which the rules ask for them.
    pub cells: VecDeque<Cell>,
    /// The object that appears at the end of the turn.
    pub appearing: Option<Object>,
    /// Number of draws of cells for which the script had no cell left, or one that is no candidate.
    pub contradictions: u32,
}

impl Chance for Scripted {
    fn begin_turn(&mut self, _turn: u32) {}

    fn below(&mut self, _n: u32) -> u32 {
        0
    }

    fn play_order(&mut self, colours: &mut [Colour]) {
        let place = |colour: &Colour| self.play_order.iter().position(|c| c == colour);
        colours.sort_by_key(|colour| place(colour).unwrap_or(usize::MAX));
    }

    fn cell(&mut self, candidates: &Candidates<'_>) -> Cell {
        match self.cells.pop_front() {
            Some(cell) if candidates.contains(cell) => cell,
            _ => {
                self.contradictions += 1;
                candidates.nth(0)
            }
        }
    }

    fn appearing(&mut self) -> Option<Object> {
        self.appearing
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    /// A generator with predetermined outputs.
    struct Outputs(Vec<u32>);

    impl rand_core::TryRng for Outputs {
        type Error = std::convert::Infallible;

        fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
            Ok(self.0.remove(0))
        }

        fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
            unreachable!("the draws are defined on 32-bit outputs")
        }

        fn try_fill_bytes(&mut self, _: &mut [u8]) -> Result<(), Self::Error> {
            unreachable!("the draws are defined on 32-bit outputs")
        }
    }

    #[test]
    fn an_integer_takes_the_high_bits_until_it_fits() {
        // Five has three bits: 7, 5 and 6 are too large, 4 fits.
        let outputs = [7 << 29, 5 << 29, 6 << 29, (4 << 29) + 12_345, 0];
        let mut generator = Outputs(outputs.to_vec());
        assert_eq!(below(&mut generator, 5), 4);
        assert_eq!(generator.0, [0]);
        // 1 has one bit, so that even a draw below 1 may need several outputs.
        let mut generator = Outputs(vec![1 << 31, 1 << 31, (1 << 31) - 1]);
        assert_eq!(below(&mut generator, 1), 0);
    }

    #[test]
    fn quick_games_know_all_orders_of_play_and_all_objects() {
        let mut quick = Quick::new(3);
        let (mut orders, mut objects) = (HashMap::new(), HashMap::new());
        for _ in 0..24_000 {
            let mut colours: Vec<_> = Colour::first(4).collect();
            quick.play_order(&mut colours);
            *orders.entry(colours).or_insert(0) += 1;
            *objects.entry(quick.appearing()).or_insert(0) += 1;
        }
        // Each order is expected 1000 times with a standard deviation of 31, each object 960 times.
        let about_a_thousand = |count: &i32| (800..1200).contains(count);
        assert!(orders.len() == 24 && orders.values().all(about_a_thousand), "{orders:?}");
        assert!((18_900..19_500).contains(&objects.remove(&None).unwrap()));
        assert!(objects.len() == 5 && objects.values().all(about_a_thousand), "{objects:?}");
        // More colours than one draw can shuffle.
        let mut all: Vec<_> = Colour::first(Colour::MAX).collect();
        quick.play_order(&mut all);
        assert!(!all.is_sorted());
        all.sort_unstable();
        assert!(all.into_iter().eq(Colour::first(Colour::MAX)));
    }
}
