//! The lower bound that A* is guided by.

use std::ops::ControlFlow;

use super::{JumpCounts, Puzzle};

/// Least number of further jumps from a state (*heuristique*), learnt one number of jumps after
/// the other.
///
/// A state is the cursor and how often each cell was jumped on, x. Put legality aside: a goal takes z(c)
/// jumps onto each cell c in all, z one of the [`JumpCounts`], and x ≤ z everywhere, for no jump is
/// undone. What remains, y = z − x, must make sense as the rest of a walk from the cursor: before each
/// jump onto a cell there is one onto a neighbour, or it is the first and the cursor beside it; so
/// y(c) ≤ Σ y(neighbours of c), and 1 more beside the cursor. The bound is the least Σ y of all such z.
/// That the colours of the chequerboard alternate in y follows, for they do in x and in z.
///
/// **Admissible**: the rest of every walk to a goal is such a y, so the shortest one is no shorter than
/// the least. With one exception, which does not matter: of mirror images `JumpCounts` lists one, so that
/// the bound is only about the goals that are listed. An optimal walk to one of them exists whenever there
/// is an optimal walk at all, its mirror image if need be; along that walk the bound holds.
///
/// **Consistent**: let a jump onto p' from p leave y', counted from x' = x + 1 at p'. If y' makes sense
/// from p', then y = y' + 1 at p' does from p: at p', which is beside p, the right-hand side has that 1
/// more; at the neighbours of p' as well, since their sum has, which makes up for p' as the cursor; and at
/// all others nothing changes, since p' is not beside them. The same z fits both, so a jump lowers the
/// bound by 1 at most.
///
/// Since Σ x is what the way has cost, A* looks at the states in the order of Σ z, and there are few
/// states below the few z. That no shorter solution exists follows from A*: before it looks at a goal of
/// m jumps, it has looked at every state that, as far as the bound can tell, is on a way to a goal of
/// fewer.
///
/// The counts of m jumps are listed when the search first asks whether a state is on a way to one of
/// them. Listing stops for good when it has become more work than there are states: then it is cheaper
/// to look at them all, and the last bound serves on. So the search ends when there is no solution.
#[derive(Clone, Debug)]
pub struct Lookahead<'a> {
    puzzle: &'a Puzzle,
    counts: JumpCounts<'a>,
    /// By number of jumps, all their counts, one after the other.
    levels: Vec<Vec<i32>>,
    work: u64,
    most_work: u64,
}

impl<'a> Lookahead<'a> {
    /// Nothing is learnt yet.
    #[must_use]
    pub fn new(puzzle: &'a Puzzle) -> Self {
        let counts = JumpCounts::new(puzzle);
        // If the start may owe and the sum is enough all the same, the board is tiny.
        let owes = puzzle.floor(puzzle.start()) < 0;
        let most_work = if owes { 0 } else { puzzle.states_at_most() };
        Self { puzzle, counts, levels: Vec::new(), work: 0, most_work }
    }

    /// Number of lists of jump counts that were begun: the work besides the search.
    #[must_use]
    pub fn work(&self) -> u64 {
        self.work
    }

    /// A lower bound of how many jumps remain with the cursor on a cell after `jumps` onto each, when
    /// it is known to be `known` at least: that, or 1 more. The whole bound is found by asking again.
    ///
    /// # Errors
    ///
    /// `go_on`, which is asked now and then while counts are listed, broke off.
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

    /// Lists the counts of one jump more.
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

    /// Tests if what remains of the counts makes sense as the rest of a walk.
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
    use crate::puddles::Board;

    /// The bounds of all states of at most `most` jumps: a route that is longer counts as just longer.
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
