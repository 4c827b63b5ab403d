//! The lower bound (heuristic) of A*.

use std::ops::ControlFlow;

use super::{JumpCounts, Puzzle};

/// A lower bound of the number of further jumps from a state (*heuristique*), computed for one total
/// number of jumps after the other.
///
/// A state is the cursor and the number x of jumps onto each cell. Ignoring legality, a goal takes z(c)
/// jumps onto each cell c in all, where z is one of the [`JumpCounts`], and x ≤ z everywhere, for no jump
/// is undone. The rest y = z − x must be feasible as the rest of a walk from the cursor: a jump onto a
/// neighbour precedes each jump onto a cell, except the first jump, which goes beside the cursor; so
/// y(c) ≤ Σ y(neighbours of c), and 1 more beside the cursor. The bound is the least Σ y of all such z.
/// The colours of the chequerboard alternate in y, because they do in x and in z.
///
/// **Admissible**: the rest of every walk to a goal is such a y, so the shortest rest is no shorter than
/// the bound. One exception is harmless: `JumpCounts` lists one of two mirror images, so the bound
/// concerns only the listed goals. If there is an optimal walk, it or its mirror image is an optimal walk
/// to a listed goal; along that walk the bound holds.
///
/// **Consistent**: let y' be the rest after a jump from p onto p', counted from x' = x + 1 at p'. If y' is
/// feasible from p', then y = y' + 1 at p' is feasible from p: at p', which is beside p, the right-hand
/// side gains the 1 of the cursor; at the neighbours of p', the sum gains 1, which replaces the 1 of the
/// cursor at p'; at all other cells nothing changes, since p' is not beside them. The same z fits both, so
/// a jump lowers the bound by at most 1.
///
/// Since Σ x is the cost of the path, A* expands the states in the order of Σ z, and there are few states
/// below the few z. A* proves that no shorter solution exists: before it expands a goal of m jumps, it has
/// expanded every state that, by the bound, may be on a path to a goal of fewer jumps.
///
/// The counts of m jumps are listed when the search first asks if a state is on a path to one of them.
/// Listing stops for good when its work exceeds the number of states: then it is cheaper to expand all
/// states, and the last bound remains in use. So the search ends even if there is no solution.
#[derive(Clone, Debug)]
pub struct Lookahead<'a> {
    puzzle: &'a Puzzle,
    counts: JumpCounts<'a>,
    /// For each total number of jumps, all its counts, concatenated.
    levels: Vec<Vec<i32>>,
    work: u64,
    most_work: u64,
}

impl<'a> Lookahead<'a> {
    /// A look-ahead without any counts yet.
    #[must_use]
    pub fn new(puzzle: &'a Puzzle) -> Self {
        let counts = JumpCounts::new(puzzle);
        // If the start's counter may be negative and the sum is still large enough, the board is tiny.
        let owes = puzzle.floor(puzzle.start()) < 0;
        let most_work = if owes { 0 } else { puzzle.states_at_most() };
        Self { puzzle, counts, levels: Vec::new(), work: 0, most_work }
    }

    /// Number of partial jump counts of all listings: the work besides the search.
    pub fn work(&self) -> u64 {
        self.work
    }

    /// A lower bound of the number of further jumps, with the cursor on a cell after `jumps` onto each cell:
    /// the lower bound `known`, or 1 more. Repeated calls reach the whole bound.
    ///
    /// # Errors
    ///
    /// If `go_on`, which is called now and then during a listing, stops it.
    pub fn remaining(
        &mut self,
        cursor: usize,
        jumps: &[i32],
        known: u32,
        mut go_on: impl FnMut() -> ControlFlow<()>,
    ) -> ControlFlow<(), u32> {
        let total = jumps.iter().sum::<i32>().unsigned_abs() + known;
        while self.levels.len() <= total as usize {
            if self.work >= self.most_work {
                return ControlFlow::Continue(known);
            }
            self.learn(&mut go_on)?;
        }
        let fits = self.levels[total as usize]
            .chunks_exact(jumps.len())
            .any(|counts| self.fits(cursor, jumps, counts));
        ControlFlow::Continue(known + u32::from(!fits))
    }

    /// Lists the counts with one more jump.
    fn learn(&mut self, go_on: &mut impl FnMut() -> ControlFlow<()>) -> ControlFlow<()> {
        let mut level = Vec::new();
        let listed = self.counts.list(self.levels.len() as u32, |counts| match counts {
            Some(counts) => {
                level.extend_from_slice(counts);
                ControlFlow::Continue(())
            }
            None => go_on(),
        });
        match listed {
            Ok(work) => {
                self.work += work;
                self.levels.push(level);
                ControlFlow::Continue(())
            }
            Err(_) => ControlFlow::Break(()),
        }
    }

    /// Tests if the remaining jumps of the counts are feasible as the rest of a walk.
    fn fits(&self, cursor: usize, jumps: &[i32], counts: &[i32]) -> bool {
        let board = self.puzzle.board();
        let rest = |cell: usize| counts[cell] - jumps[cell];
        let cells = 0..board.cells();
        cells.clone().all(|cell| rest(cell) >= 0)
            && cells.into_iter().all(|cell| {
                let around = board.neighbours(cell).iter();
                let before: i32 = around.map(|&next| rest(next) + i32::from(next == cursor)).sum();
                rest(cell) <= before
            })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use graph::Pos;

    use super::*;
    use crate::Board;

    /// The bounds of all states of at most `most` jumps; a total beyond `most` counts as `most + 1`.
    fn bounds(puzzle: &Puzzle, most: u32) -> BTreeMap<(usize, Vec<i32>), u32> {
        let mut lookahead = Lookahead::new(puzzle);
        let mut bounds = BTreeMap::new();
        let mut first = vec![0; puzzle.board().cells()];
        first[puzzle.start()] = 1;
        let mut layer = vec![(puzzle.start(), first)];
        for total in 1..=most {
            let mut next = Vec::new();
            for (cursor, jumps) in layer {
                let mut bound = 0;
                while total + bound <= most {
                    let go_on = || ControlFlow::Continue(());
                    let answer = lookahead.remaining(cursor, &jumps, bound, go_on);
                    if answer == ControlFlow::Continue(bound) {
                        break;
                    }
                    bound += 1;
                }
                for cell in puzzle.moves(cursor, |cell| puzzle.counter(&jumps, cell)) {
                    let mut then = jumps.clone();
                    then[cell] += 1;
                    next.push((cell, then));
                }
                bounds.insert((cursor, jumps), bound);
            }
            next.sort();
            next.dedup();
            layer = next;
        }
        bounds
    }

    #[test]
    fn the_bound_is_consistent_and_not_zero() {
        for (rows, columns, value, most) in [(2, 3, 3, 9), (3, 3, 5, 10), (3, 3, 9, 9)] {
            let board = Board::new(rows, columns).unwrap();
            let puzzle = Puzzle::new(board, value, Pos { row: 0, col: 0 }).unwrap();
            let bounds = bounds(&puzzle, most);
            let mut steps = 0;
            for ((cursor, jumps), &bound) in &bounds {
                for cell in puzzle.moves(*cursor, |cell| puzzle.counter(jumps, cell)) {
                    let mut then = jumps.clone();
                    then[cell] += 1;
                    if let Some(&after) = bounds.get(&(cell, then)) {
                        assert!(bound <= after + 1, "{cursor} {jumps:?} to {cell}");
                        steps += 1;
                    }
                }
            }
            assert!(steps > 50 && bounds.values().any(|&bound| bound > 2));
        }
    }
}
