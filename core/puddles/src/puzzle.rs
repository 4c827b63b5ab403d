//! The rules, and a necessary condition for a solution.

use graph::Pos;
use language::said;

use super::Board;

/// A puzzle: a board, the start value of every counter, and the cell of the first jump.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Puzzle {
    board: Board,
    value: i32,
    start: usize,
}

/// A fault in the parameters of a puzzle.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PuzzleError {
    /// The start value is too large.
    #[error("{}", said!(
        "the counters start with at most {max}, found {_0}",
        "les compteurs commencent à {max} au plus, et non {_0}",
        max = Puzzle::LARGEST
    ))]
    Value(u32),
    /// The start is off the board.
    #[error("{}", said!(
        "the start {start} is not on a board of {rows} × {columns}; its corner is (0, 0)",
        "le départ {start} n'est pas sur un plateau de {rows} × {columns} ; son coin est (0, 0)"
    ))]
    Start {
        /// The requested start.
        start: Pos,
        /// Rows of the board.
        rows: usize,
        /// Columns of the board.
        columns: usize,
    },
}

impl Puzzle {
    /// The largest start value; all values that are not small give the same puzzle.
    pub const LARGEST: u32 = 1_000_000_000;

    /// A puzzle whose first jump is onto `start`.
    ///
    /// # Errors
    ///
    /// If the value is too large or the start is off the board.
    pub fn new(board: Board, value: u32, start: Pos) -> Result<Self, PuzzleError> {
        let (rows, columns) = (board.rows(), board.columns());
        if value > Self::LARGEST {
            return Err(PuzzleError::Value(value));
        }
        let start = board.cell(start).ok_or(PuzzleError::Start { start, rows, columns })?;
        Ok(Self { board, value: value.cast_signed(), start })
    }

    /// The board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The start value of every counter.
    pub fn value(&self) -> i32 {
        self.value
    }

    /// The cell of the first jump.
    pub fn start(&self) -> usize {
        self.start
    }

    /// A cell's counter after these numbers of jumps onto each cell; their order does not matter.
    pub fn counter(&self, jumps: &[i32], cell: usize) -> i32 {
        let given = self.board.neighbours(cell).iter().map(|&other| jumps[other]).sum::<i32>();
        self.value + given - self.board.degree(cell) * jumps[cell]
    }

    /// All counters, row-major, after these numbers of jumps onto each cell.
    pub fn counters(&self, jumps: &[i32]) -> Box<[i32]> {
        (0..self.board.cells()).map(|cell| self.counter(jumps, cell)).collect()
    }

    /// Jumps onto a cell, legal or not.
    pub fn jump(&self, counters: &mut [i32], cell: usize) {
        counters[cell] -= self.board.degree(cell);
        for &other in self.board.neighbours(cell) {
            counters[other] += 1;
        }
    }

    /// The targets of a legal jump from a cell, in the order west, north, east, south; `counter` returns a
    /// cell's counter.
    pub fn moves(
        &self,
        cell: usize,
        counter: impl Fn(usize) -> i32,
    ) -> impl Iterator<Item = usize> {
        let neighbours = self.board.neighbours(cell).iter().copied();
        neighbours.filter(move |&next| counter(next) >= self.board.degree(next))
    }

    /// Tests if all counters are distinct.
    pub fn is_goal(counters: &[i32]) -> bool {
        let mut sorted = counters.to_vec();
        sorted.sort_unstable();
        sorted.windows(2).all(|pair| pair[0] < pair[1])
    }

    /// Lower bound of a cell's counter: 0, except at the start. The first jump may make the start's counter
    /// negative; then it only grows until the next jump onto the start, after which it is not negative.
    pub fn floor(&self, cell: usize) -> i32 {
        if cell == self.start { (self.value - self.board.degree(cell)).min(0) } else { 0 }
    }

    /// The sum of the counters, which no jump changes.
    pub fn sum(&self) -> i64 {
        i64::from(self.value) * i64::from(self.board.cells() as u32)
    }

    /// The least sum of distinct counters. When [`sum`](Self::sum) is less, there is no solution.
    ///
    /// Of n distinct counters none of which is negative, the k-th smallest is at least k − 1; so the
    /// value must be at least (n − 1) / 2. Only the start's counter can be negative, after the first jump,
    /// and it is at least the [`floor`](Self::floor); the others still sum up to at least
    /// 0 + 1 + … + (n − 2).
    pub fn least_sum(&self) -> i64 {
        let floor = self.floor(self.start);
        (0..).take(self.board.cells() - usize::from(floor < 0)).sum::<i64>() + i64::from(floor)
    }

    /// Upper bound of the number of states: places of the cursor × distributions of the sum over the
    /// counters. Saturates.
    pub fn states_at_most(&self) -> u64 {
        let cells = self.board.cells() as u64;
        // The start's counter may be as low as −4.
        let sum = cells * u64::from(self.value.unsigned_abs()) + 4;
        let mut ways = 1.0;
        for k in 1..cells {
            ways *= (sum + k) as f64 / k as f64;
        }
        (ways * cells as f64) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn puzzle(rows: usize, columns: usize, value: u32) -> Puzzle {
        let start = Pos { row: 0, col: 0 };
        Puzzle::new(Board::new(rows, columns).unwrap(), value, start).unwrap()
    }

    #[test]
    fn counters_do_not_depend_on_the_order_of_jumps() {
        let puzzle = puzzle(3, 3, 5);
        let mut counters = vec![5; 9];
        for cell in [0, 1, 4, 1] {
            puzzle.jump(&mut counters, cell);
        }
        assert_eq!(counters, [5, 1, 7, 7, 3, 6, 5, 6, 5]);
        assert_eq!(*puzzle.counters(&[1, 2, 0, 0, 1, 0, 0, 0, 0]), *counters);
        assert_eq!(counters.iter().sum::<i32>(), 45);
        assert_eq!(puzzle.moves(1, |cell| counters[cell]).collect::<Vec<_>>(), [0, 2]);
    }

    #[test]
    fn the_condition_is_half_of_the_cells() {
        for (rows, columns) in [(2_usize, 2), (3, 3), (4, 4), (3, 5), (30, 32)] {
            let least = (rows * columns - 1).div_ceil(2) as u32;
            let allows = |value| {
                let puzzle = puzzle(rows, columns, value);
                puzzle.sum() >= puzzle.least_sum()
            };
            // With 1, the start's counter on 2 × 2 may be −1: −1, 0, 1 and 4 are distinct.
            let owing = u32::from(least == 2);
            assert!(allows(least) && allows(least - owing) && !allows(least - owing - 1));
        }
    }

    #[test]
    fn only_the_counter_of_the_start_may_be_negative() {
        assert_eq!([0, 1].map(|cell| puzzle(3, 3, 1).floor(cell)), [-1, 0]);
        assert_eq!(puzzle(3, 3, 2).floor(0), 0);
    }

    #[test]
    fn states_are_bounded() {
        // Four counters with a sum of up to 4 + 4, and four places: 4 · C(11, 3).
        assert_eq!(puzzle(2, 2, 1).states_at_most(), 660);
        assert_eq!(puzzle(9, 9, 1000).states_at_most(), u64::MAX);
    }

    #[test]
    fn invalid_puzzles_are_errors() {
        let board = Board::new(2, 3).unwrap();
        let off = Pos { row: 2, col: 0 };
        let error = Puzzle::new(board.clone(), 5, off).unwrap_err();
        assert!(error.to_string().starts_with("the start (2, 0) is not on a board of 2 × 3"));
        let error = Puzzle::new(board, u32::MAX, Pos { row: 0, col: 0 }).unwrap_err();
        assert_eq!(error, PuzzleError::Value(u32::MAX));
    }
}
